// The providers of payments to which organizations may connect their own accounts.

export const PAYMENT_PROVIDERS = ["daraja", "momo"] as const;
export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number];

/** What people call an account with them; its number follows. */
export const NAME_OF: Record<PaymentProvider, string> = { daraja: "the M-Pesa shortcode", momo: "the MTN MoMo API user" };
