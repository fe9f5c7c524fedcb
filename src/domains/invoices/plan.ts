// The writes that upload, move and repay invoices.

import { and, eq, sql } from "drizzle-orm";
import type { Effect, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import { insertAll } from "../../db/insert-all";
import { raise, raiseAll } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { type invoiceApproved, invoiceOverdue, invoicePaid, invoiceUploaded } from "./events";
import { type InvoiceMove, statusAfter, statusesBefore } from "./lifecycle";
import { type InvoiceRepaymentRow, type InvoiceRow, invoiceRepayments, invoices } from "./table";

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
	const open = sql.join(
		statusesBefore("repay").map((status) => sql`${status}`),
		sql`, `,
	);
	const paid = statusAfter("FINANCED", "repay");
	return [
		guarded(
			db.orm
				.update(invoices)
				.set({
					repaid: sql`repaid + ${repayment.amount}`,
					status: sql`case when repaid + ${repayment.amount} = amount then ${paid} else status end`,
					updatedAt: now,
				})
				.where(and(eq(invoices.id, id), sql`status in (${open}) and repaid + ${repayment.amount} <= amount`)),
		),
		db.orm.run(sql`
			insert into ${invoiceRepayments}
				(id, organization_id, invoice_id, position, external_id, amount, currency, fingerprint, transacted_at, posted_at)
			select ${repayment.id}, ${organizationId}, ${id},
				coalesce((select max(r.position) from ${invoiceRepayments} r where r.invoice_id = ${id}), 0) + 1,
				${repayment.externalId}, ${repayment.amount}, ${repayment.currency}, ${repayment.fingerprint},
				${repayment.transactedAt}, ${repayment.postedAt}`),
		raise(services, invoicePaid, {
			organizationId,
			entityId: id,
			data: { invoice_id: id, merchant_id: merchantId, amount_minor_units: amount, currency },
			when: sql`exists (select 1 from ${invoices} i where i.id = ${id} and i.status = ${paid})`,
		}),
	];
}

/** Marks a financed invoice as overdue. Stale after a repayment, because the event states the outstanding amount. */
export function markOverdue(services: Services, invoice: InvoiceRow): Write[] {
	const { db, now } = services;
	const after = moved(invoice, "fallDue", now);
	if (!after) throw new Error(`an invoice that is ${invoice.status} does not fall due`);
	const { id, organizationId, merchantId, amount, repaid, currency } = invoice;
	return [
		guarded(
			db.orm
				.update(invoices)
				.set({ status: after.status, updatedAt: now })
				.where(and(eq(invoices.id, id), eq(invoices.status, invoice.status), eq(invoices.repaid, repaid))),
		),
		raise(services, invoiceOverdue, {
			organizationId,
			entityId: id,
			data: { invoice_id: id, merchant_id: merchantId, outstanding_minor_units: amount - repaid, currency },
		}),
	];
}
