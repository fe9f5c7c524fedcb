// Invoices and their repayments on the wire.

import * as z from "zod";
import { bounded, list } from "../../shared/bounded";
import { CurrencyCode } from "../../shared/currency-code";
import { toTimestamp } from "../../shared/time";
import { ADVANCE_STATUSES, INVOICE_STATUSES } from "./lifecycle";
import { depthOf, numberKey } from "./policy";
import type { AdvanceRow, InvoiceRepaymentRow, InvoiceRow } from "./table";

const MAX_DETAILS_BYTES = 16 * 1024;
const MAX_DETAILS_DEPTH = 8;
/** More members than this do not fit into `MAX_DETAILS_BYTES`. */
const MAX_DETAILS_MEMBERS = 4_000;

export const MerchantId = z.string().trim().min(1).max(255).meta({ description: "The buyer's own id of the merchant" });

const Details = bounded(
	z.record(z.string(), z.unknown()).superRefine((details, ctx) => {
		if (new TextEncoder().encode(JSON.stringify(details)).length > MAX_DETAILS_BYTES) {
			ctx.addIssue({ code: "custom", message: `must have at most ${MAX_DETAILS_BYTES} bytes`, params: { sub_code: "TOO_LONG" } });
		} else if (depthOf(details) > MAX_DETAILS_DEPTH) {
			const message = `must not be nested deeper than ${MAX_DETAILS_DEPTH} levels`;
			ctx.addIssue({ code: "custom", message, params: { sub_code: "OUT_OF_RANGE" } });
		}
	}),
	MAX_DETAILS_MEMBERS,
).meta({ description: "Anything that the merchant wants to keep with the invoice; returned as sent" });

export const InvoiceInput = z
	.strictObject({
		merchant_id: MerchantId,
		document_id: z.uuid().toLowerCase().optional().meta({ description: "The scanned document. Without it, the id of the invoice" }),
		invoice_number: z
			.string()
			.trim()
			.min(1)
			.max(100)
			.refine((text) => numberKey(text) !== "", "must have visible characters")
			.meta({ description: "Unique for the merchant; case, spaces and the width of characters make no difference" }),
		amount_minor_units: z.int().min(1),
		currency: CurrencyCode,
		issued_date: z.iso.date(),
		due_date: z.iso.date(),
		details: Details.optional(),
	})
	.refine(({ issued_date, due_date }) => due_date >= issued_date, {
		message: "must not be before issued_date",
		path: ["due_date"],
		params: { sub_code: "OUT_OF_RANGE" },
	})
	.meta({ id: "InvoiceInput" });

export const NewInvoices = z.strictObject({ invoices: list(InvoiceInput, { min: 1, max: 100 }) });

const members = {
	id: z.uuid(),
	document_id: z.uuid(),
	amount_minor_units: z.int(),
	currency: z.string(),
	details: z.record(z.string(), z.unknown()),
	due_date: z.iso.date(),
	issued_date: z.iso.date(),
	status: z.enum(INVOICE_STATUSES).meta({ title: "FinancingInvoiceStatus" }),
	created_at: z.iso.datetime(),
	merchant_id: z.string(),
};

export const FinancingInvoice = z.object(members).meta({ id: "FinancingInvoice" });

export const toInvoice = (row: InvoiceRow): z.input<typeof FinancingInvoice> => ({
	id: row.id,
	document_id: row.documentId,
	amount_minor_units: row.amount,
	currency: row.currency,
	details: JSON.parse(row.details) as Record<string, unknown>,
	due_date: row.dueDate,
	issued_date: row.issuedDate,
	status: row.status,
	created_at: toTimestamp(row.createdAt),
	merchant_id: row.merchantId,
});

/** A single invoice also shows its number, the decision, its repayments and its latest advance. */
export const InvoiceDetail = z
	.object({
		...members,
		invoice_number: z.string(),
		decided_at: z.iso.datetime().nullable(),
		comment: z.string().nullable(),
		repaid_minor_units: z.int(),
		outstanding_minor_units: z.int().meta({ description: "The amount that the buyer still owes; 0 unless the invoice is financed" }),
		advance: z
			.object({
				id: z.uuid(),
				status: z.enum(ADVANCE_STATUSES),
				amount_minor_units: z.int().meta({ description: "The amount that the merchant gets" }),
				fee_minor_units: z.int(),
				failure_reason: z.string().nullable(),
				created_at: z.iso.datetime(),
				finished_at: z.iso.datetime().nullable(),
			})
			.meta({ id: "InvoiceAdvance" })
			.nullable()
			.meta({ description: "The latest attempt to pay the invoice out" }),
	})
	.meta({ id: "FinancingInvoiceDetail" });

const orNull = (instant: number | null): string | null => (instant === null ? null : toTimestamp(instant));

export const toInvoiceDetail = (row: InvoiceRow, advance: AdvanceRow | undefined): z.input<typeof InvoiceDetail> => ({
	...toInvoice(row),
	invoice_number: row.invoiceNumber,
	decided_at: orNull(row.decidedAt),
	comment: row.comment,
	repaid_minor_units: row.repaid,
	outstanding_minor_units: row.status === "FINANCED" || row.status === "OVERDUE" ? row.amount - row.repaid : 0,
	advance: advance
		? {
				id: advance.id,
				status: advance.status,
				amount_minor_units: advance.advance,
				fee_minor_units: advance.fee,
				failure_reason: advance.failureReason,
				created_at: toTimestamp(advance.createdAt),
				finished_at: orNull(advance.finishedAt),
			}
		: null,
});

export const InvoiceRepayment = z
	.object({
		id: z.uuid(),
		invoice_id: z.uuid(),
		external_id: z.string(),
		amount: z.object({ value: z.int(), currency: z.string() }),
		transacted_at: z.iso.datetime(),
		posted_at: z.iso.datetime(),
	})
	.meta({ id: "InvoiceRepayment" });

export const toInvoiceRepayment = (row: Omit<InvoiceRepaymentRow, "position">): z.input<typeof InvoiceRepayment> => ({
	id: row.id,
	invoice_id: row.invoiceId,
	external_id: row.externalId,
	amount: { value: row.amount, currency: row.currency },
	transacted_at: toTimestamp(row.transactedAt),
	posted_at: toTimestamp(row.postedAt),
});
