// The rules of one-time passwords. They hold whatever the rate limits say, by the service's clock.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../shared/time";

export const CODE_TTL_MS = 5 * MINUTE_MS;
export const MAX_TRIES = 5;
export const RESEND_AFTER_MS = 30 * SECOND_MS;

/** At most so many sends within so long: to one recipient, and for one client address whomever they go to. */
export const RECIPIENT_CAPS = [
	{ sends: 3, withinMs: 15 * MINUTE_MS },
	{ sends: 10, withinMs: DAY_MS },
] as const;
export const CLIENT_CAPS = [{ sends: 30, withinMs: HOUR_MS }] as const;
/** Nobody ever counts further back. */
export const SENDS_KEPT_MS = DAY_MS;

/** Tries over all challenges of one recipient, and of one subject: guesses spread over many challenges are guesses all the same. */
export const MAX_TRIES_PER_HOUR = 15;

type Cap = { sends: number; withinMs: number };

/** Milliseconds until another send is allowed, 0 when one is now. `sentAt` newest first. */
export function waitForSend(sentAt: readonly number[], caps: readonly Cap[], now: number): number {
	return Math.max(
		0,
		...caps.map(({ sends, withinMs }) => {
			const blocking = sentAt.filter((at) => at > now - withinMs)[sends - 1];
			return blocking === undefined ? 0 : blocking + withinMs - now;
		}),
	);
}

export type ChallengeFacts = { expiresAt: number; consumedAt: number | null };

/** Why no try could be spent. What is neither spent nor expired has no tries left, or those of the hour are used up. */
export function refusalOf({ expiresAt, consumedAt }: ChallengeFacts, now: number): "CONSUMED" | "EXPIRED" | "EXHAUSTED" {
	if (consumedAt !== null) return "CONSUMED";
	return expiresAt <= now ? "EXPIRED" : "EXHAUSTED";
}

/** Six digits, each as likely as any other, leading zeros kept. */
export function codeFrom(random: () => number): string {
	for (;;) {
		const drawn = random();
		// The last incomplete million of 2^32 would favour low codes.
		if (drawn < 4_294_000_000) return String(drawn % 1_000_000).padStart(6, "0");
	}
}
