// The instructions to the custodian, and how far it has taken them. The service repeats an instruction until it is taken or refused, or
// until the decision shows that it was taken.

export const INSTRUCTION_KINDS = ["OPEN", "ACTIVATE", "CLOSE", "NUMBER_COMMIT", "NUMBER_ROLLBACK"] as const;
export type InstructionKind = (typeof INSTRUCTION_KINDS)[number];

export const INSTRUCTION_STATES = ["PENDING", "TAKEN", "REFUSED"] as const;

/**
 * What the custodian may refuse for good by its answer. Openings, activations and closures end by a decision, and a rollback must be done
 * in any case, so these are repeated until they are taken.
 */
export const isRefusable = (kind: string): boolean => kind === "NUMBER_COMMIT";
