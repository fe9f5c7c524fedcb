// An endpoint's timeout, and how long its batches wait: ISO 8601 durations of up to thirty seconds on the wire, milliseconds internally.

import { exactDuration } from "../../shared/time";

export const MIN_TIMEOUT_MS = 1_000;
export const MAX_TIMEOUT_MS = 30_000;
export const DEFAULT_TIMEOUT = "PT5S";

/** The timeout, cut to whole milliseconds, or what is wrong with it. */
export function parseTimeout(text: string, minMs = MIN_TIMEOUT_MS): number | "INVALID_FORMAT" | "OUT_OF_RANGE" {
	const length = exactDuration(text, 0);
	if (length === undefined) return "INVALID_FORMAT";
	return length >= minMs && length <= MAX_TIMEOUT_MS ? Math.floor(length) : "OUT_OF_RANGE";
}

export function formatTimeout(timeoutMs: number): string {
	return `PT${timeoutMs / 1000}S`;
}
