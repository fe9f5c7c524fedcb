// Caution after a sign-in by a one-time password. A thief of a number can sign in with it too, so that for some hours a new session may do
// little with an account that is older than itself. Its owner, who has other sessions, has that time to notice. The same holds for every
// session while a lost number is recovered, and for as long again afterwards.

import { type ApiError, invalidState } from "../../shared/errors";
import { HOUR_MS, toTimestamp } from "../../shared/time";

/** As of a caller. */
export type Session = {
	readonly signedInAt?: number | undefined;
	/** Of a session that began while the SIM card of the number had been exchanged recently. */
	readonly cautionUntil?: number | undefined;
};
type Now = { readonly config: { readonly CAUTION_HOURS: number }; readonly realNow: number };

/** Until when the session is new, in real time; undefined if it is not, or began without a one-time password. */
export function cautionUntil({ signedInAt, cautionUntil: swapped = 0 }: Session, { config, realNow }: Now): number | undefined {
	if (signedInAt === undefined) return undefined;
	const until = Math.max(signedInAt + config.CAUTION_HOURS * HOUR_MS, swapped);
	return until > realNow ? until : undefined;
}

/** The same for an account, which must be older than the session. */
export const cautionOver = (account: { readonly createdAt: number }, session: Session, now: Now): number | undefined =>
	account.createdAt < (session.signedInAt ?? 0) ? cautionUntil(session, now) : undefined;

/** The refusal of what a new session may not do. */
export const tooNew = (until: number): ApiError =>
	cautious(`The sign-in is too recent: this is possible from ${toTimestamp(until)}`, until);

/** The last recovery of a user's number; `completedAt` null while it waits. */
export type Recovery = { readonly notBefore: number | null; readonly completedAt: number | null };

/** Until when there is caution because of it; undefined if there is none. */
export function recoveryUntil(
	recovery: Recovery | undefined,
	{ config, now }: { readonly config: { readonly RECOVERY_WAIT: number }; readonly now: number },
): number | undefined {
	if (!recovery || recovery.notBefore === null) return undefined;
	const until = (recovery.completedAt ?? Math.max(recovery.notBefore, now)) + config.RECOVERY_WAIT;
	return until > now ? until : undefined;
}

/** Whether the user has had an account before the session, and whether their number is recovered. */
type Cautions = { readonly older: { readonly found: number } | undefined; readonly recovery: Recovery | undefined };

/**
 * A member of answers: from when it is possible what is refused to a new session and while a number is recovered. Left out if it is
 * possible now.
 */
export function availableFrom(
	services: Now & Parameters<typeof recoveryUntil>[1],
	session: Session,
	{ older, recovery }: Cautions,
): { available_from?: string } {
	const until = Math.max(recoveryUntil(recovery, services) ?? 0, (older?.found && cautionUntil(session, services)) || 0);
	return until > 0 ? { available_from: toTimestamp(until) } : {};
}

/** Throws while there is caution because of it. */
export function refuseWhileRecovering(services: Parameters<typeof recoveryUntil>[1], recovery: Recovery | undefined): void {
	const until = recoveryUntil(recovery, services);
	if (until !== undefined) throw recovering(until);
}

/** The refusal of what is not possible while a number is recovered, and for as long again. */
export const recovering = (until: number): ApiError =>
	cautious(`The number is or was being recovered: this is possible from ${toTimestamp(until)}`, until);

const cautious = (why: string, until: number): ApiError =>
	invalidState(why, { reason: "CAUTION", hints: { available_from: toTimestamp(until) } });
