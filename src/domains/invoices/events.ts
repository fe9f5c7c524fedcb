// The events that invoices raise. Amounts are in minor units of the currency.

import * as z from "zod";
import { eventType } from "../../shared/event-type";

/** The members of every event of an invoice. */
const members = { invoice_id: z.uuid(), merchant_id: z.string() };
const invoice = { invoice_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e41", merchant_id: "merchant-17" };

export const invoiceUploaded = eventType({
	type: "invoice.uploaded",
	category: "INVOICE",
	description: "A merchant's invoice was uploaded",
	data: z.object({ ...members, amount_minor_units: z.int(), currency: z.string(), due_date: z.iso.date() }),
	example: { ...invoice, amount_minor_units: 900_000, currency: "KES", due_date: "2026-06-30" },
});

export const invoiceApproved = eventType({
	type: "invoice.approved",
	category: "INVOICE",
	description: "The buyer approved an invoice",
	data: z.object(members),
	example: invoice,
});

export const invoiceRejected = eventType({
	type: "invoice.rejected",
	category: "INVOICE",
	description: "The buyer rejected an invoice",
	data: z.object(members),
	example: invoice,
});

export const invoiceCancelled = eventType({
	type: "invoice.cancelled",
	category: "INVOICE",
	description: "An invoice was withdrawn before it was decided",
	data: z.object(members),
	example: invoice,
});

export const invoiceFinanced = eventType({
	type: "invoice.financed",
	category: "INVOICE",
	description: "The advance on an invoice was paid out to the merchant",
	data: z.object({
		...members,
		advance_amount_minor_units: z.int(),
		fee: z.int().meta({ description: "Advance and fee together are the invoice's amount" }),
		currency: z.string(),
	}),
	example: { ...invoice, advance_amount_minor_units: 882_000, fee: 18_000, currency: "KES" },
});

export const invoicePayoutFailed = eventType({
	type: "invoice.payout_failed",
	category: "INVOICE",
	description: "The advance on an invoice could not be paid out; the invoice may be financed again",
	data: z.object({ ...members, failure_reason: z.string() }),
	example: { ...invoice, failure_reason: "ACCOUNT_CLOSED" },
});

export const invoicePayoutReturned = eventType({
	type: "invoice.payout_returned",
	category: "INVOICE",
	description: "The money of the advance on an invoice came back; the invoice may be financed again",
	data: z.object({ ...members, advance_amount_minor_units: z.int(), currency: z.string() }),
	example: { ...invoice, advance_amount_minor_units: 882_000, currency: "KES" },
});

export const invoicePaid = eventType({
	type: "invoice.paid",
	category: "INVOICE",
	description: "The buyer has repaid an invoice in full",
	data: z.object({ ...members, amount_minor_units: z.int(), currency: z.string() }),
	example: { ...invoice, amount_minor_units: 900_000, currency: "KES" },
});

export const invoiceOverdue = eventType({
	type: "invoice.overdue",
	category: "INVOICE",
	description: "A financed invoice was not repaid by its due date",
	data: z.object({ ...members, outstanding_minor_units: z.int(), currency: z.string() }),
	example: { ...invoice, outstanding_minor_units: 900_000, currency: "KES" },
});
