// How long an instruction that the outside has not taken waits before it is sent again.

import { HOUR_MS, SECOND_MS } from "./time";

const FIRST_DELAY_MS = 15 * SECOND_MS;
const MAX_DELAY_MS = HOUR_MS;
/** Beyond it a power of two only loses precision. */
const MAX_DOUBLINGS = 16;

/** Milliseconds from one attempt, counted from one, to the next: it doubles up to an hour. */
export const delayAfter = (attempts: number): number => Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, MAX_DOUBLINGS));
