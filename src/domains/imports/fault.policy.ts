// Why an account of another program cannot be imported.

export const FAULT_CODES = [
	"NO_ACCOUNT_LINE",
	"NO_BALANCE",
	"TOO_MANY_LINES",
	"TOO_MANY_INSTALLMENTS",
	"TOO_MANY_PENALTIES",
	"UNKNOWN_PRODUCT",
	"BAD_CYCLE",
	"BAD_FACT",
	"OUT_OF_RANGE",
	"DIFFERENT",
	"BORROWER",
	"ACCOUNT_EXISTS",
	"PAYMENT_KNOWN",
	"CONFLICT",
	"UNEXPECTED",
] as const;

/** What a balance consists of, by the names on the wire. */
export const COMPONENTS = ["principal", "interest", "arrears", "penalty", "overpaid", "refund_uncovered"] as const;
export type Component = (typeof COMPONENTS)[number];

export type Difference = {
	readonly on: string;
	readonly component: Component;
	/** By the old program. */
	readonly expected: number;
	readonly computed: number;
};

export type Fault = {
	readonly code: (typeof FAULT_CODES)[number];
	readonly description: string;
	/** The old program's id of the fact. */
	readonly fact?: string | undefined;
	readonly difference?: Difference | undefined;
};
