// The states of a request for approval. It is decided once; what nobody decides within seven days expires.

import { DAY_MS } from "../../shared/time";

export const APPROVAL_STATES = ["PENDING", "APPROVED", "REJECTED", "EXPIRED", "FAILED"] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

export const DECISIONS = ["APPROVED", "REJECTED"] as const;
export type Decision = (typeof DECISIONS)[number];

const EXPIRES_AFTER_MS = 7 * DAY_MS;

type Waiting = { readonly status: ApprovalState; readonly expiresAt: number };

/** Whether the request can still be decided. */
export const isOpen = ({ status, expiresAt }: Waiting, now: number): boolean => status === "PENDING" && expiresAt > now;

/** The state at an instant: the sweep stores an expiry up to a minute late. */
export const stateAt = (request: Waiting, now: number): ApprovalState =>
	request.status === "PENDING" && !isOpen(request, now) ? "EXPIRED" : request.status;

/** The part of a request that says what became of it, when nothing has yet. */
export const undecided = (now: number) => ({
	status: "PENDING" as const,
	decidedBy: null,
	decidedAt: null,
	decision: null,
	comment: null,
	failureReason: null,
	expiresAt: now + EXPIRES_AFTER_MS,
	createdAt: now,
});
