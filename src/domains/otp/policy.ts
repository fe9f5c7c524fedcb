// The rules of one-time passwords. They apply in addition to the rate limits, and use the service's clock.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../shared/time";

export const CODE_TTL_MS = 5 * MINUTE_MS;
export const MAX_TRIES = 5;
export const RESEND_AFTER_MS = 30 * SECOND_MS;

/** The most sends within a period: to one recipient, and from one client address to all recipients. */
export const RECIPIENT_CAPS = [
	{ sends: 3, withinMs: 15 * MINUTE_MS },
	{ sends: 10, withinMs: DAY_MS },
] as const;
/**
 * The same for callers who have not signed in. Three sends a day are left for the number's own user, so that a stranger cannot
 * lock them out. The caps apply to every number, so that they do not show which numbers have a user.
 */
export const STRANGER_CAPS = [
	{ sends: 3, withinMs: 15 * MINUTE_MS },
	{ sends: 7, withinMs: DAY_MS },
] as const;
export const CLIENT_CAPS = [{ sends: 30, withinMs: HOUR_MS }] as const;
/** The longest period of a cap: older sends no longer count. */
export const SENDS_KEPT_MS = DAY_MS;

/**
 * Who asks for a code: a signed-in user, or anybody. Strangers get a part of the codes of a minute, numbers with a user some more, so
 * that strangers can neither stop transfers nor sign-ins.
 */
export type Door = "SIGNED_IN" | "PUBLIC";

/** How many codes a minute may be sent: by anybody's request, and in addition to numbers that have a user. */
export const sharesOf = (perMinute: number): { readonly PUBLIC: number; readonly KNOWN: number } => ({
	PUBLIC: Math.ceil(perMinute * 0.6),
	KNOWN: Math.ceil(perMinute * 0.25),
});

/** Wrong guesses over all challenges of one subject, so that nobody gets more of them by starting new challenges. */
export const GUESSES = { most: 15, withinMs: HOUR_MS } as const;
/**
 * The same where anybody may start a challenge of the subject: no fewer than strangers can use up with the challenges they may start,
 * because a right code must not be locked by somebody else's wrong ones.
 */
export const GUESSES_OF_STRANGERS = { most: 50, withinMs: DAY_MS } as const;

export type Cap = { sends: number; withinMs: number };

/**
 * The client as its sends are counted: for IPv6 the /48, because a site is given that many networks at once.
 * `address` as in `Services`, for IPv6 its /64.
 */
export const siteOf = (address: string): string => address.replace(/^(\w+:\w+:\w+):\w+::\/64$/, "$1::/48");

/** Milliseconds until another send is allowed; 0 when it is allowed now. `sentAt` newest first. */
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

/** Why a try was refused. EXHAUSTED: the tries of the challenge, or those of the last hour, are used up. */
export function refusalOf({ expiresAt, consumedAt }: ChallengeFacts, now: number): "CONSUMED" | "EXPIRED" | "EXHAUSTED" {
	if (consumedAt !== null) return "CONSUMED";
	return expiresAt <= now ? "EXPIRED" : "EXHAUSTED";
}

/** Six random digits, with leading zeros. Every code is equally likely. */
export function codeFrom(random: () => number): string {
	for (;;) {
		const drawn = random();
		// Draws again above the last whole million in 2^32: the incomplete rest would make low codes more likely.
		if (drawn < 4_294_000_000) return String(drawn % 1_000_000).padStart(6, "0");
	}
}
