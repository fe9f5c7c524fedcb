// The money of an invoice: the advance to the merchant, which an operator orders, and the buyer's repayments.

import * as z from "zod";
import { first } from "../../db/reads";
import { spendByKey } from "../../http/amount-windows";
import { apiKey, held, oneOf, operator } from "../../http/callers/access";
import { operation, Reply } from "../../http/operation";
import { sendAfter } from "../../runtime/outbox";
import type { Services } from "../../runtime/services";
import { sha256Hex } from "../../shared/bytes";
import { CurrencyCode } from "../../shared/currency-code";
import { ApiError, badInput, invalidState, wrongState } from "../../shared/errors";
import { canonicalJson } from "../../shared/json";
import { localDate } from "../../shared/time";
import { Instant, refuseFuture } from "../../shared/timestamp";
import { orderDisbursement, recordPaid } from "../disbursements/model/plan";
import { instructions } from "../disbursements/model/procedure";
import { findPerson, personBehind, personOf } from "../organizations/person.procedure";
import { invoiceId } from "./callers";
import { statusAfter, statusesBefore } from "./lifecycle";
import { financed, orderAdvance, payAtOnce } from "./payout.plan";
import { postRepayment } from "./plan";
import { advanceOf, mayStillBeFinanced } from "./policy";
import { buyerOf, findInvoice, findLatestAdvance, findRepayment } from "./store";
import { type AdvanceRow, type InvoiceRow, invoiceAdvances, invoiceRepayments } from "./table";
import { FinancingInvoice, InvoiceRepayment, toInvoice, toInvoiceRepayment } from "./wire";

const IN_PAYMENT = invalidState("The invoice is being paid out");

export const financeInvoice = operation({
	id: "financeInvoice",
	method: "POST",
	path: "/v1/financing/invoices/{id}/finance",
	summary: "Pay an approved invoice, less the fee, to its merchant before the due date",
	description:
		"With an outside disburser the invoice stays APPROVED until the payment is reported; if it fails, or its money comes back, it may be financed again.",
	access: held(operator),
	home: ({ path }) => path.id,
	request: { path: z.object({ id: invoiceId }), body: z.strictObject({ fee: z.int().min(0) }) },
	response: FinancingInvoice,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	validationErrors: true,
	async handle({ caller, path, body }, services) {
		const { db, now } = services;
		const { disburser } = services.providers;
		if (!disburser) throw new ApiError("SERVICE_UNAVAILABLE");
		const { invoice, latest, person } = await db.read({
			invoice: first(findInvoice(path.id)),
			latest: first(findLatestAdvance(path.id)),
			person: first(findPerson(db.orm, await personBehind(services, caller))),
		});
		if (!invoice) throw new ApiError("NOT_FOUND");
		const after = financed(invoice, now);
		if (!after) throw wrongState("The invoice", invoice.status, statusesBefore("finance"));
		if (latest && latest.status !== "FAILED" && latest.status !== "RETURNED") throw IN_PAYMENT;
		// The buyer's repayments of it are owed to the merchant, at any time at which the advance came back.
		if (invoice.repaid === 0 && !mayStillBeFinanced(invoice.dueDate, localDate(now))) {
			throw new ApiError("INVALID_STATE", { description: "The invoice can only be financed before its due date" });
		}
		const paid = advanceOf(invoice.amount, body.fee);
		if (paid === undefined) throw badInput("fee", "must be less than the invoice's amount", "OUT_OF_RANGE");
		const advance: AdvanceRow = {
			id: services.newId(),
			invoiceId: invoice.id,
			advance: paid,
			fee: body.fee,
			currency: invoice.currency,
			status: "SUBMITTED",
			providerTransactionId: null,
			failureReason: null,
			decidedBy: personOf(person),
			createdAt: now,
			finishedAt: null,
			changedAt: null,
		};
		const once = { unique: [[[invoiceAdvances.invoiceId], IN_PAYMENT]] } as const;
		const { id, organizationId, merchantId, currency } = invoice;
		const payee = { kind: "INVOICE" as const, invoiceId: id, merchant: { organizationId, merchantId } };
		const payout = { id: advance.id, amount: paid, currency, ...payee };
		if (disburser.kind === "embedded") {
			const { mobileMoneyTransactionId } = disburser.pay(advance.id);
			const paidOut: AdvanceRow = { ...advance, status: "PAID_OUT", providerTransactionId: mobileMoneyTransactionId, finishedAt: now };
			const writes = [...payAtOnce(services, { invoice, advance: paidOut }), recordPaid(services, payout, mobileMoneyTransactionId)];
			return services.commit(writes, toInvoice(after), once);
		}
		// No connection pays a merchant: only the disburser behind DISBURSER_URL does.
		if ("fault" in disburser.route({ organizationId, amount: paid, currency, mobileNumber: null }, []))
			throw new ApiError("SERVICE_UNAVAILABLE");
		const { write, instruction } = orderDisbursement(services, payout);
		const sent = sendAfter(services, instructions, instruction);
		return services.commit([...orderAdvance(services, { invoice, advance }), write, sent], toInvoice(invoice), once);
	},
});

const RepaymentInput = z.strictObject({
	external_id: z.string().trim().min(1).max(100).meta({ description: "The payer's or the provider's own id of the payment" }),
	amount: z.strictObject({ value: z.int().min(1), currency: CurrencyCode }),
	transacted_at: Instant,
});

export const repayInvoice = operation({
	id: "repayInvoice",
	method: "POST",
	path: "/v1/financing/invoices/{id}/repayments",
	summary: "Record a repayment by the buyer; once it is repaid in full, the invoice is PAID",
	access: held(oneOf(apiKey("repayments:write"), operator)),
	whileSuspended: true,
	home: ({ path }) => path.id,
	request: { path: z.object({ id: invoiceId }), body: RepaymentInput },
	response: InvoiceRepayment,
	status: 201,
	otherStatuses: { 200: "The same external id was reported before with the same facts; this is the first answer again" },
	errors: ["NOT_FOUND", "DUPLICATE_CONFLICT", "INVALID_STATE"],
	validationErrors: true,
	async handle({ caller, path, body }, services) {
		const { db, now } = services;
		const facts = [path.id, body.external_id, body.amount, body.transacted_at];
		const fingerprint = await sha256Hex(canonicalJson(facts));
		const { invoice, known } = await db.read({
			invoice: first(findInvoice(path.id, caller.kind === "key" ? caller.organizationId : undefined)),
			known: first(findRepayment(db.orm, buyerOf(path.id), body.external_id)),
		});
		if (!invoice) throw new ApiError("NOT_FOUND");
		if (known) {
			if (known.fingerprint !== fingerprint) throw new ApiError("DUPLICATE_CONFLICT");
			return new Reply(toInvoiceRepayment(known), { status: 200 });
		}
		checkRepayment(invoice, body, services);
		const repayment = {
			id: services.newId(),
			organizationId: invoice.organizationId,
			invoiceId: invoice.id,
			externalId: body.external_id,
			amount: body.amount.value,
			currency: body.amount.currency,
			fingerprint,
			transactedAt: body.transacted_at,
			postedAt: now,
		};
		const { writes, overQuota } = spendByKey(services, caller, repayment.amount);
		return services.commit([...writes, ...postRepayment(services, invoice, repayment)], new Reply(toInvoiceRepayment(repayment)), {
			overQuota,
			unique: [[[invoiceRepayments.organizationId, invoiceRepayments.externalId], "STALE"]],
		});
	},
});

function checkRepayment(invoice: InvoiceRow, body: z.output<typeof RepaymentInput>, services: Services): void {
	refuseFuture("transacted_at", body.transacted_at, services);
	if (body.amount.currency !== invoice.currency) throw badInput("amount.currency", "is not that of the invoice", "CURRENCY_MISMATCH");
	if (statusAfter(invoice.status, "repay") === undefined) throw wrongState("The invoice", invoice.status, statusesBefore("repay"));
	if (body.amount.value > invoice.amount - invoice.repaid) throw badInput("amount.value", "is more than is outstanding", "OUT_OF_RANGE");
}
