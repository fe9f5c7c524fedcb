// The states of a return: money of a reversed payment that goes back to its payer. The provider's word that it was given back counts after
// every earlier report; no time ends a return.

/**
 * PENDING: the service repeats the order until the provider takes it. TAKEN: the provider has it, and gets it again until it reports the
 * outcome. FAILED: somebody must look: it can be retried. GIVEN_UP: an operator has decided that nothing more is done.
 */
export const RETURN_STATES = ["PENDING", "TAKEN", "RETURNED", "FAILED", "GIVEN_UP"] as const;
export type ReturnState = (typeof RETURN_STATES)[number];

/** While the service repeats the order. */
export const ORDERING_STATES = ["PENDING", "TAKEN"] as const satisfies readonly ReturnState[];

export const isBeingOrdered = (status: ReturnState): boolean => ORDERING_STATES.some((ordering) => ordering === status);
