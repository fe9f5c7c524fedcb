// The states of a payment. Only CONFIRMED ones are posted; a reversal is a transaction of its own and leaves the payment as it is.

export const PAYMENT_STATES = ["CONFIRMED", "POSTED", "UNMATCHED", "FAILED"] as const;

/** MATCHED: given to the home of its account, which is in another database and posts it. On the wire it is CONFIRMED until then. */
export const STORED_PAYMENT_STATES = [...PAYMENT_STATES, "MATCHED"] as const;
