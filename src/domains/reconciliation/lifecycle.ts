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
 * BREAK: it has a break. EXPLAINED: somebody has explained its break, or the provider has by its answer.
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

/**
 * RESOLVED: a later comparison has found what was missing. RECORDED and EXPLAINED: by somebody. CONFIRMED: the provider has answered that it
 * is as recorded here. DISCARDED: with its statement.
 */
export const BREAK_STATES = ["OPEN", "RESOLVED", "RECORDED", "EXPLAINED", "CONFIRMED", "DISCARDED"] as const;
export type BreakState = (typeof BREAK_STATES)[number];

/**
 * MOVE and REVERSE: what puts the payment right, by a second person. WAIT: the provider is asked, and nothing is to be done until it answers.
 */
export const ACTIONS = ["RECORD", "ASK", "WAIT", "MOVE", "REVERSE", "EXPLAIN"] as const;
export type Action = (typeof ACTIONS)[number];

/** What a provider has answered. REFUTED: it was not made so. NONE: it has not answered for days, or cannot be asked. */
export const ANSWERS = ["CONFIRMED", "REFUTED", "NONE"] as const;
export type AnswerGiven = (typeof ANSWERS)[number];

type Broken = { readonly kind: BreakKind; readonly channel: Channel; readonly amount: number; readonly factKind: FactKind | null };

/** The first action on a break. `amount`: less than nothing for money that went out. No bank is asked by the service. */
export function actionFor({ kind, channel, amount, factKind }: Broken): Action {
	if (kind === "MISSING_HERE") return amount > 0 ? "RECORD" : "EXPLAIN";
	if (kind === "AMOUNT_DIFFERS") return factKind === "PAYMENT" ? "MOVE" : "EXPLAIN";
	return channel === "BANK" ? "EXPLAIN" : "ASK";
}

type Asked = {
	readonly kind: BreakKind;
	readonly status: BreakState;
	readonly action: Action;
	readonly factKind: FactKind | null;
	readonly answer: AnswerGiven | null;
	readonly nextAttemptAt: number | null;
};

/** The one action on a break in its state. A payment that the provider knows nothing of is reversed. */
export function actionNow({ kind, status, action, factKind, answer, nextAttemptAt }: Asked): Action {
	if (status !== "OPEN") return action;
	if (nextAttemptAt !== null) return "WAIT";
	if (answer === null) return action;
	return kind === "MISSING_THERE" && factKind === "PAYMENT" && answer === "REFUTED" ? "REVERSE" : "EXPLAIN";
}

/** What a provider is asked to confirm: what is on the statement, else what is recorded. */
export const claimedOf = ({ amount, recorded }: { readonly amount: number | null; readonly recorded: number | null }): number =>
	amount ?? recorded ?? 0;

/**
 * Whether the answer ends the break. A provider has one transaction of a receipt, so that money which came in twice on the file came in once
 * if it did. Of a payout, the second line may be a second payment.
 */
export const isEndedBy = (answer: AnswerGiven, { kind, amount }: { readonly kind: BreakKind; readonly amount: number | null }): boolean =>
	answer === "CONFIRMED" && (kind === "MISSING_THERE" || (kind === "TWICE" && amount !== null && amount > 0));
