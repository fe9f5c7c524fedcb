// Invoices: uploads, lists, the buyer's decision and withdrawal.

import { and, eq, lt } from "drizzle-orm";
import * as z from "zod";
import { byCreation, type Keyset, rowsOf } from "../../db/keyset";
import { first } from "../../db/reads";
import { apiKey, freshly, inPerson, member, oneOf, orIdentity } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import type { CommitOptions, Services } from "../../runtime/services";
import { ApiError, badInput, wrongState } from "../../shared/errors";
import { findCaller, refuseNewDecider } from "../organizations/members/callers";
import { findPerson, findWho, personBehind, personOf, whoOf } from "../organizations/person.procedure";
import { type InvoiceCaller, invoiceId, invoiceReader, invoiceWriter, lacksMerchants, permitted } from "./callers";
import { invoiceApproved, invoiceCancelled, invoiceRejected } from "./events";
import { INVOICE_STATUSES } from "./lifecycle";
import { moved, raiseMove, upload } from "./plan";
import { numberKey } from "./policy";
import { findHeld, findInvoice, findLatestAdvance, writeMove } from "./store";
import { type InvoiceRow, IS_OWED, invoices, OWED } from "./table";
import { FinancingInvoice, InvoiceDetail, InvoiceInput, MerchantId, NewInvoices, toInvoice, toInvoiceDetail } from "./wire";

const List = z.object({ data: z.array(FinancingInvoice), links: Links });

export const listInvoices = operation({
	id: "listInvoices",
	method: "GET",
	path: "/v1/financing/invoices",
	summary: "The invoices of all merchants of the organization, newest first",
	description: "With due_before, those that the buyer still owes, earliest due date first.",
	access: oneOf(orIdentity(member("org:financing.merchants:read")), apiKey("invoices:read")),
	request: {
		query: z.object({
			...paging,
			status: z.enum(INVOICE_STATUSES).optional(),
			due_before: z.iso.date().optional().meta({ description: "Exclusive; together with the status FINANCED or OVERDUE" }),
		}),
	},
	response: List,
	validationErrors: true,
	async handle({ caller: { organizationId }, query }, services) {
		const { status, due_before } = query;
		if (due_before !== undefined && !OWED.some((owed) => owed === status)) {
			const reason = `must be ${OWED.join(" or ")} together with due_before`;
			throw badInput("query.status", reason, status === undefined ? "REQUIRED" : "MUTUALLY_EXCLUSIVE");
		}
		const page = await readPage(services, query, {
			list: "invoices",
			owner: organizationId,
			filters: { status, due_before },
			select: rowsOf(invoices),
			key: due_before === undefined ? byCreation(invoices) : BY_DUE_DATE,
			where: and(
				eq(invoices.organizationId, organizationId),
				status === undefined ? undefined : eq(invoices.status, status),
				due_before === undefined ? undefined : and(IS_OWED, lt(invoices.dueDate, due_before)),
			),
		});
		return listReply(services, page, toInvoice);
	},
});

const BY_DUE_DATE: Keyset<InvoiceRow> = {
	at: invoices.dueDate,
	id: invoices.id,
	of: ({ dueDate, id }) => [Date.parse(dueDate), id],
	stored: (at) => new Date(at).toISOString().slice(0, 10),
	order: "oldest",
};

export const listMerchantInvoices = operation({
	id: "listMerchantInvoices",
	method: "GET",
	path: "/v1/financing/merchants/{merchantId}/invoices",
	summary: "The invoices of one merchant, newest first",
	access: invoiceReader,
	request: { path: z.object({ merchantId: MerchantId }), query: z.object(paging) },
	response: List,
	validationErrors: true,
	async handle({ caller, path: { merchantId }, query }, services) {
		const { organizationId } = caller;
		if (!(await permitted(services, caller, "org:financing.merchants:read", [merchantId], false))) {
			throw lacksMerchants("org:financing.merchants:read");
		}
		const page = await readPage(services, query, {
			list: "merchant-invoices",
			owner: organizationId,
			filters: { merchantId },
			select: rowsOf(invoices),
			key: byCreation(invoices),
			where: and(eq(invoices.organizationId, organizationId), eq(invoices.merchantId, merchantId)),
		});
		return listReply(services, page, toInvoice);
	},
});

export const uploadInvoice = operation({
	id: "uploadInvoice",
	method: "POST",
	path: "/v1/financing/invoices",
	summary: "Upload an invoice",
	access: invoiceWriter,
	request: { body: InvoiceInput },
	response: FinancingInvoice,
	status: 201,
	errors: ["DUPLICATE_INVOICE"],
	validationErrors: true,
	async handle({ caller, body }, services) {
		const rows = await newInvoices(services, caller, [body]);
		const [answer] = rows.map(toInvoice);
		if (!answer) throw new Error("one invoice makes one row");
		return services.commit(upload(services, caller.organizationId, rows), answer, once);
	},
});

export const uploadInvoices = operation({
	id: "uploadInvoices",
	method: "POST",
	path: "/v1/financing/invoices/batch",
	summary: "Upload up to 100 invoices, all or none",
	access: invoiceWriter,
	request: { body: NewInvoices },
	response: z.object({ data: z.array(FinancingInvoice) }),
	status: 201,
	errors: ["DUPLICATE_INVOICE"],
	validationErrors: true,
	async handle({ caller, body }, services) {
		const rows = await newInvoices(services, caller, body.invoices);
		return services.commit(upload(services, caller.organizationId, rows), { data: rows.map(toInvoice) }, once);
	},
});

/** An invoice is financed once, so its number and its document must be unique, also within a batch and in concurrent uploads. */
const once: CommitOptions = {
	unique: [
		[[invoices.organizationId, invoices.numberKey, invoices.merchantId], "DUPLICATE_INVOICE"],
		[[invoices.organizationId, invoices.documentId], "DUPLICATE_INVOICE"],
	],
};

async function newInvoices(
	services: Services,
	caller: InvoiceCaller,
	sent: readonly z.output<typeof InvoiceInput>[],
): Promise<InvoiceRow[]> {
	const { db, now } = services;
	const { organizationId } = caller;
	const merchants = sent.map(({ merchant_id }) => merchant_id);
	if (!(await permitted(services, caller, "org:financing.invoices:write", merchants, true))) {
		throw lacksMerchants("org:financing.invoices:write");
	}
	const rows = sent.map((one): InvoiceRow => {
		const id = services.newId();
		return {
			id,
			organizationId,
			merchantId: one.merchant_id,
			documentId: one.document_id ?? id,
			invoiceNumber: one.invoice_number,
			numberKey: numberKey(one.invoice_number),
			amount: one.amount_minor_units,
			currency: one.currency,
			details: JSON.stringify(one.details ?? {}),
			issuedDate: one.issued_date,
			dueDate: one.due_date,
			status: "PENDING",
			uploadedBy: "",
			decidedBy: null,
			decidedAt: null,
			comment: null,
			repaid: 0,
			createdAt: now,
			updatedAt: now,
		};
	});
	const { held, person } = await db.read({
		held: first(findHeld(organizationId, rows)),
		person: first(findPerson(db.orm, await personBehind(services, caller))),
	});
	if (held && held.place !== null) {
		const description = sent.length === 1 ? undefined : `invoices[${held.place}] has already been uploaded`;
		throw new ApiError("DUPLICATE_INVOICE", description === undefined ? {} : { description });
	}
	const uploadedBy = personOf(person);
	return rows.map((row) => ({ ...row, uploadedBy }));
}

export const getInvoice = operation({
	id: "getInvoice",
	method: "GET",
	path: "/v1/financing/invoices/{id}",
	summary: "One invoice, with its repayments and its latest advance",
	access: invoiceReader,
	request: { path: z.object({ id: invoiceId }) },
	response: InvoiceDetail,
	errors: ["NOT_FOUND"],
	validationErrors: true,
	async handle({ caller, path }, services) {
		const { db } = services;
		const { invoice, advance } = await db.read({
			invoice: first(findInvoice(path.id, caller.organizationId)),
			advance: first(findLatestAdvance(path.id)),
		});
		if (!invoice || !(await permitted(services, caller, "org:financing.merchants:read", [invoice.merchantId], false))) {
			throw new ApiError("NOT_FOUND");
		}
		return toInvoiceDetail(invoice, advance);
	},
});

export const cancelInvoice = operation({
	id: "cancelInvoice",
	method: "POST",
	path: "/v1/financing/invoices/{id}/cancel",
	summary: "Withdraw an invoice that is not decided yet; its number may be uploaded again",
	access: invoiceWriter,
	request: { path: z.object({ id: invoiceId }) },
	response: FinancingInvoice,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	validationErrors: true,
	async handle({ caller, path }, services) {
		const { db, now } = services;
		const invoice = await db.read(first(findInvoice(path.id, caller.organizationId)));
		if (!invoice || !(await permitted(services, caller, "org:financing.invoices:write", [invoice.merchantId], true))) {
			throw new ApiError("NOT_FOUND");
		}
		const after = moved(invoice, "cancel", now);
		if (!after) throw wrongState("The invoice", invoice.status, ["PENDING"]);
		return services.commit([writeMove(invoice, after), raiseMove(services, invoiceCancelled, after)], toInvoice(after));
	},
});

export const decideInvoice = operation({
	id: "decideInvoice",
	method: "POST",
	path: "/v1/financing/invoices/{id}/decision",
	summary: "Approve or reject an invoice that somebody else uploaded",
	access: freshly(inPerson(orIdentity(member("org:financing.approvals:decide")))),
	request: {
		path: z.object({ id: invoiceId }),
		body: z.strictObject({ decision: z.enum(["APPROVED", "REJECTED"]), comment: z.string().trim().min(1).max(500).optional() }),
	},
	response: FinancingInvoice,
	errors: ["NOT_FOUND", "SELF_APPROVAL", "INVALID_STATE"],
	validationErrors: true,
	async handle({ caller, path, body }, services) {
		const { db, now } = services;
		const { invoice, found, self } = await db.read({
			invoice: first(findInvoice(path.id, caller.organizationId)),
			found: first(findWho(db.orm, caller, await personBehind(services, caller))),
			self: first(findCaller(db.orm, caller)),
		});
		if (!invoice) throw new ApiError("NOT_FOUND");
		refuseNewDecider(services, caller, self);
		const { person: decidedBy, knownAs } = whoOf(caller, found);
		if (knownAs.includes(invoice.uploadedBy)) throw new ApiError("SELF_APPROVAL");
		const approved = body.decision === "APPROVED";
		const after = moved(invoice, approved ? "approve" : "reject", now);
		if (!after) throw wrongState("The invoice", invoice.status, ["PENDING"]);
		const decided: InvoiceRow = { ...after, decidedBy, decidedAt: now, comment: body.comment ?? null };
		return services.commit(
			[writeMove(invoice, decided), raiseMove(services, approved ? invoiceApproved : invoiceRejected, decided)],
			toInvoice(decided),
		);
	},
});
