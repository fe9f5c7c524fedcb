// Pays invoices out to their merchants: the writes that order an advance, those that record its result, and those that take it back.

import type { Write } from "../../db/database";
import { raise } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { wrongState } from "../../shared/errors";
import { invoiceFinanced, invoicePayoutFailed, invoicePayoutReturned } from "./events";
import { type AdvanceMove, advanceAfter, statusesBefore } from "./lifecycle";
import { moved } from "./plan";
import { insertAdvance, writeMove, writeResult, writeUnpaidMove } from "./store";
import type { AdvanceRow, InvoiceRow } from "./table";

type Paying = { invoice: InvoiceRow; advance: AdvanceRow };

/** Orders an advance whose result is not known yet. */
export const orderAdvance = ({ now }: Services, { invoice, advance }: Paying): Write[] => [
	writeMove(invoice, { ...invoice, updatedAt: now }),
	insertAdvance(advance),
];

/** An advance that is paid out in the commit that orders it. */
export const payAtOnce = (services: Services, { invoice, advance }: Paying): Write[] => [
	insertAdvance(advance),
	...finance(services, { invoice, advance }),
];

export type PayoutResult =
	| { move: "payOut"; providerTransactionId: string | null; at: number }
	| { move: "fail"; failureReason: string; at: number };

/** Records the disburser's result on the advance, and moves its invoice if the advance was paid out. */
export function settleAdvance(services: Services, { invoice, advance }: Paying, result: PayoutResult): Write[] {
	const after = advanceFinished(advance, result, services.now);
	const record = writeResult(advance, after);
	if (result.move === "payOut") return [record, ...finance(services, { invoice, advance: after })];
	const { id, organizationId, merchantId } = invoice;
	return [
		record,
		raise(services, invoicePayoutFailed, {
			organizationId,
			// An invoice can have several failed advances, but each advance fails once.
			entityId: advance.id,
			data: { invoice_id: id, merchant_id: merchantId, failure_reason: result.failureReason },
		}),
	];
}

/**
 * The money of an advance came back: the invoice may be financed again, and what its buyer has repaid stays repaid. Stale if anything of it
 * has changed since it was read.
 */
export function takeBackAdvance(services: Services, { invoice, advance }: Paying, at: number): Write[] {
	const status = advanceAfter(advance.status, "comeBack");
	if (!status) throw wrongState("The payout", advance.status, ["PAID_OUT"]);
	const after = moved(invoice, "comeBack", services.now);
	if (!after) throw wrongState("The invoice", invoice.status, statusesBefore("comeBack"));
	const { id, organizationId, merchantId, currency } = invoice;
	return [
		writeResult(advance, { ...advance, status, finishedAt: at, changedAt: services.now }),
		writeUnpaidMove(invoice, after),
		raise(services, invoicePayoutReturned, {
			organizationId,
			entityId: advance.id,
			data: { invoice_id: id, merchant_id: merchantId, advance_amount_minor_units: advance.advance, currency },
		}),
	];
}

function advanceFinished(advance: AdvanceRow, result: PayoutResult, now: number): AdvanceRow {
	const status = advanceAfter(advance.status, result.move satisfies AdvanceMove);
	if (!status) throw wrongState("The payout", advance.status, ["SUBMITTED"]);
	return {
		...advance,
		status,
		providerTransactionId: result.move === "payOut" ? result.providerTransactionId : null,
		failureReason: result.move === "fail" ? result.failureReason : null,
		finishedAt: result.at,
		changedAt: now,
	};
}

/** The invoice once an advance on it is paid out; undefined if none may be. Repayments from before an earlier advance came back count. */
export function financed(invoice: InvoiceRow, now: number): InvoiceRow | undefined {
	const after = moved(invoice, "finance", now);
	return after && after.repaid === after.amount ? moved(after, "repay", now) : after;
}

function finance(services: Services, { invoice, advance }: Paying): Write[] {
	const after = financed(invoice, services.now);
	if (!after) throw wrongState("The invoice", invoice.status, ["APPROVED"]);
	const { id, organizationId, merchantId, currency } = invoice;
	const { advance: paid, fee } = advance;
	return [
		writeMove(invoice, after),
		raise(services, invoiceFinanced, {
			organizationId,
			// An invoice is financed again after an advance has come back, but each advance is paid out once.
			entityId: advance.id,
			data: { invoice_id: id, merchant_id: merchantId, advance_amount_minor_units: paid, fee, currency },
		}),
	];
}
