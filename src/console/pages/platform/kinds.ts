// The kinds of work that wait for people: what each is called, for whom it waits, and where it is done.

import type { WorkItem } from "../../typed.ts";

export type Kind = WorkItem["kind"];

interface About {
	readonly name: string;
	readonly waitsFor: string;
	/** Money or promises are late. */
	readonly urgent?: true;
	/** Whether it may be done again at once. */
	readonly again?: true;
	/** Whether it may be given up. */
	readonly givenUp?: true;
	/** Whether somebody takes it off the list, because they have compared it. */
	readonly dismissed?: true;
	/** The page of one. */
	readonly place?: (item: WorkItem) => string | undefined;
}

const user = ({ user_id }: WorkItem) => (user_id ? `/users/${user_id}` : undefined);
const account = (item: WorkItem) => (item.account_id ? `/accounts/${item.account_id}` : user(item));

export const KINDS: Readonly<Record<Kind, About>> = {
	WAITING_USER: {
		name: "Users on the waiting list",
		waitsFor: "An operator or a lending administrator admits them.",
		place: ({ id }) => `/users/${id}`,
	},
	PAYMENT: { name: "Payments without account", waitsFor: "Somebody says whose each is.", place: () => "/payments" },
	CONFIRMATION: {
		name: "Confirmations that no payment came of",
		waitsFor: "Safaricom says whether the payment was made. If it does not say, compare the payment with the statement and dismiss it.",
		urgent: true,
		again: true,
		place: () => "/payments?status=confirmations",
	},
	DISBURSEMENT: {
		name: "Payouts under way",
		waitsFor: "The disburser takes them, and reports how they end.",
		urgent: true,
		again: true,
		place: account,
	},
	CONTRADICTION: {
		name: "Payouts that were made and are in no book",
		waitsFor: "The service tries each hour to book them. Somebody finds out why it cannot.",
		urgent: true,
		again: true,
		place: account,
	},
	SECOND_RECEIPT: {
		name: "Payouts with two receipts",
		waitsFor: "Somebody compares the receipts with the provider's statement, and dismisses them: perhaps it was paid twice.",
		urgent: true,
		dismissed: true,
		place: account,
	},
	STATEMENT_BREAK: {
		name: "Breaks with statements",
		waitsFor: "Somebody of the lender records or explains what the provider's statement and the payments here do not have in common.",
	},
	TRANSFER: {
		name: "Transfers under way",
		waitsFor: "The provider takes them, and reports how they end.",
		urgent: true,
		again: true,
		place: account,
	},
	RETURN: {
		name: "Money on its way back to payers",
		waitsFor: "The provider says that the payer has it. Retry a failed return, or give it up.",
		urgent: true,
		again: true,
		givenUp: true,
		place: account,
	},
	ONBOARDING: { name: "Current accounts to be opened", waitsFor: "The custodian decides.", place: account },
	ACTIVATION: { name: "Current accounts to be activated", waitsFor: "The custodian decides.", place: account },
	CLOSURE: { name: "Current accounts to be closed", waitsFor: "The custodian decides.", place: account },
	CUSTODIAN: { name: "Instructions to the custodian", waitsFor: "The custodian takes them.", urgent: true, again: true, place: account },
	APPROVAL: { name: "Approvals", waitsFor: "Another person decides.", place: () => "/approvals" },
	ENDPOINT: { name: "Endpoints that fail", waitsFor: "Their organization repairs the receiver, and resumes them." },
	PORTFOLIO: {
		name: "Portfolios that do not add up",
		waitsFor: "Somebody finds out why. Later days wait until then.",
		urgent: true,
		again: true,
	},
	DEAD_LETTER: {
		name: "Deliveries given up by the queue",
		waitsFor: "They are done again, once what broke is mended.",
		urgent: true,
		again: true,
	},
	AUTHORIZATION_SYNC: {
		name: "Roles that the authorization provider lacks",
		waitsFor: "The provider takes them. Until then a member may what both their role here and the provider allow.",
		again: true,
		place: user,
	},
	QUOTA: { name: "Organizations with too many deliveries", waitsFor: "An operator sets another quota, or they leave with time." },
};
