// The executor of each type of approval. A new type is a line here.

import type { ApprovalType } from "../table";
import { blockChange } from "./block-change.store";
import type { Executor } from "./executor.store";
import { issuerRegistration } from "./issuer-registration.store";
import { limitChange } from "./limit-change.store";
import { repaymentReversal, transactionReversal } from "./repayment-reversal.store";
import { writeOff } from "./write-off.store";

export const EXECUTORS: { readonly [T in ApprovalType]: Executor } = {
	BLOCK_CHANGE: blockChange,
	REPAYMENT_REVERSAL: repaymentReversal,
	TRANSACTION_REVERSAL: transactionReversal,
	WRITE_OFF: writeOff,
	LIMIT_CHANGE: limitChange,
	ISSUER_REGISTRATION: issuerRegistration,
};
