// What operators' calls do that wait for a second operator: each operation that may be held, in words.

import { words } from "../../format.ts";
import { amount, type Describe, limit, move, ofAmount, otherDates, settlement, statementBreak, waiver } from "./effect.ts";

const text = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);
const role = (value: unknown): string => text(value, "a role").replace("organization-", "").replaceAll("-", " ");
const payment = (value: unknown): string => {
	const { value: minor, currency } = (value ?? {}) as { value?: number; currency?: string };
	return amount(minor, currency ?? null);
};
const named = (fields: Readonly<Record<string, unknown>>): string =>
	Object.keys(fields)
		.map((name) => words(name).toLowerCase())
		.join(", ");

const reversal: Describe = ({ reason, return_money, transaction_amount, currency }) => ({
	about: "Transaction",
	title: `Undo a ${return_money === true ? "payment" : "transaction"}${ofAmount(transaction_amount, currency)}${return_money === true ? " and return its money" : ""}`,
	effect: `The book is replayed as if it had never been posted.${return_money === true ? " The payer gets the money back." : ""} Reason given: ${text(reason, "none")}`,
	dangerous: true,
});

const restoration: Describe = ({ reason, transaction_amount, currency }) => ({
	about: "Transaction",
	title: `Undo the reversal of a payment${ofAmount(transaction_amount, currency)}`,
	effect: `The payment counts again. Reason given: ${text(reason, "none")}.`,
	dangerous: true,
});

const moved: Describe = (fields) => {
	const { effect, ...rest } = move(fields);
	return { about: "Transaction", ...rest, effect: `${effect} Reason given: ${text(fields.reason, "none")}.` };
};

const offTheList =
	(about: string, title: string): Describe =>
	({ reason }) => ({ about, title, effect: `Nothing is posted or undone. Reason given: ${text(reason, "none")}`, dangerous: false });

export const HELD: Readonly<Record<string, Describe>> = {
	deleteDarajaConnection: () => ({
		about: "Organization",
		title: "Disconnect the lender's M-Pesa shortcode",
		effect: "Nothing is paid out by it or asked of borrowers any more, and payments to it are not confirmed.",
		dangerous: true,
	}),
	deleteMomoConnection: () => ({
		about: "Organization",
		title: "Disconnect the lender's MTN MoMo wallet",
		effect: "Nothing is paid out by it any more.",
		dangerous: true,
	}),
	createLoanApplication: ({ loan_amount, currency }) => ({
		about: "Application",
		title: `Ask for a loan${typeof loan_amount === "number" ? ` of ${amount(loan_amount, currency)}` : ""} in a user's name`,
		effect: "The user gets an offer, or is refused. Nothing is paid out.",
		dangerous: false,
	}),
	applyForLoan: ({ loan_amount, currency }) => ({
		about: "Application",
		title: `Accept an offer for ${amount(loan_amount, currency)} in a user's name`,
		effect: "The loan is paid out, and interest runs from then on.",
		dangerous: true,
	}),
	cancelLoanApplication: () => ({ about: "Application", title: "Withdraw an application", effect: "Its offer ends.", dangerous: false }),
	recordAgentEvents: ({ events }) => ({
		about: "Agents",
		title: `Record ${Array.isArray(events) ? events.length : "some"} events of agents`,
		effect: "Commissions follow from them.",
		dangerous: false,
	}),
	setSupervisor: () => ({
		about: "Agent",
		title: "Give an agent another supervisor",
		effect: "The supervisor's share of commissions goes to the new one from the date on that is named.",
		dangerous: false,
	}),
	financeInvoice: ({ fee, currency }) => ({
		about: "Invoice",
		title: "Pay an invoice to its merchant",
		effect: `The invoice's amount less the fee${typeof fee === "number" ? ` of ${amount(fee, currency)}` : ""} is paid out.`,
		dangerous: true,
	}),
	repayInvoice: ({ amount: paid }) => ({
		about: "Invoice",
		title: `Record that a buyer has paid ${payment(paid)}`,
		effect: "The invoice is repaid by that much.",
		dangerous: false,
	}),
	decide: ({ subject, decision }) => ({
		about: words(text(subject, "Decision")),
		title: `Decide ${text(subject, "a request").toLowerCase()}: ${text(decision, "as sent").toLowerCase()}`,
		effect: "It counts as the custodian's decision about the user's current account.",
		dangerous: true,
	}),
	recordMovement: ({ direction, amount: value, currency }) => ({
		about: "Account",
		title: `Record that ${payment({ value, currency })} ${direction === "DEBIT" ? "left" : "came into"} a current account`,
		effect: "The account's balance changes by that much.",
		dangerous: true,
	}),
	reportDisbursement: ({ status }) => ({
		about: "Disbursement",
		title: `Report that a payout ${status === "FAILED" ? "failed" : "succeeded"}`,
		effect: status === "FAILED" ? "The loan is not paid out." : "The loan counts as paid out, and interest runs.",
		dangerous: true,
	}),
	reportTransfer: ({ status }) => ({
		about: "Transfer",
		title: `Report that a transfer ${status === "FAILED" ? "failed" : "succeeded"}`,
		effect: status === "FAILED" ? "The user gets the money back." : "The transfer is complete.",
		dangerous: true,
	}),
	updateOrganization: ({ name, status }) => ({
		about: "Organization",
		title:
			status === "SUSPENDED"
				? "Suspend an organization"
				: status === "ACTIVE"
					? "Resume an organization"
					: `Rename an organization to ${text(name, "another name")}`,
		effect:
			status === "SUSPENDED"
				? "Its keys and members write nothing but repayments, and nobody gets new credit from it."
				: "It holds at once.",
		dangerous: status === "SUSPENDED",
	}),
	updateApiKey: ({ daily_amount }) => ({
		about: "API key",
		title: `Let an API key move ${amount(daily_amount, null)} in a day`,
		effect: "More is refused until the next day.",
		dangerous: true,
	}),
	createInvitation: ({ email, role: as }) => ({
		about: "Organization",
		title: `Invite ${text(email, "somebody")} as ${role(as)}`,
		effect: "They get a mail, and become a member when they accept it within seven days.",
		dangerous: true,
	}),
	resendInvitation: () => ({
		about: "Invitation",
		title: "Send an invitation again",
		effect: "The new mail is valid for seven days; the earlier one is valid no longer.",
		dangerous: false,
	}),
	changeRole: ({ role: to }) => ({
		about: "Member",
		title: `Make a member ${role(to)}`,
		effect: "They may do what the role allows, and no more, from their next click on.",
		dangerous: true,
	}),
	closeAccount: () => ({ about: "Account", title: "Close an account", effect: "Nothing can be drawn on it any more.", dangerous: true }),
	refundOverpayment: () => ({
		about: "Account",
		title: "Give back what was overpaid",
		effect: "It goes to the borrower's current account, or is paid out to them.",
		dangerous: true,
	}),
	rescheduleAccount: (fields) =>
		fields.dry_run === true ? { ...otherDates(fields), effect: "Nothing: it is a trial.", dangerous: false } : otherDates(fields),
	settleAccount: (fields) => ({ about: "Account", ...settlement(fields) }),
	reverseTransaction: reversal,
	reverseRepayment: reversal,
	restoreRepayment: restoration,
	moveRepayment: moved,
	dismissConfirmation: offTheList("Payment", "Take a confirmation off the list"),
	resolveStatementBreak: statementBreak,
	dismissSecondReceipts: offTheList("Disbursement", "Take a payout with two receipts off the list"),
	recordPayoutReturned: () => ({
		about: "Disbursement",
		title: "Record that the money of a payout came back",
		effect: "The loan, draw, refund or advance that it paid is undone.",
		dangerous: true,
	}),
	giveUpReturn: ({ reason }) => ({
		about: "Payment",
		title: "Give up returning the money of a reversed payment",
		effect: `The service stops sending the request. Reason given: ${text(reason, "none")}`,
		dangerous: true,
	}),
	unfreezeAccount: () => ({
		about: "Account",
		title: "Release a frozen current account",
		effect: "Its user can spend from it again.",
		dangerous: true,
	}),
	waive: (fields) => ({ about: "Account", ...waiver(fields) }),
	createCommissionModel: () => ({
		about: "Commissions",
		title: "Create a version of a commission model",
		effect: "Events from the date on that is named are paid by it.",
		dangerous: true,
	}),
	runImport: ({ dry_run }) => ({
		about: "Import",
		title: dry_run === true ? "Check an import" : "Import the accounts that were found equal",
		effect: dry_run === true ? "Nothing is imported." : "Each account is imported whole or not at all.",
		dangerous: dry_run !== true,
	}),
	createIssuer: ({ issuer, kind }) => ({
		about: "Issuer",
		title: `Trust the issuer ${text(issuer, "named")}`,
		effect: `Its ${text(kind, "signed")} tokens are accepted from the next minute on.`,
		dangerous: true,
	}),
	updateIssuer: (fields) => ({
		about: "Issuer",
		title: fields.disabled === true ? "Disable an issuer" : "Change an issuer",
		effect: fields.disabled === true ? "Its tokens are refused." : `Changes ${named(fields)}, everywhere within a minute.`,
		dangerous: true,
	}),
	createLoanProduct: ({ name }) => ({
		about: "Product",
		title: `Create the loan product ${text(name, "")}`.trim(),
		effect: "It is offered at once. Its terms can never be changed.",
		dangerous: true,
	}),
	publishLoanTermsText: () => ({ about: "Product", title: "Publish terms", effect: "Old apps then get no loans.", dangerous: true }),
	updateLoanProduct: ({ name, status, terms_version }) => ({
		about: "Product",
		title:
			terms_version !== undefined
				? "Choose the terms of offers"
				: status === "RETIRED"
					? "Retire a loan product"
					: status === "SUSPENDED"
						? "Suspend a loan product"
						: status === "ACTIVE"
							? "Offer a loan product again"
							: `Rename a loan product to ${text(name, "another name")}`,
		effect:
			status === "RETIRED"
				? "No offers are made any more, and open ones end. Draws go on."
				: status === "SUSPENDED"
					? "No offers are made any more, open ones end, and nothing can be drawn."
					: "It holds at once.",
		dangerous: status === "RETIRED" || status === "SUSPENDED",
	}),
	setDeliveryQuota: ({ own_quota }) => ({
		about: "Organization",
		title:
			typeof own_quota === "number" ? `Let an organization hold ${own_quota} deliveries` : "Restore an organization's quota of deliveries",
		effect: "Beyond it finished deliveries go early, then no new ones are made.",
		dangerous: true,
	}),
	addMember: ({ role: as }) => ({
		about: "Organization",
		title: `Add a member as ${role(as)}`,
		effect: "They may do what the role allows at once, without an invitation.",
		dangerous: true,
	}),
	matchPayment: () => ({
		about: "Payment",
		title: "Post a payment to an account",
		effect: "The payment reduces the debt as of the day it was made.",
		dangerous: true,
	}),
	updateUser: () => ({
		about: "User",
		title: "Give a user a home organization",
		effect: "They are the organization's customer from then on. It cannot be changed.",
		dangerous: true,
	}),
	putCreditProfile: (fields) => ({ about: "User", ...limit(fields) }),
	eraseUser: () => ({
		about: "User",
		title: "Erase a user",
		effect: "Everything by which they can be recognised is removed everywhere. Nobody can undo it.",
		dangerous: true,
	}),
	linkIdentity: ({ issuer }) => ({
		about: "User",
		title: `Link a user to an identity of ${text(issuer, "an issuer")}`,
		effect: "A sign-in there with this identity is this user.",
		dangerous: true,
	}),
	recordRepayment: ({ amount: paid }) => ({
		about: "Payment",
		title: paid === undefined ? "Record a payment" : `Record a payment of ${payment(paid)}`,
		effect: "It is posted to the account, or waits for one if none has its number.",
		dangerous: true,
	}),
	updateWebhook: (fields) => ({
		about: "Endpoint",
		title: fields.status === "SUSPENDED" ? "Suspend an endpoint" : "Change an endpoint",
		effect: fields.status === "SUSPENDED" ? "Nothing is delivered to it." : `Changes ${named(fields)}.`,
		dangerous: true,
	}),
};
