// The states of a payment. Only CONFIRMED ones are posted; a reversal is a transaction of its own and leaves the payment as it is.

export const PAYMENT_STATES = ["CONFIRMED", "POSTED", "UNMATCHED", "FAILED"] as const;

/** MATCHED: posted as another payment, to an account of another organization or in another database. On the wire it is CONFIRMED. */
export const STORED_PAYMENT_STATES = [...PAYMENT_STATES, "MATCHED"] as const;

/** Of confirmations that are hints. */
export const CONFIRMATION_STATES = ["WAITING", "VERIFIED", "REFUTED", "LAPSED"] as const;
