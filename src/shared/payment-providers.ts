// The providers of payments to which organizations may connect their own accounts.

export const PAYMENT_PROVIDERS = ["daraja", "momo"] as const;
export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number];
