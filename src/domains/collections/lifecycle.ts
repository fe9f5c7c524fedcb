// What a follow-up may be, and what becomes of a promise to pay.

export const FOLLOW_UP_TYPES = ["NOTE", "PROMISE", "REMINDER"] as const;
export type FollowUpType = (typeof FOLLOW_UP_TYPES)[number];

/** Once the day has ended an open promise is kept or broken, unless it was withdrawn or another has replaced it. */
export const PROMISE_STATUSES = ["OPEN", "KEPT", "BROKEN", "WITHDRAWN"] as const;
export type PromiseStatus = (typeof PROMISE_STATUSES)[number];

/** What a member may look after. */
export const WORK_SUBJECTS = ["ACCOUNT", "USER", "PAYMENT", "DISBURSEMENT", "APPROVAL", "STATEMENT_BREAK"] as const;
export type WorkSubject = (typeof WORK_SUBJECTS)[number];
