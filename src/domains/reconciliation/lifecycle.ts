// The states of a statement, its lines and its breaks, and the kinds of breaks between a statement and what is recorded here.

export const CHANNELS = ["MPESA", "MOMO", "BANK"] as const;
export type Channel = (typeof CHANNELS)[number];

/** What must be on a statement. PAYOUTS: by the organization's own connection. DISBURSER_PAYOUTS: by the disburser behind DISBURSER_URL. */
export const EXPECTED = ["PAYMENTS", "PAYOUTS", "DISBURSER_PAYOUTS"] as const;
export type Expected = (typeof EXPECTED)[number];

/**
 * OPEN takes lines. MATCHING looks for the receipt of each line, SEEKING for the reference, amount and time of the lines that are left,
 * LOOKING for facts that are recorded here and on no line. DISCARDING removes the lines. Lines that differ open a COMPARED statement again.
 */
export const STATEMENT_STATES = ["OPEN", "MATCHING", "SEEKING", "LOOKING", "COMPARED", "DISCARDING", "DISCARDED"] as const;
export type StatementState = (typeof STATEMENT_STATES)[number];

export const BUSY_STATES = ["MATCHING", "SEEKING", "LOOKING", "DISCARDING"] as const satisfies readonly StatementState[];
export type BusyState = (typeof BUSY_STATES)[number];
export const isBusy = (status: StatementState): boolean => BUSY_STATES.some((busy) => busy === status);

/**
 * STAGED: not compared since it was stored or changed. LEFT: no fact has its receipt. MATCHED: a fact agrees with it, or it is a charge.
 * BREAK: it has a break. EXPLAINED: somebody has explained its break.
 */
export const LINE_STATES = ["STAGED", "LEFT", "MATCHED", "BREAK", "EXPLAINED"] as const;
export type LineState = (typeof LINE_STATES)[number];

/** CHARGE: a fee that the provider took. */
export const LINE_KINDS = ["MOVEMENT", "CHARGE"] as const;

/** PAYOUT_RETURN: a payout that came back. PAYMENT_RETURN: a payment that was given back to its payer. TREASURY: money of the lender. */
export const FACT_KINDS = ["PAYMENT", "PAYOUT", "PAYOUT_RETURN", "PAYMENT_RETURN", "INVOICE_REPAYMENT", "TREASURY"] as const;
export type FactKind = (typeof FACT_KINDS)[number];

export const BREAK_KINDS = ["MISSING_HERE", "MISSING_THERE", "AMOUNT_DIFFERS", "TWICE"] as const;
export type BreakKind = (typeof BREAK_KINDS)[number];

/** RESOLVED: a later comparison has found what was missing. RECORDED and EXPLAINED: by somebody. DISCARDED: with its statement. */
export const BREAK_STATES = ["OPEN", "RESOLVED", "RECORDED", "EXPLAINED", "DISCARDED"] as const;
export type BreakState = (typeof BREAK_STATES)[number];

export const ACTIONS = ["RECORD", "ASK", "MOVE", "EXPLAIN"] as const;
export type Action = (typeof ACTIONS)[number];

/** The usual action on a break. `comesIn`: the money came in. */
export function actionFor(kind: BreakKind, comesIn: boolean): Action {
	if (kind === "MISSING_HERE") return comesIn ? "RECORD" : "EXPLAIN";
	return kind === "AMOUNT_DIFFERS" ? "MOVE" : "ASK";
}
