// What is disbursed, and the states of a disbursement. Only the disburser's report ends one. A report is final, but for a payment that was
// made after all, and for one whose money came back.

import { HOUR_MS, MINUTE_MS } from "../../../shared/time";

/** LOAN: what an application was accepted for. DRAW: on a revolving limit. REFUND: of an overpayment. INVOICE: an advance on one. */
export const DISBURSEMENT_KINDS = ["LOAN", "DRAW", "REFUND", "INVOICE"] as const;

/** RETURNED: it had been paid, and the money came back. */
export const DISBURSEMENT_STATES = ["PENDING", "ACCEPTED", "SUCCEEDED", "FAILED", "RETURNED"] as const;
type DisbursementState = (typeof DISBURSEMENT_STATES)[number];

/** Until its report comes. */
export const OPEN_STATES = ["PENDING", "ACCEPTED"] as const satisfies readonly (typeof DISBURSEMENT_STATES)[number][];
export const hasEnded = (status: DisbursementState): boolean => !OPEN_STATES.some((open) => open === status);
/** What a report can say. */
export const REPORTED_STATES = ["SUCCEEDED", "FAILED"] as const satisfies readonly (typeof DISBURSEMENT_STATES)[number][];

/** So long after a provider has taken an instruction it is asked for the first time what became of it, because its result usually comes. */
export const INQUIRE_AFTER_MS = 3 * MINUTE_MS;
/** Until the next time: as long again as the payout is old. */
export const inquireAgainAfter = (ageMs: number): number => Math.min(HOUR_MS, Math.max(INQUIRE_AFTER_MS, ageMs));

/**
 * A failure that a provider reports by itself ends the payout once the provider has answered a question about it, and has reported no
 * payment for so long after that.
 */
const BELIEVED_AFTER_MS = 15 * MINUTE_MS;

/**
 * Nobody says how long a provider remembers references. A payout that may be paid is repeated for so long, and from then on only asked
 * about.
 */
const TOLD_FOR_MS = 12 * HOUR_MS;

type Open = {
	readonly status: DisbursementState;
	readonly provider: string | null;
	readonly attempts: number;
	readonly harmlessAttempts: number;
	readonly toldAt: number | null;
	readonly refusal: string | null;
	readonly failureTold: string | null;
	readonly failureToldAt: number | null;
};

/**
 * What is to be done about a payout that is due. SEND its instruction, or ASK what became of it. FAIL: the provider has refused the only
 * attempt that could have been paid, or has reported a failure and, although it was asked, nothing else since.
 */
export function dueOf(payout: Open, now: number): { readonly does: "SEND" | "ASK" } | { readonly does: "FAIL"; readonly reason: string } {
	const { status, provider, attempts, harmlessAttempts, toldAt, refusal, failureTold, failureToldAt } = payout;
	if (status === "PENDING" && refusal !== null) return { does: "FAIL", reason: refusal };
	const isBelieved = failureToldAt !== null && failureToldAt <= now - BELIEVED_AFTER_MS;
	if (status === "ACCEPTED" && failureTold !== null && isBelieved) return { does: "FAIL", reason: failureTold };
	const mayBePaid = attempts > harmlessAttempts;
	const maybeForgotten = provider !== null && mayBePaid && toldAt !== null && toldAt <= now - TOLD_FOR_MS;
	return { does: status === "PENDING" && !maybeForgotten ? "SEND" : "ASK" };
}
