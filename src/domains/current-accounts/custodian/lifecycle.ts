// The words between the service and the custodian. An instruction is told until it is taken or refused, or until
// the decision shows that it was taken.

export const INSTRUCTION_KINDS = ["OPEN", "ACTIVATE", "CLOSE", "NUMBER_COMMIT", "NUMBER_ROLLBACK"] as const;
export type InstructionKind = (typeof INSTRUCTION_KINDS)[number];

export const INSTRUCTION_STATES = ["PENDING", "TAKEN", "REFUSED"] as const;

/**
 * What the custodian may refuse for good by its answer. Openings, activations and closures end by a decision, and a rollback must be
 * done in any case, so these are told until they are taken.
 */
export const isRefusable = (kind: string): boolean => kind === "NUMBER_COMMIT";

export const SUBJECTS = ["CLOSURE", "ACTIVATION", "ONBOARDING"] as const;
export const VERDICTS = ["APPROVED", "REJECTED"] as const;
export type Verdict = (typeof VERDICTS)[number];

export const DIRECTIONS = ["CREDIT", "DEBIT"] as const;

/** Why a subject was rejected, where the custodian gives no reason. */
export const NO_REASON = "UNSPECIFIED";
