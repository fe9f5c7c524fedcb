// The words between the service and the custodian. An instruction is told until it is taken, or until the decision shows that it was.

export const INSTRUCTION_KINDS = ["OPEN", "ACTIVATE", "CLOSE", "NUMBER_COMMIT", "NUMBER_ROLLBACK"] as const;
export type InstructionKind = (typeof INSTRUCTION_KINDS)[number];

export const INSTRUCTION_STATES = ["PENDING", "TAKEN"] as const;

export const SUBJECTS = ["CLOSURE", "ACTIVATION", "ONBOARDING"] as const;
export const VERDICTS = ["APPROVED", "REJECTED"] as const;
export type Verdict = (typeof VERDICTS)[number];

export const DIRECTIONS = ["CREDIT", "DEBIT"] as const;

/** Why a subject was rejected, where the custodian gives no reason. */
export const NO_REASON = "UNSPECIFIED";
