// Makes the payment that a line of a statement reports and that is not recorded: it waits until somebody matches it to an account.

import { verifiedFingerprint } from "../../providers/daraja/callbacks";
import type { Services } from "../../runtime/services";
import { sha256Hex } from "../../shared/bytes";
import { canonicalJson } from "../../shared/json";
import type { PaymentDetails } from "../repayments/payment-details.wire";
import { type PaymentRow, UNCORRECTED } from "../repayments/table";
import { transactionIdOf } from "../repayments/transaction-id.policy";
import type { BreakRow, StatementRow } from "./table";

type Reported = Pick<BreakRow, "reference" | "at" | "currency"> & { readonly amount: number; readonly receipt: string };

export async function paymentOf(services: Services, statement: StatementRow, reported: Reported): Promise<PaymentRow> {
	const { now } = services;
	const { amount, receipt, reference } = reported;
	// By this fingerprint, a later confirmation that M-Pesa verifies is the same payment.
	const fingerprint =
		statement.channel === "MPESA"
			? await verifiedFingerprint(receipt, amount)
			: await sha256Hex(canonicalJson(["statement", receipt, amount, reported.currency]));
	return {
		id: services.newId(),
		organizationId: statement.organizationId,
		...transactionIdOf(receipt),
		fingerprint,
		status: "UNMATCHED",
		accountId: null,
		postedAsId: null,
		accountNumber: reference,
		amount,
		currency: reported.currency,
		feeAmount: 0,
		details: detailsOf(statement, reference ?? receipt, reference === null),
		unmatchedReason: "FROM_STATEMENT",
		failureReason: null,
		transactedAt: Math.max(0, Math.min(reported.at, now)),
		confirmedAt: now,
		postedAt: null,
		...UNCORRECTED,
		failedAt: null,
		createdAt: now,
	};
}

function detailsOf({ channel, number }: StatementRow, reference: string, hasNone: boolean): PaymentDetails {
	if (channel === "BANK") return { type: "BANK_TRANSFER", bank_code: number, reference: reference.slice(0, 64) };
	if (channel === "MOMO") return { type: "SEND_MONEY", mobile_number: number };
	return hasNone
		? { type: "BUY_GOODS", till_number: number }
		: { type: "PAY_BILL", paybill_number: number, account_reference: reference.slice(0, 64) };
}
