// The states of a payment. Only CONFIRMED ones are posted; of a partly reversed payment, POSTED, the rest counts.

export const PAYMENT_STATES = ["CONFIRMED", "POSTED", "REVERSED", "UNMATCHED", "FAILED"] as const;

/** MATCHED: posted as another payment, to an account of another organization or in another database. On the wire it is CONFIRMED. */
export const STORED_PAYMENT_STATES = [...PAYMENT_STATES, "MATCHED"] as const;

/**
 * Of confirmations that are hints. WAITING: the provider is asked. VERIFIED: the payment is recorded. REFUTED: there is no such payment.
 * LAPSED: nobody could decide. OTHER_SHORTCODE: it names another shortcode than the connection's. UNVERIFIED: it has no amount that could
 * be asked about. DISMISSED: somebody has seen to it.
 */
export const CONFIRMATION_STATES = ["WAITING", "VERIFIED", "REFUTED", "LAPSED", "OTHER_SHORTCODE", "UNVERIFIED", "DISMISSED"] as const;
