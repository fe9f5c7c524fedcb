// What is disbursed, and the states of a disbursement. Only the disburser's report ends one, and a report is final.

import { HOUR_MS, MINUTE_MS } from "../../shared/time";

/** LOAN: what an application was accepted for. DRAW: on a revolving limit. REFUND: of an overpayment. INVOICE: an advance on one. */
export const DISBURSEMENT_KINDS = ["LOAN", "DRAW", "REFUND", "INVOICE"] as const;

export const DISBURSEMENT_STATES = ["PENDING", "ACCEPTED", "SUCCEEDED", "FAILED"] as const;

/** Until its report comes. */
export const OPEN_STATES = ["PENDING", "ACCEPTED"] as const satisfies readonly (typeof DISBURSEMENT_STATES)[number][];
/** What a report can say. */
export const REPORTED_STATES = ["SUCCEEDED", "FAILED"] as const satisfies readonly (typeof DISBURSEMENT_STATES)[number][];

/** So long after a provider has taken an instruction it is asked for the first time what became of it, because its result usually comes. */
export const INQUIRE_AFTER_MS = 3 * MINUTE_MS;
/** Until the next time: as long again as the payout is old. */
export const inquireAgainAfter = (ageMs: number): number => Math.min(HOUR_MS, Math.max(INQUIRE_AFTER_MS, ageMs));

/** Nobody says how long a provider remembers references. What may be paid is told for so long, and from then on only asked about. */
export const TOLD_FOR_MS = 12 * HOUR_MS;
