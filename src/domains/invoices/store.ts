// Finds invoices, and writes single moves.

import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bareList } from "../../db/columns";
import type { Effect, Orm, Statement } from "../../db/database";
import { guarded } from "../../db/guards";
import { insertOf, prebuilt } from "../../db/prebuilt";
import { first } from "../../db/reads";
import type { CalendarDate } from "../../shared/time";
import { type AdvanceRow, type InvoiceRepaymentRow, type InvoiceRow, invoiceAdvances, invoiceRepayments, invoices } from "./table";

const { placeholder } = sql;

const eachInvoice = alias(invoices, "invoice");
const invoiceAdvance = alias(invoiceAdvances, "invoice_advance");
const invoiceRepayment = alias(invoiceRepayments, "invoice_repayment");

/** With `organizationId`, finds only an invoice of that organization. */
export const findInvoice = (id: string, organizationId?: string) =>
	organizationId === undefined ? invoiceById({ id }) : invoiceOf({ id, organizationId });

const BY_ID = eq(invoices.id, placeholder("id"));
const invoiceById = prebuilt((orm) => orm.select().from(invoices).where(BY_ID));
const invoiceOf = prebuilt((orm) =>
	orm
		.select()
		.from(invoices)
		.where(and(BY_ID, eq(invoices.organizationId, placeholder("organizationId")))),
);

export const findLatestAdvance = (invoiceId: string) => latestAdvance({ invoiceId });
const latestAdvance = prebuilt((orm) =>
	orm
		.select()
		.from(invoiceAdvances)
		.where(eq(invoiceAdvances.invoiceId, placeholder("invoiceId")))
		.orderBy(sql`${invoiceAdvances.createdAt} desc, ${invoiceAdvances.id} desc`)
		.limit(1),
);

export type Uploaded = Pick<InvoiceRow, "merchantId" | "numberKey" | "documentId">;

/** The index of the first of these invoices whose number or document another one holds; null if there is none. */
export const findHeld = (organizationId: string, uploaded: readonly Uploaded[]) =>
	held({
		organizationId,
		uploaded: JSON.stringify(uploaded.map(({ merchantId, numberKey, documentId }) => ({ merchantId, numberKey, documentId }))),
	});

const held = prebuilt((orm) =>
	orm.all<{ place: number | null }>(sql`
		select min(u.key) as place from json_each(${placeholder("uploaded")}) u
		where exists (
			select 1 from ${invoices} ${eachInvoice}
			where ${eachInvoice.organizationId} = ${placeholder("organizationId")} and ${eachInvoice.merchantId} = u.value ->> 'merchantId' and ${eachInvoice.numberKey} = u.value ->> 'numberKey'
				and ${eachInvoice.status} not in ('REJECTED', 'CANCELLED'))
		or exists (
			select 1 from ${invoices} ${eachInvoice}
			where ${eachInvoice.organizationId} = ${placeholder("organizationId")} and ${eachInvoice.documentId} = u.value ->> 'documentId'
				and ${eachInvoice.status} not in ('REJECTED', 'CANCELLED') and ${eachInvoice.documentId} <> ${eachInvoice.id})
		or exists (
			select 1 from ${invoices} ${eachInvoice}
			where ${eachInvoice.id} = u.value ->> 'documentId' and ${eachInvoice.documentId} = ${eachInvoice.id} and ${eachInvoice.organizationId} = ${placeholder("organizationId")}
				and ${eachInvoice.status} not in ('REJECTED', 'CANCELLED'))`),
);

/** Writes the invoice after a move. Stale if its status has changed since it was read. */
export const writeMove = (before: InvoiceRow, { id, status, decidedBy, decidedAt, comment, updatedAt }: InvoiceRow): Effect =>
	guarded(move({ id, before: before.status, status, decidedBy, decidedAt, comment, updatedAt }));

/** The placeholders of these names, for the columns that an update sets. */
const given = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, sql`${placeholder(name)}`]));

const move = prebuilt((orm) =>
	orm
		.update(invoices)
		.set(given("status", "decidedBy", "decidedAt", "comment", "updatedAt"))
		.where(and(BY_ID, eq(invoices.status, placeholder("before")))),
);

/** The organization of an invoice, as a subquery. */
export const buyerOf = (id: string) =>
	sql`(select ${eachInvoice.organizationId} from ${invoices} ${eachInvoice} where ${eachInvoice.id} = ${id})`;

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
		.where(sql`${invoices.status} = 'FINANCED' and ${invoices.dueDate} < ${today}`)
		.orderBy(asc(invoices.dueDate))
		.limit(limit);

/** The advance that a disbursement pays, and its invoice. */
export const findAdvance = (id: string) => ({ advance: first(advanceById({ id })), invoice: first(invoiceOfAdvance({ id })) });
const ADVANCE_BY_ID = eq(invoiceAdvances.id, placeholder("id"));
const advanceById = prebuilt((orm) => orm.select().from(invoiceAdvances).where(ADVANCE_BY_ID));
const invoiceOfAdvance = prebuilt((orm) =>
	orm
		.select()
		.from(invoices)
		.where(
			sql`${invoices.id} = (select ${invoiceAdvance.invoiceId} from ${invoiceAdvances} ${invoiceAdvance} where ${invoiceAdvance.id} = ${placeholder("id")})`,
		),
);

export const insertAdvance = insertOf(invoiceAdvances);

/** Writes a move of an invoice, of which nothing has been repaid since it was read. Stale otherwise, or if its status has changed. */
export const writeUnpaidMove = (before: InvoiceRow, { id, status, updatedAt }: InvoiceRow): Effect =>
	guarded(unpaidMove({ id, before: before.status, repaid: before.repaid, status, updatedAt }));
const unpaidMove = prebuilt((orm) =>
	orm
		.update(invoices)
		.set(given("status", "updatedAt"))
		.where(and(BY_ID, eq(invoices.status, placeholder("before")), eq(invoices.repaid, placeholder("repaid")))),
);

type Repayable = { readonly from: readonly InvoiceRow["status"][]; readonly paid: InvoiceRow["status"] | undefined; readonly now: number };

/** Adds to what the buyer has repaid; what is then repaid in full is paid. Stale if the buyer does not owe that much. */
export function addRepaid(orm: Orm, id: string, amount: number, { from, paid, now }: Repayable): Effect {
	const repaid = sql`${invoices.repaid} + ${amount}`;
	return guarded(
		orm
			.update(invoices)
			.set({
				repaid,
				status: sql`case when ${repaid} = ${invoices.amount} then ${paid} else ${invoices.status} end`,
				updatedAt: now,
			})
			.where(and(eq(invoices.id, id), inArray(invoices.status, from), sql`${repaid} <= ${invoices.amount}`)),
	);
}

/** Records a repayment, behind those that the invoice has. */
export function insertRepayment(orm: Orm, { id, organizationId }: InvoiceRow, repayment: Omit<InvoiceRepaymentRow, "position">): Statement {
	const to = invoiceRepayments;
	const columns = bareList(
		...[to.id, to.organizationId, to.invoiceId, to.position, to.externalId, to.amount],
		...[to.currency, to.fingerprint, to.transactedAt, to.postedAt],
	);
	return orm.run(sql`
		insert into ${to} (${columns})
		select ${repayment.id}, ${organizationId}, ${id},
			coalesce((select max(${invoiceRepayment.position}) from ${invoiceRepayments} ${invoiceRepayment} where ${invoiceRepayment.invoiceId} = ${id}), 0) + 1,
			${repayment.externalId}, ${repayment.amount}, ${repayment.currency}, ${repayment.fingerprint},
			${repayment.transactedAt}, ${repayment.postedAt}`);
}

/** Within a commit: whether the invoice has the status. */
export const hasStatus = (id: string, status: InvoiceRow["status"] | undefined): SQL =>
	sql`exists (select 1 from ${invoices} ${eachInvoice} where ${eachInvoice.id} = ${id} and ${eachInvoice.status} = ${status})`;

/** Writes the result of an advance. Stale if it has one already. */
export const writeResult = (before: AdvanceRow, after: AdvanceRow): Effect => guarded(result({ ...after, before: before.status }));
const result = prebuilt((orm) =>
	orm
		.update(invoiceAdvances)
		.set(given("status", "providerTransactionId", "failureReason", "finishedAt", "changedAt"))
		.where(and(ADVANCE_BY_ID, eq(invoiceAdvances.status, placeholder("before")))),
);
