// The events that transfers raise. Amounts are in minor units of the account's currency.

import * as z from "zod";
import { eventType } from "../../shared/event-type";

const members = { transfer_id: z.uuid(), account_id: z.uuid(), amount: z.int() };
const transfer = {
	transfer_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e61",
	account_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e41",
	amount: 250_000,
};

export const transferCompleted = eventType({
	type: "transfer.completed",
	category: "CURRENT_ACCOUNT",
	description: "The money of a transfer has reached the payee",
	data: z.object({ ...members, completed_at: z.iso.datetime() }),
	example: { ...transfer, completed_at: "2026-03-02T09:30:00.000Z" },
});

export const transferFailed = eventType({
	type: "transfer.failed",
	category: "CURRENT_ACCOUNT",
	description: "A transfer failed, and its money is the payer's again",
	data: z.object({ ...members, failure_reason: z.string(), failed_at: z.iso.datetime() }),
	example: { ...transfer, failure_reason: "PAYEE_UNAVAILABLE", failed_at: "2026-03-02T09:30:00.000Z" },
});
