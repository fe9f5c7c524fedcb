// When a suspended endpoint is probed.

import { HOUR_MS, MINUTE_MS } from "../../../shared/time";

/** For how long after its suspension. */
const HOURS = 72;

/** After its suspension. */
const PROBED_AFTER_MS = [
	...[1, 5, 15].map((minutes) => minutes * MINUTE_MS),
	...Array.from({ length: HOURS }, (_, index) => (index + 1) * HOUR_MS),
];

/** Deliveries that FAILED are part of the outage if they were made at most this long before the suspension: six attempts take half an hour. */
export const OUTAGE_BEGINS_MS = HOUR_MS;

/** The first probe after this instant; null when there is none any more. */
export function nextProbe(suspendedAt: number, now: number): number | null {
	const after = PROBED_AFTER_MS.find((ms) => suspendedAt + ms > now);
	return after === undefined ? null : suspendedAt + after;
}
