// What is disbursed, and the states of a disbursement. Only the disburser's report ends one, and a report is final.

/** LOAN: what an application was accepted for. DRAW: on a revolving limit. REFUND: of an overpayment. INVOICE: an advance on one. */
export const DISBURSEMENT_KINDS = ["LOAN", "DRAW", "REFUND", "INVOICE"] as const;

export const DISBURSEMENT_STATES = ["PENDING", "ACCEPTED", "SUCCEEDED", "FAILED"] as const;

/** Until its report comes. */
export const OPEN_STATES = ["PENDING", "ACCEPTED"] as const satisfies readonly (typeof DISBURSEMENT_STATES)[number][];
/** What a report can say. */
export const REPORTED_STATES = ["SUCCEEDED", "FAILED"] as const satisfies readonly (typeof DISBURSEMENT_STATES)[number][];
