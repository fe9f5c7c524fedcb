// Transfers on the wire.

import * as z from "zod";
import { resourceId } from "../../shared/ids";
import { toTimestamp } from "../../shared/time";
import { TRANSFER_STATES } from "./lifecycle";
import type { TransferRow } from "./table";
import { Counterparty, type TransactionRow, toCounterparty } from "./transaction.wire";

export const Transfer = z
	.object({
		id: z.uuid(),
		resource_id: z.string(),
		status: z.enum(TRANSFER_STATES),
		amount: z.object({ value: z.int(), currency: z.string() }),
		direction: z.enum(["OUT", "IN"]).meta({ description: "IN: it has come into the account" }),
		counterparty: Counterparty,
		payee_id: z.uuid().nullable().meta({ description: "Among the payer's payees; null of a transfer that has come in" }),
		payee_account_id: z.uuid().nullable(),
		note: z.string().nullable(),
		failure_reason: z.string().nullable(),
		requires_confirmation: z.boolean().meta({ description: "A one-time password was sent, and the transfer waits for it" }),
		created_at: z.iso.datetime(),
		completed_at: z.iso.datetime().nullable().meta({ description: "When it was completed, or failed" }),
	})
	.meta({ id: "Transfer" });

export const toTransfer = (row: TransferRow): z.input<typeof Transfer> => ({
	id: row.id,
	resource_id: resourceId("trf", row.id),
	status: row.status,
	amount: { value: row.amount, currency: row.currency },
	direction: "OUT",
	counterparty: { kind: row.destination === "INTERNAL" ? "USER" : "PAYEE", name: row.snapshot.name },
	payee_id: row.payeeId,
	payee_account_id: row.payeeAccountId,
	note: row.note,
	failure_reason: row.failureReason,
	requires_confirmation: row.status === "AWAITING_OTP",
	created_at: toTimestamp(row.createdAt),
	completed_at: row.completedAt === null ? null : toTimestamp(row.completedAt),
});

/** A transfer as its receiver sees it: without the ids of the payer's payees. */
export const toReceivedTransfer = (row: TransactionRow & { readonly currency: string }): z.input<typeof Transfer> => ({
	id: row.sourceId,
	resource_id: resourceId("trf", row.sourceId),
	status: "COMPLETED",
	amount: { value: row.amount, currency: row.currency },
	direction: "IN",
	counterparty: toCounterparty(row),
	payee_id: null,
	payee_account_id: null,
	note: row.note,
	failure_reason: null,
	requires_confirmation: false,
	created_at: toTimestamp(row.createdAt),
	completed_at: toTimestamp(row.createdAt),
});
