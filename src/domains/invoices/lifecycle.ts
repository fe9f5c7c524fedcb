// The lifecycles of an invoice and of the advances that pay it out: their statuses and the moves between them, as data.

export const TRANSITIONS = {
	PENDING: { approve: "APPROVED", reject: "REJECTED", cancel: "CANCELLED" },
	/** The invoice changes state when an advance is paid out; a failed one leaves it approved. */
	APPROVED: { finance: "FINANCED" },
	/** The provider may return the money of the advance: then the merchant has not been paid, and the invoice may be financed again. */
	FINANCED: { fallDue: "OVERDUE", repay: "PAID", comeBack: "APPROVED" },
	OVERDUE: { repay: "PAID", comeBack: "APPROVED" },
	REJECTED: {},
	CANCELLED: {},
	PAID: { comeBack: "APPROVED" },
} as const satisfies Record<string, Record<string, string>>;

export type InvoiceStatus = keyof typeof TRANSITIONS;
export type InvoiceMove = "approve" | "reject" | "cancel" | "finance" | "fallDue" | "repay" | "comeBack";

export const INVOICE_STATUSES = Object.keys(TRANSITIONS) as [InvoiceStatus, ...InvoiceStatus[]];

/** The status that a move leads to, or undefined when the table has no such move. A partial repayment moves nothing. */
export function statusAfter(status: InvoiceStatus, move: InvoiceMove): InvoiceStatus | undefined {
	const moves: Partial<Record<InvoiceMove, InvoiceStatus>> = TRANSITIONS[status];
	return moves[move];
}

/** The statuses that a move may start from. */
export const statusesBefore = (move: InvoiceMove): readonly InvoiceStatus[] =>
	INVOICE_STATUSES.filter((status) => statusAfter(status, move) !== undefined);

export const ADVANCE_TRANSITIONS = {
	/** The disburser has the instruction, and has not reported yet. */
	SUBMITTED: { payOut: "PAID_OUT", fail: "FAILED" },
	/** The provider has returned the money. */
	PAID_OUT: { comeBack: "RETURNED" },
	RETURNED: {},
	/** Paid after all: the provider has reported it after a failure. */
	FAILED: { payOut: "PAID_OUT" },
} as const satisfies Record<string, Record<string, string>>;

export type AdvanceStatus = keyof typeof ADVANCE_TRANSITIONS;
export type AdvanceMove = "payOut" | "fail" | "comeBack";

export const ADVANCE_STATUSES = Object.keys(ADVANCE_TRANSITIONS) as [AdvanceStatus, ...AdvanceStatus[]];

export function advanceAfter(status: AdvanceStatus, move: AdvanceMove): AdvanceStatus | undefined {
	const moves: Partial<Record<AdvanceMove, AdvanceStatus>> = ADVANCE_TRANSITIONS[status];
	return moves[move];
}
