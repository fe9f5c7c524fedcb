// The writes that upload, move and repay invoices.

import type { Effect, Write } from "../../db/database";
import { insertAll } from "../../db/insert-all";
import { raise, raiseAll } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { type invoiceApproved, invoiceOverdue, invoicePaid, invoiceUploaded } from "./events";
import { type InvoiceMove, statusAfter, statusesBefore } from "./lifecycle";
import { addRepaid, hasStatus, insertRepayment, writeUnpaidMove } from "./store";
import { type InvoiceRepaymentRow, type InvoiceRow, invoices } from "./table";

/** The writes that upload invoices of one organization, with an event each. */
export const upload = (services: Services, organizationId: string, rows: readonly InvoiceRow[]): Write[] => [
	...insertAll(invoices, rows),
	raiseAll(services, invoiceUploaded, {
		organizationId,
		events: rows.map(({ id, merchantId, amount, currency, dueDate }) => ({
			entityId: id,
			data: { invoice_id: id, merchant_id: merchantId, amount_minor_units: amount, currency, due_date: dueDate },
		})),
	}),
];

/** The invoice after the move; undefined if its status does not allow the move. */
export function moved(invoice: InvoiceRow, move: InvoiceMove, now: number): InvoiceRow | undefined {
	const status = statusAfter(invoice.status, move);
	return status && { ...invoice, status, updatedAt: now };
}

/** Raises an event that has no members but those of every invoice event. */
export const raiseMove = (services: Services, type: typeof invoiceApproved, { id, organizationId, merchantId }: InvoiceRow): Effect =>
	raise(services, type, { organizationId, entityId: id, data: { invoice_id: id, merchant_id: merchantId } });

/**
 * Posts a repayment. The commit itself decides position and status, so concurrent repayments do not make each other stale: it is
 * stale only if the buyer no longer owes that much.
 */
export function postRepayment(services: Services, invoice: InvoiceRow, repayment: Omit<InvoiceRepaymentRow, "position">): Write[] {
	const { db, now } = services;
	const { id, organizationId, merchantId, amount, currency } = invoice;
	const paid = statusAfter("FINANCED", "repay");
	return [
		addRepaid(db.orm, id, repayment.amount, { from: statusesBefore("repay"), paid, now }),
		insertRepayment(db.orm, invoice, repayment),
		raise(services, invoicePaid, {
			organizationId,
			entityId: id,
			data: { invoice_id: id, merchant_id: merchantId, amount_minor_units: amount, currency },
			when: hasStatus(id, paid),
		}),
	];
}

/** Marks a financed invoice as overdue. Stale after a repayment, because the event states the outstanding amount. */
export function markOverdue(services: Services, invoice: InvoiceRow): Write[] {
	const { now } = services;
	const after = moved(invoice, "fallDue", now);
	if (!after) throw new Error(`an invoice that is ${invoice.status} does not fall due`);
	const { id, organizationId, merchantId, amount, repaid, currency } = invoice;
	return [
		writeUnpaidMove(invoice, after),
		raise(services, invoiceOverdue, {
			organizationId,
			data: { invoice_id: id, merchant_id: merchantId, outstanding_minor_units: amount - repaid, currency },
		}),
	];
}
