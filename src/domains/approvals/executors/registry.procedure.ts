// The executor of each type of approval. A new type is a line here.

import { APPROVAL_TYPES, type ApprovalType } from "../table";
import { accountClosure } from "./account-closure.plan";
import { blockChange } from "./block-change.plan";
import type { Executor } from "./executor.plan";
import { freezeChange } from "./freeze-change.plan";
import { issuerRegistration } from "./issuer-registration.procedure";
import { ledgerClosing } from "./ledger-closing.plan";
import { ledgerMapping } from "./ledger-mapping.plan";
import { limitChange } from "./limit-change.plan";
import { numberRecovery } from "./number-recovery.procedure";
import { overpaymentRefund } from "./overpayment-refund.procedure";
import { providerTariff } from "./provider-tariff.plan";
import { provisioningRulesChange } from "./provisioning-rules.plan";
import { repaymentMove } from "./repayment-move.procedure";
import { repaymentRestoration, repaymentReversal, transactionReversal } from "./repayment-reversal.procedure";
import { reschedule } from "./reschedule.plan";
import { settlement } from "./settlement.plan";
import { treasuryRecord } from "./treasury-record.plan";
import { waiver } from "./waiver.plan";
import { writeOff } from "./write-off.plan";

/** An OPERATION is executed by its own handler. */
export type ExecutedType = Exclude<ApprovalType, "OPERATION">;
/** What may be asked for by `requestApproval`. The others are asked for by operations of their own. */
export const REQUESTED_TYPES = APPROVAL_TYPES.filter(
	(type) =>
		type !== "OPERATION" &&
		type !== "NUMBER_RECOVERY" &&
		type !== "LEDGER_CLOSING" &&
		type !== "PROVISIONING_RULES" &&
		type !== "TREASURY_RECORD" &&
		type !== "PROVIDER_TARIFF" &&
		type !== "LEDGER_MAPPING",
);

export const EXECUTORS: { readonly [T in ExecutedType]: Executor } = {
	BLOCK_CHANGE: blockChange,
	REPAYMENT_REVERSAL: repaymentReversal,
	REPAYMENT_RESTORATION: repaymentRestoration,
	REPAYMENT_MOVE: repaymentMove,
	TRANSACTION_REVERSAL: transactionReversal,
	WRITE_OFF: writeOff,
	SETTLEMENT: settlement,
	RESCHEDULE: reschedule,
	ACCOUNT_CLOSURE: accountClosure,
	FREEZE_CHANGE: freezeChange,
	WAIVER: waiver,
	OVERPAYMENT_REFUND: overpaymentRefund,
	LIMIT_CHANGE: limitChange,
	ISSUER_REGISTRATION: issuerRegistration,
	NUMBER_RECOVERY: numberRecovery,
	LEDGER_CLOSING: ledgerClosing,
	PROVISIONING_RULES: provisioningRulesChange,
	TREASURY_RECORD: treasuryRecord,
	PROVIDER_TARIFF: providerTariff,
	LEDGER_MAPPING: ledgerMapping,
};
