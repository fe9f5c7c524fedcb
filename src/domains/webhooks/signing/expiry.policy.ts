// When a signing key ends by itself: a while after the rotation that replaced it.

import { DAY_MS, exactDuration } from "../../../shared/time";

export const MAX_EXPIRY = "P30D";
const MAX_EXPIRY_MS = 30 * DAY_MS;

/** The length of `expire_others_in` in whole milliseconds, or what is wrong with it. */
export function parseExpiry(text: string): number | "INVALID_FORMAT" | "OUT_OF_RANGE" {
	const length = exactDuration(text, 0);
	if (length === undefined) return "INVALID_FORMAT";
	return length >= 1 && length <= MAX_EXPIRY_MS ? Math.floor(length) : "OUT_OF_RANGE";
}

/** Whether a key that was not revoked signs at this instant. The clock decides, not the sweep that records the end afterwards. */
export const isInTime = (key: { expiresAt: number | null }, now: number): boolean => key.expiresAt === null || key.expiresAt > now;
