// How a lender's people may sort and choose its loans.

export const SORTS = ["NEWEST", "DAYS_PAST_DUE", "OUTSTANDING"] as const;
export const LISTED_STATUSES = ["ACTIVE", "SUSPENDED", "IN_ARREARS", "DEFAULTED", "WRITTEN_OFF"] as const;
