// The states of a return: money of a reversed payment that goes back to its payer. That it was given back, the provider's word makes true
// whatever was told before; no time ends a return.

/**
 * PENDING: the provider is told until it takes it. TAKEN: it has it, and is told again until it says what became of it. FAILED: somebody
 * must look: it can be retried. GIVEN_UP: an operator has decided that nothing more is done.
 */
export const RETURN_STATES = ["PENDING", "TAKEN", "RETURNED", "FAILED", "GIVEN_UP"] as const;
export type ReturnState = (typeof RETURN_STATES)[number];

/** While the provider is told. */
export const TOLD_STATES = ["PENDING", "TAKEN"] as const satisfies readonly ReturnState[];

export const isTold = (status: ReturnState): boolean => TOLD_STATES.some((told) => told === status);
