// Pays invoices out to their merchants: the writes that order an advance, and those that record its result.

import type { Write } from "../../db/database";
import { raise } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { wrongState } from "../../shared/errors";
import { invoiceFinanced, invoicePayoutFailed } from "./events";
import { type AdvanceMove, advanceAfter } from "./lifecycle";
import { moved } from "./plan";
import { writeMove, writeResult } from "./store";
import { type AdvanceRow, type InvoiceRow, invoiceAdvances } from "./table";

type Paying = { invoice: InvoiceRow; advance: AdvanceRow };

/** Orders an advance whose result is not known yet. */
export const orderAdvance = ({ db, now }: Services, { invoice, advance }: Paying): Write[] => [
	writeMove(db.orm, invoice, { ...invoice, updatedAt: now }),
	db.orm.insert(invoiceAdvances).values(advance),
];

/** An advance that is paid out in the commit that orders it. */
export const payAtOnce = (services: Services, { invoice, advance }: Paying): Write[] => [
	services.db.orm.insert(invoiceAdvances).values(advance),
	...finance(services, { invoice, advance }),
];

export type PayoutResult =
	| { move: "payOut"; providerTransactionId: string | null; at: number }
	| { move: "fail"; failureReason: string; at: number };

/** Records the disburser's result on the advance, and moves its invoice if the advance was paid out. */
export function settleAdvance(services: Services, { invoice, advance }: Paying, result: PayoutResult): Write[] {
	const { db } = services;
	const after = advanceFinished(advance, result);
	const record = writeResult(db.orm, advance, after);
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

function advanceFinished(advance: AdvanceRow, result: PayoutResult): AdvanceRow {
	const status = advanceAfter(advance.status, result.move satisfies AdvanceMove);
	if (!status) throw wrongState("The payout", advance.status, ["SUBMITTED"]);
	return {
		...advance,
		status,
		providerTransactionId: result.move === "payOut" ? result.providerTransactionId : null,
		failureReason: result.move === "fail" ? result.failureReason : null,
		finishedAt: result.at,
	};
}

function finance(services: Services, { invoice, advance }: Paying): Write[] {
	const after = moved(invoice, "finance", services.now);
	if (!after) throw wrongState("The invoice", invoice.status, ["APPROVED"]);
	const { id, organizationId, merchantId, currency } = invoice;
	const { advance: paid, fee } = advance;
	return [
		writeMove(services.db.orm, invoice, after),
		raise(services, invoiceFinanced, {
			organizationId,
			entityId: id,
			data: { invoice_id: id, merchant_id: merchantId, advance_amount_minor_units: paid, fee, currency },
		}),
	];
}
