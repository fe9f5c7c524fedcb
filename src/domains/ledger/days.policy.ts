// The calendar of ledgers. The entries of a loan are on a day of its product's calendar, which is closed with its portfolio.

export const LEDGER_TIME_ZONE = "Africa/Nairobi";
