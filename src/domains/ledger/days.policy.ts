// The time zone of a ledger's days. Only the entries of a loan have the day of another one: that of its product.

export const LEDGER_TIME_ZONE = "Africa/Nairobi";
