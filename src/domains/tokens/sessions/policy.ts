// Decides about a presented refresh token: it is replaced, it gets the same answer again, it is refused, or it ends its session.

import { DAY_MS, SECOND_MS } from "../../../shared/time";

export const SESSION_MS = 90 * DAY_MS;
export const IDLE_MS = 30 * DAY_MS;
/** How long a caller who lost the answer can repeat the call. */
export const GRACE_MS = 10 * SECOND_MS;

export type RefreshFacts = {
	token: { expiresAt: number; replacedAt: number | null };
	session: { expiresAt: number; revokedAt: number | null };
	/** Whether the successor was presented before, which proves that the answer arrived. */
	successorUsed: boolean;
};

export type RefreshVerdict = "ROTATE" | "REPEAT" | "REVOKE" | "REFUSE";

/** `realNow` in ms. */
export function judgeRefresh({ token, session, successorUsed }: RefreshFacts, realNow: number): RefreshVerdict {
	if (session.revokedAt !== null || session.expiresAt <= realNow || token.expiresAt <= realNow) return "REFUSE";
	if (token.replacedAt === null) return "ROTATE";
	if (realNow - token.replacedAt < GRACE_MS && !successorUsed) return "REPEAT";
	// Two parties hold the same token, and nobody can tell which of them stole it.
	return "REVOKE";
}
