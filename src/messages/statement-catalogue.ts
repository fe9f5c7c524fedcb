// Which texts a statement of an account has. A language without one of them does not compile.

/** Why a balance changed: the rules of a loan's book, and the types of a current account's transactions. */
export const STATEMENT_RULES = [
	"ACCESS_FEE",
	"DRAWN",
	"INTEREST",
	"INTEREST_EARNED",
	"LOAN_DISBURSEMENT",
	"LOAN_REFUND",
	"LOAN_REPAYMENT",
	"MOVEMENT",
	"OVERDUE",
	"OVERPAID",
	"OVERPAYMENT_USED",
	"PAID",
	"PENALTY_CHARGED",
	"REFUNDED",
	"RESCHEDULED",
	"RESTORED",
	"REVERSED",
	"ROLLED_OVER",
	"TRANSFER_IN",
	"TRANSFER_OUT",
	"UNDONE",
	"WAIVED",
] as const;

/** The parts of a loan's balance. */
export const STATEMENT_PARTS = ["PRINCIPAL", "INTEREST", "ARREARS", "PENALTY", "OVERPAYMENT", "REFUND_UNCOVERED"] as const;

export type StatementTexts = {
	readonly title: string;
	readonly of: { readonly CREDIT: string; readonly CURRENT: string };
	readonly number: string;
	readonly account: string;
	readonly holder: string;
	readonly days: string;
	readonly issued: string;
	/** `{number}` is that of the statement that it corrects. */
	readonly replaces: string;
	readonly opening: string;
	readonly closing: string;
	readonly date: string;
	readonly what: string;
	readonly amount: string;
	readonly balance: string;
	/** `{currency}` is its code. */
	readonly currency: string;
	readonly none: string;
	/** `{page}` of `{pages}`. */
	readonly page: string;
	readonly asKnown: string;
	readonly rules: Readonly<Record<(typeof STATEMENT_RULES)[number], string>>;
	readonly parts: Readonly<Record<(typeof STATEMENT_PARTS)[number], string>>;
};
