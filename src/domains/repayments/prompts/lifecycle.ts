// The states of a repayment prompt, and what time does to it. Only a payment makes it succeed, after every earlier report.

import { MINUTE_MS, SECOND_MS } from "../../../shared/time";

/** PENDING: it is being sent. SENT: the payer has it. UNKNOWN: nobody has reported the outcome. */
export const PROMPT_STATES = ["PENDING", "SENT", "UNKNOWN", "SUCCEEDED", "FAILED"] as const;

type Deadline = { readonly afterMs: number; readonly does: "ASK" | "GIVE_UP" };

/** What is done at which age. A query may say that the payer has not paid; that they have, only the payment itself says. */
const STEPS: readonly Deadline[] = [
	{ afterMs: 75 * SECOND_MS, does: "ASK" },
	{ afterMs: 3 * MINUTE_MS, does: "ASK" },
	{ afterMs: 5 * MINUTE_MS, does: "GIVE_UP" },
	{ afterMs: 10 * MINUTE_MS, does: "ASK" },
];

/** What the step of this number does; it is the last one when there is none after it. */
export const stepNumbered = (number: number): Deadline["does"] | undefined => STEPS[number]?.does;

/** When the step of this number is due; null for none. */
export function stepDueAt(number: number, createdAt: number): number | null {
	const step = STEPS[number];
	return step ? createdAt + step.afterMs : null;
}
