// Orders payouts. The order stores the instruction to an outside disburser as it is sent: a reference stands for one payment to one
// recipient, so its repetitions carry the same bytes, also when the recipient's number changes meanwhile.

import type { Statement } from "../../../db/database";
import { insertOf } from "../../../db/prebuilt";
import type { Instruction } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import { delayAfter } from "../../../shared/backoff";
import type { PaymentProvider } from "../../../shared/payment-providers";
import { type Destination, payableNumber } from "./destination.policy";
import { type DisbursementRow, disbursements } from "./table";

type Money = Pick<DisbursementRow, "id" | "amount" | "currency">;
/** `destination`: null where the embedded disburser pays a borrower who has none. */
type ToBorrower = Money & {
	kind: "LOAN" | "DRAW" | "REFUND";
	accountId: string;
	organizationId: string | null;
	destination: Destination | null;
};
/** `provider`: whose connection pays; null: the disburser behind DISBURSER_URL. */
type Ordered = ToBorrower & { destination: Destination; provider: PaymentProvider | null };
type ToMerchant = Money & { kind: "INVOICE"; invoiceId: string; merchant: { organizationId: string; merchantId: string } };

/** An order, the write that stores it, and the instruction that follows the commit: the write counts its first attempt. */
export function orderDisbursement(
	{ now, requestId: cause }: Services,
	order: Ordered | ToMerchant,
): { write: Statement; instruction: Instruction } {
	const { id: reference, amount, currency } = order;
	const { organizationId } = order.kind === "INVOICE" ? order.merchant : order;
	const provider = order.kind === "INVOICE" ? null : order.provider;
	const mobileNumber = order.kind === "INVOICE" ? null : payableNumber(order.destination);
	const instruction = { reference, body: bodyOf(order), provider, organizationId, amount, currency, mobileNumber };
	const row = {
		...rowOf(order, now),
		provider,
		instruction: instruction.body,
		status: "PENDING" as const,
		attempts: 1,
		toldAt: now,
		cause,
	};
	return { write: insertDisbursement({ ...NEW, ...row, nextAttemptAt: now + delayAfter(1) }), instruction };
}

/** The write that records what was paid at once: by the embedded disburser, or to a current account, which has no such transaction. */
export const recordPaid = (
	{ now, requestId: cause }: Services,
	payout: ToBorrower | ToMerchant,
	mobileMoneyTransactionId: string | null,
): Statement =>
	insertDisbursement({
		...NEW,
		...rowOf(payout, now),
		status: "SUCCEEDED",
		attempts: 0,
		nextAttemptAt: now,
		mobileMoneyTransactionId,
		occurredAt: now,
		cause,
	});

const insertDisbursement = insertOf(disbursements);

/** What a new payout has not, unless its order says otherwise. */
const NEW = {
	...{ accountId: null, invoiceId: null, destination: null, provider: null, instruction: null, toldAt: null, harmlessAttempts: 0 },
	...{ refusal: null, mobileMoneyTransactionId: null, failureReason: null, occurredAt: null, failureTold: null, failureToldAt: null },
	...{ contradictedAt: null, paidTransaction: null, paidAt: null, bookAt: null, secondReceipts: null, secondReceiptAt: null },
	...{ returnTransaction: null, returnTransactionSent: null, returnedAt: null, changedAt: null },
};

function rowOf(order: ToBorrower | ToMerchant, createdAt: number) {
	const { id, kind, amount, currency } = order;
	const row = { id, kind, amount, currency, createdAt };
	return order.kind === "INVOICE"
		? { ...row, invoiceId: order.invoiceId, organizationId: order.merchant.organizationId }
		: { ...row, accountId: order.accountId, organizationId: order.organizationId, destination: order.destination };
}

function bodyOf(order: Ordered | ToMerchant): string {
	const { id, amount, currency } = order;
	const about = { disbursement_id: id, reference: id, amount: { value: amount, currency } };
	if (order.kind === "INVOICE") {
		const { organizationId, merchantId } = order.merchant;
		return JSON.stringify({
			...about,
			invoice_id: order.invoiceId,
			recipient: { organization_id: organizationId, merchant_id: merchantId },
		});
	}
	const { userId, mobileNumber, type, account } = order.destination;
	const recipient = { user_id: userId, mobile_number: mobileNumber, type, ...(account && { account }) };
	return JSON.stringify({ ...about, account_id: order.accountId, recipient });
}
