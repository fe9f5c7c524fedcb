// When a suspended endpoint is probed.

import { HOUR_MS, MINUTE_MS } from "../../../shared/time";

/** For so many hours after the suspension of an endpoint the service probes it hourly. */
const HOURS = 72;

/** The times of the probes, counted from the suspension. */
const PROBED_AFTER_MS = [
	...[1, 5, 15].map((minutes) => minutes * MINUTE_MS),
	...Array.from({ length: HOURS }, (_, index) => (index + 1) * HOUR_MS),
];

/** A FAILED delivery is part of the outage if it was made at most this long before the suspension: six attempts take half an hour. */
export const OUTAGE_BEGINS_MS = HOUR_MS;

/** The instant of the first probe after `now`; null when no probe is left. */
export function nextProbe(suspendedAt: number, now: number): number | null {
	const after = PROBED_AFTER_MS.find((ms) => suspendedAt + ms > now);
	return after === undefined ? null : suspendedAt + after;
}
