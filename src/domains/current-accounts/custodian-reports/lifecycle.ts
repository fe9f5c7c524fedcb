// What the custodian reports: decisions about its instructions, and money that has moved.

export const SUBJECTS = ["CLOSURE", "ACTIVATION", "ONBOARDING"] as const;
export const VERDICTS = ["APPROVED", "REJECTED"] as const;
export type Verdict = (typeof VERDICTS)[number];

export const DIRECTIONS = ["CREDIT", "DEBIT"] as const;

/** Why a subject was rejected, where the custodian gives no reason. */
export const NO_REASON = "UNSPECIFIED";
