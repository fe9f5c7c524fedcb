// Decides about a presented refresh token: it is replaced, it gets the same successor again, it is refused, or it ends its session.

import { DAY_MS, SECOND_MS } from "../../../shared/time";

export const SESSION_MS = 90 * DAY_MS;
export const IDLE_MS = 30 * DAY_MS;
/** How long a caller who lost the answer can repeat the call: as long as a phone is without a network. */
export const LOST_ANSWER_MS = DAY_MS;
/** As long as a repetition is most likely the same program's, sent again at once. */
export const GRACE_MS = 10 * SECOND_MS;

export type RefreshFacts = {
	token: { expiresAt: number; replacedAt: number | null; givenAgainAt: number | null };
	session: { expiresAt: number; revokedAt: number | null };
	/** Whether the successor was presented before, which proves that the answer arrived. */
	successorUsed: boolean;
};

export type RefreshVerdict = "ROTATE" | "REPEAT" | "REPEAT_LATE" | "REVOKE" | "REFUSE";

/** `realNow` in ms. */
export function judgeRefresh({ token, session, successorUsed }: RefreshFacts, realNow: number): RefreshVerdict {
	if (session.revokedAt !== null || session.expiresAt <= realNow || token.expiresAt <= realNow) return "REFUSE";
	if (token.replacedAt === null) return "ROTATE";
	const age = realNow - token.replacedAt;
	if (!successorUsed && age < GRACE_MS) return "REPEAT";
	// A token that was given out late may be in the hands of two: the one who comes second with it must not get another.
	if (!successorUsed && age < LOST_ANSWER_MS && token.givenAgainAt === null) return "REPEAT_LATE";
	// Two parties hold the same token, and nobody knows which of them stole it.
	return "REVOKE";
}
