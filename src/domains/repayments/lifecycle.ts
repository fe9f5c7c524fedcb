// The states of a payment. Only CONFIRMED ones are posted; a reversal is a transaction of its own and leaves the payment as it is.

export const PAYMENT_STATES = ["CONFIRMED", "POSTED", "UNMATCHED", "FAILED"] as const;
