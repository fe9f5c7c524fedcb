// What states and codes of the service are called, and what each means. A page shows no code without its words.

/** The shape of a state, its word, and where the word does not say it what it means. */
export type StateInWords = readonly [
	of: "good" | "waiting" | "retrying" | "failing" | "ended" | "suspended" | "idle",
	word: string,
	note?: string,
];

/** By schema and member of the API's document, each value of its enum. */
export const STATES = {
	"CreditAccount.status": {
		PENDING: ["waiting", "Not used yet"],
		ACTIVE: ["good", "Active"],
		SUSPENDED: ["suspended", "Suspended", "Nothing can be drawn"],
		IN_ARREARS: ["failing", "In arrears", "Something is overdue"],
		DEFAULTED: ["failing", "In default", "Over 90 days overdue"],
		CLOSED: ["ended", "Closed"],
		WRITTEN_OFF: ["ended", "Written off", "No interest is charged any more, and the debt stays"],
	},
	"CurrentAccount.status": {
		PENDING: ["waiting", "Not active yet"],
		ACTIVE: ["good", "Active"],
		FROZEN: ["suspended", "Frozen", "It takes money and spends none"],
		CLOSING: ["waiting", "Closing"],
		CLOSED: ["ended", "Closed"],
	},
	"Installment.status": {
		UPCOMING: ["idle", "Upcoming"],
		DUE: ["waiting", "Due today"],
		OVERDUE: ["failing", "Overdue"],
		SETTLED: ["good", "Paid"],
		WAIVED: ["ended", "Waived"],
	},
	"RepaymentTransaction.status": {
		CONFIRMED: ["waiting", "Received", "It is posted within a minute"],
		POSTED: ["good", "Posted"],
		REVERSED: ["ended", "Undone"],
		UNMATCHED: ["waiting", "Without account"],
		FAILED: ["failing", "Failed"],
	},
	"ListedStatement.status": {
		OPEN: ["waiting", "Not compared"],
		MATCHING: ["waiting", "Receipts being compared"],
		SEEKING: ["waiting", "References being compared"],
		LOOKING: ["waiting", "Records being compared"],
		COMPARED: ["good", "Compared"],
		DISCARDING: ["waiting", "Being discarded"],
		DISCARDED: ["ended", "Discarded"],
	},
	"StatementBreak.kind": {
		MISSING_HERE: ["failing", "Not recorded here"],
		MISSING_THERE: ["failing", "Not on the statement"],
		AMOUNT_DIFFERS: ["failing", "Another amount"],
		TWICE: ["failing", "Twice"],
	},
	"Transfer.status": {
		AWAITING_OTP: ["waiting", "Waits for its code"],
		PENDING: ["waiting", "On its way"],
		COMPLETED: ["good", "Done"],
		FAILED: ["failing", "Failed"],
	},
	"PaymentConfirmation.status": {
		WAITING: ["waiting", "Being verified"],
		VERIFIED: ["good", "Verified"],
		REFUTED: ["failing", "Refuted", "The provider knows no such payment"],
		LAPSED: ["retrying", "No answer", "The provider did not say whether it was paid"],
		OTHER_SHORTCODE: ["failing", "Another shortcode", "It was not paid to this lender"],
		UNVERIFIED: ["retrying", "Not verified", "The connection has no initiator that may ask"],
		DISMISSED: ["ended", "Dismissed"],
	},
	"RepaymentPrompt.status": {
		PENDING: ["waiting", "Being sent"],
		SENT: ["waiting", "On the borrower's phone"],
		UNKNOWN: ["retrying", "Not known", "Nobody has said how it ended. A payment will"],
		SUCCEEDED: ["good", "Paid"],
		FAILED: ["failing", "Not paid"],
	},
	"MoneyReturn.status": {
		PENDING: ["waiting", "Money to be returned", "The provider has not taken it yet"],
		TAKEN: ["waiting", "Money being returned", "The provider says how it ends"],
		RETURNED: ["good", "Money returned"],
		FAILED: ["failing", "Money not returned", "It can be retried, or given up, among the work"],
		GIVEN_UP: ["ended", "Return given up"],
	},
	"Disbursement.status": {
		PENDING: ["waiting", "On its way", "The disburser has not taken it yet"],
		ACCEPTED: ["waiting", "Taken", "The disburser reports how it ends"],
		SUCCEEDED: ["good", "Paid out"],
		FAILED: ["failing", "Failed"],
		RETURNED: ["ended", "Came back", "It was paid out, and its money came back"],
	},
	"LoanApplication.status": {
		PENDING: ["waiting", "Being decided"],
		APPROVED: ["waiting", "Offered", "The borrower has not accepted yet"],
		SUBMITTED: ["waiting", "Being paid out"],
		REJECTED: ["ended", "Rejected"],
		DISBURSED: ["good", "Paid out"],
		FAILED: ["failing", "Not paid out"],
		EXPIRED: ["ended", "Expired"],
		CANCELLED: ["ended", "Cancelled"],
	},
	"LoanProduct.status": {
		ACTIVE: ["good", "Offered"],
		SUSPENDED: ["suspended", "Suspended", "No offers and no draws"],
		RETIRED: ["ended", "Retired", "No offers; draws go on"],
	},
	"FinancingInvoice.status": {
		PENDING: ["waiting", "To be decided"],
		APPROVED: ["waiting", "Approved", "It may be financed until its due date"],
		FINANCED: ["good", "Financed"],
		OVERDUE: ["failing", "Overdue", "The buyer has not repaid it"],
		REJECTED: ["ended", "Rejected"],
		CANCELLED: ["ended", "Cancelled"],
		PAID: ["good", "Repaid"],
	},
	"LoanImport.status": {
		OPEN: ["waiting", "Open", "It takes lines, and is to be checked"],
		CHECKING: ["retrying", "Being checked"],
		CHECKED: ["good", "Checked"],
		RUNNING: ["retrying", "Importing"],
		DONE: ["good", "Imported"],
		CANCELLED: ["ended", "Cancelled"],
	},
	"ImportAccount.status": {
		STAGED: ["waiting", "To be checked"],
		EQUAL: ["good", "Equal"],
		FAILED: ["failing", "Not equal"],
		IMPORTED: ["ended", "Imported"],
	},
	"MemberInvitation.status": {
		PENDING: ["waiting", "Invited"],
		ACCEPTED: ["good", "Accepted"],
		REVOKED: ["ended", "Revoked"],
		EXPIRED: ["ended", "Expired"],
	},
	"NumberRecovery.status": {
		INITIALIZING: ["waiting", "Begins"],
		AUTHORIZED: ["waiting", "Approved", "The current account stays frozen until then"],
		COMPLETED: ["good", "Done"],
		EXPIRED: ["ended", "Expired"],
		CANCELLED: ["ended", "Cancelled", "The current account stays frozen: release it once you know its owner"],
		FAILED: ["failing", "Failed"],
	},
	"PlatformUser.status": {
		ACTIVE: ["good", "Active"],
		WAITING_LIST: ["waiting", "On the waiting list"],
	},
	"Organization.status": {
		ACTIVE: ["good", "Active"],
		SUSPENDED: ["suspended", "Suspended", "It writes nothing but repayments, and nobody gets new credit from it"],
	},
	"ShownApproval.status": {
		PENDING: ["waiting", "Waiting"],
		APPROVED: ["good", "Approved"],
		REJECTED: ["ended", "Rejected"],
		EXPIRED: ["ended", "Expired"],
		FAILED: ["failing", "Not carried out"],
	},
} as const satisfies Readonly<Record<string, Readonly<Record<string, StateInWords>>>>;

/** A value that a later version of the service has added is shown as it is. */
export const stateInWords = (of: keyof typeof STATES, value: string): StateInWords =>
	(STATES[of] as Readonly<Record<string, StateInWords>>)[value] ?? ["idle", value];

const PAYMENT_REASONS: Readonly<Record<string, string>> = {
	UNKNOWN_ACCOUNT: "No account has the number given",
	CURRENCY_MISMATCH: "The account is in another currency",
	UNKNOWN_ORGANIZATION: "No organization has the till or paybill number",
	CONTRADICTED: "It was confirmed with two account numbers",
	OVER_DAILY_AMOUNT: "More than may be recorded by itself in a day",
	AMOUNT_BELOW_MINOR_UNIT: "The amount has a fraction of the smallest unit",
};

/** Why a payment has no account. */
export const reasonOfPayment = (code: string | null): string => (code === null ? "No account was found" : (PAYMENT_REASONS[code] ?? code));
