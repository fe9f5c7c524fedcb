// The events of changes to a running loan. Amounts are in minor units of the currency.

import * as z from "zod";
import { eventType } from "../../../shared/event-type";
import { CHANGE_KINDS } from "../book/reschedule.policy";

const members = {
	account_id: z.uuid(),
	resource_id: z.string().meta({ description: "The account's prefixed id, `acc_...`" }),
	user_id: z.uuid(),
};
const account = {
	account_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e14",
	resource_id: "acc_01920f8e7b1c7a529a4e3c5d8f2b6e14",
	user_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11",
};

export const creditAccountRescheduled = eventType({
	type: "credit_account.rescheduled",
	category: "CREDIT_ACCOUNT",
	description: "The installments to come of a cycle got other due dates",
	data: z.object({
		...members,
		cycle_id: z.uuid(),
		transaction_id: z.uuid(),
		kind: z.enum(CHANGE_KINDS),
		due_dates: z.array(z.iso.date()).meta({ description: "Of the installments to come" }),
		final_payment_due_date: z.iso.date(),
	}),
	example: {
		...account,
		cycle_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e15",
		transaction_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e37",
		kind: "HOLIDAY",
		due_dates: ["2026-06-01", "2026-07-01"],
		final_payment_due_date: "2026-07-01",
	},
});

export const creditAccountSettlementAgreed = eventType({
	type: "credit_account.settlement_agreed",
	category: "CREDIT_ACCOUNT",
	description: "Once the amount is paid in time, the rest of what is owed is waived",
	data: z.object({
		...members,
		transaction_id: z.uuid(),
		amount: z.int(),
		total_outstanding: z.int(),
		currency: z.string(),
		valid_until: z.iso.date(),
	}),
	example: {
		...account,
		transaction_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e38",
		amount: 400_000,
		total_outstanding: 557_700,
		currency: "KES",
		valid_until: "2026-10-01",
	},
});

export const creditAccountTransactionReversed = eventType({
	type: "credit_account.transaction_reversed",
	category: "CREDIT_ACCOUNT",
	description: "A transaction that is no payment was undone, as if it had never been posted",
	data: z.object({
		...members,
		transaction_id: z.uuid().meta({ description: "Of the reversal" }),
		original_transaction_id: z.uuid(),
		kind: z.enum(["DRAW", "REFUND", "WAIVER", "WRITE_OFF", "RESCHEDULE", "SETTLEMENT"]),
		amount: z.int(),
		currency: z.string(),
		reason: z.string(),
	}),
	example: {
		...account,
		transaction_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e39",
		original_transaction_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e31",
		kind: "WAIVER",
		amount: 5_500,
		currency: "KES",
		reason: "entered twice",
	},
});
