// Finds invoices, and writes single moves.

import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Effect, Orm } from "../../db/database";
import { guarded } from "../../db/guards";
import type { CalendarDate } from "../../shared/time";
import { type InvoiceRow, invoiceAdvances, invoiceRepayments, invoices } from "./table";

/** With `organizationId`, finds only an invoice of that organization. */
export const findInvoice = (orm: Orm, id: string, organizationId?: string) =>
	orm
		.select()
		.from(invoices)
		.where(and(eq(invoices.id, id), organizationId === undefined ? undefined : eq(invoices.organizationId, organizationId)));

export const findLatestAdvance = (orm: Orm, invoiceId: string) =>
	orm
		.select()
		.from(invoiceAdvances)
		.where(eq(invoiceAdvances.invoiceId, invoiceId))
		.orderBy(sql`${invoiceAdvances.createdAt} desc, ${invoiceAdvances.id} desc`)
		.limit(1);

export type Uploaded = Pick<InvoiceRow, "merchantId" | "numberKey" | "documentId">;

/** The index of the first of these invoices whose number or document another one holds; null if there is none. */
export const findHeld = (orm: Orm, organizationId: string, uploaded: readonly Uploaded[]) =>
	orm.all<{ place: number | null }>(sql`
		select min(u.key) as place from json_each(${JSON.stringify(uploaded)}) u
		where exists (
			select 1 from ${invoices} i
			where i.organization_id = ${organizationId} and i.merchant_id = u.value ->> 'merchantId' and i.number_key = u.value ->> 'numberKey'
				and i.status not in ('REJECTED', 'CANCELLED'))
		or exists (
			select 1 from ${invoices} i
			where i.organization_id = ${organizationId} and i.document_id = u.value ->> 'documentId'
				and i.status not in ('REJECTED', 'CANCELLED'))`);

/** Writes the invoice after a move. Stale if its status has changed since it was read. */
export const writeMove = (orm: Orm, before: InvoiceRow, after: InvoiceRow): Effect =>
	guarded(
		orm
			.update(invoices)
			.set({
				status: after.status,
				decidedBy: after.decidedBy,
				decidedAt: after.decidedAt,
				comment: after.comment,
				updatedAt: after.updatedAt,
			})
			.where(and(eq(invoices.id, before.id), eq(invoices.status, before.status))),
	);

export const findRepayment = (orm: Orm, organizationId: SQL, externalId: string) =>
	orm
		.select()
		.from(invoiceRepayments)
		.where(sql`${invoiceRepayments.organizationId} = ${organizationId} and ${invoiceRepayments.externalId} = ${externalId}`);

/** Financed invoices whose due date has passed. */
export const findPastDue = (orm: Orm, today: CalendarDate, limit: number) =>
	orm
		.select()
		.from(invoices)
		.where(sql`status = 'FINANCED' and ${invoices.dueDate} < ${today}`)
		.orderBy(asc(invoices.dueDate))
		.limit(limit);

/** The advance that a disbursement pays, and its invoice. */
export const findAdvance = (orm: Orm, disbursementId: string) =>
	[
		orm.select().from(invoiceAdvances).where(eq(invoiceAdvances.id, disbursementId)),
		orm.select().from(invoices).where(sql`${invoices.id} = (select a.invoice_id from ${invoiceAdvances} a where a.id = ${disbursementId})`),
	] as const;
