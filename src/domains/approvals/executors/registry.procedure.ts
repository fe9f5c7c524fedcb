// The executor of each type of approval. A new type is a line here.

import { APPROVAL_TYPES, type ApprovalType } from "../table";
import { blockChange } from "./block-change.plan";
import type { Executor } from "./executor.plan";
import { issuerRegistration } from "./issuer-registration.procedure";
import { limitChange } from "./limit-change.plan";
import { repaymentReversal, transactionReversal } from "./repayment-reversal.plan";
import { settlement } from "./settlement.plan";
import { waiver } from "./waiver.plan";
import { writeOff } from "./write-off.plan";

/** What may be asked for here. An OPERATION is asked for by calling the operation. */
export type RequestedType = Exclude<ApprovalType, "OPERATION">;
export const REQUESTED_TYPES = APPROVAL_TYPES.filter((type) => type !== "OPERATION");

export const EXECUTORS: { readonly [T in RequestedType]: Executor } = {
	BLOCK_CHANGE: blockChange,
	REPAYMENT_REVERSAL: repaymentReversal,
	TRANSACTION_REVERSAL: transactionReversal,
	WRITE_OFF: writeOff,
	SETTLEMENT: settlement,
	WAIVER: waiver,
	LIMIT_CHANGE: limitChange,
	ISSUER_REGISTRATION: issuerRegistration,
};
