// The states of an invitation, and from which of them it may be accepted, revoked or sent again.

export const INVITATION_STATES = ["PENDING", "ACCEPTED", "REVOKED", "EXPIRED"] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

/** `RESENT` makes an invitation valid for another seven days, with another token. */
export const INVITATION_TRANSITIONS: Readonly<Record<"ACCEPTED" | "REVOKED" | "RESENT", readonly InvitationState[]>> = {
	ACCEPTED: ["PENDING"],
	REVOKED: ["PENDING"],
	RESENT: ["PENDING", "EXPIRED"],
};

/** The state at an instant: an invitation has expired on time, even if the sweep has not stored it yet. */
export const stateAt = ({ status, expiresAt }: { status: InvitationState; expiresAt: number }, now: number): InvitationState =>
	status === "PENDING" && expiresAt <= now ? "EXPIRED" : status;
