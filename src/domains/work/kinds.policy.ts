// The kinds of work that people look at, and what each waits for.

export const WORK_KINDS = [
	"WAITING_USER",
	"PAYMENT",
	"CONFIRMATION",
	"DISBURSEMENT",
	"CONTRADICTION",
	"SECOND_RECEIPT",
	"STATEMENT_BREAK",
	"TRANSFER",
	"RETURN",
	"ONBOARDING",
	"ACTIVATION",
	"CLOSURE",
	"CUSTODIAN",
	"APPROVAL",
	"ENDPOINT",
	"PORTFOLIO",
	"DEAD_LETTER",
	"QUOTA",
	"AUTHORIZATION_SYNC",
] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** Those that a lender's own people do, and what their owner is kept for. */
export const LENDER_KINDS = [
	"WAITING_USER",
	"PAYMENT",
	"DISBURSEMENT",
	"APPROVAL",
	"STATEMENT_BREAK",
] as const satisfies readonly WorkKind[];
export type LenderKind = (typeof LENDER_KINDS)[number];
export const SUBJECT_OF = {
	WAITING_USER: "USER",
	PAYMENT: "PAYMENT",
	DISBURSEMENT: "DISBURSEMENT",
	APPROVAL: "APPROVAL",
	STATEMENT_BREAK: "STATEMENT_BREAK",
} as const satisfies Readonly<Record<LenderKind, string>>;

/** Why a piece of work cannot be done again at once: what it waits for instead. */
export const AWAITED: Readonly<Record<WorkKind, string>> = {
	WAITING_USER: "An operator or a lending admin admits the user",
	PAYMENT: "An operator or a lending admin matches the payment to an account",
	CONFIRMATION: "Somebody compares it with the statement, and dismisses it: asking again would give the same answer",
	DISBURSEMENT: "The disburser has the instruction, and only its report ends the payout",
	CONTRADICTION: "The payment is booked",
	SECOND_RECEIPT: "Somebody compares it with the provider's statement, and dismisses it",
	STATEMENT_BREAK: "Somebody records or explains it, or compares the statement again once it is put right",
	TRANSFER: "The provider has the instruction, and only its report ends the transfer",
	RETURN: "The money is with its payer, or the return was given up",
	ONBOARDING: "The custodian decides; instructions not sent yet are work of the kind CUSTODIAN",
	ACTIVATION: "The custodian decides; instructions not sent yet are work of the kind CUSTODIAN",
	CLOSURE: "The custodian decides; instructions not sent yet are work of the kind CUSTODIAN",
	CUSTODIAN: "The custodian has the instruction",
	APPROVAL: "Another person decides",
	ENDPOINT: "Its organization resumes the endpoint, or retries its deliveries",
	PORTFOLIO: "The portfolio has no fault",
	DEAD_LETTER: "The endpoint is gone",
	AUTHORIZATION_SYNC: "An attempt is under way, or the authorization provider has the change",
	QUOTA: "Finished deliveries leave with time; an operator sets another quota, or binds a further database",
};
