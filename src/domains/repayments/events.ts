// The events that payments raise. Amounts are in minor units of the currency.

import * as z from "zod";
import { eventType } from "../../shared/event-type";
import { ALLOCATION_EFFECTS } from "../credit-accounts/book/allocation-rows.policy";

const members = { transaction_id: z.uuid(), account_id: z.uuid(), amount: z.int(), currency: z.string() };
const repayment = {
	transaction_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e31",
	account_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e14",
	amount: 550_000,
	currency: "KES",
};

const ORIGINAL = "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e32";

export const repaymentReceived = eventType({
	type: "repayment.received",
	category: "REPAYMENT",
	description: "A payment to an account was reported",
	data: z.object(members),
	example: repayment,
});

export const repaymentPosted = eventType({
	type: "repayment.posted",
	category: "REPAYMENT",
	description: "A payment was allocated",
	data: z.object({
		...members,
		fee_amount: z.int(),
		allocations: z.array(z.object({ installment_id: z.uuid(), allocated_amount: z.int(), effect: z.enum(ALLOCATION_EFFECTS) })),
		overpaid_amount: z.int(),
		total_outstanding: z.int(),
		posted_at: z.iso.datetime(),
	}),
	example: {
		...repayment,
		fee_amount: 0,
		allocations: [{ installment_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e21", allocated_amount: 550_000, effect: "OBLIGATION_SETTLED" }],
		overpaid_amount: 0,
		total_outstanding: 0,
		posted_at: "2026-04-01T08:15:03.000Z",
	},
});

export const repaymentFailed = eventType({
	type: "repayment.failed",
	category: "REPAYMENT",
	description: "A payment failed: nothing was allocated",
	data: z.object({
		...members,
		account_id: members.account_id.nullable().meta({ description: "null when it names no account" }),
		failure_reason: z.string(),
	}),
	example: { ...repayment, failure_reason: "INSUFFICIENT_FUNDS" },
});

export const repaymentReversed = eventType({
	type: "repayment.reversed",
	category: "REPAYMENT",
	description: "A posted payment was reversed, or a part of it",
	data: z.object({
		...members,
		original_transaction_id: z.uuid(),
		remaining_amount: z.int().meta({ description: "The part of the payment that still counts; 0: its status is REVERSED" }),
	}),
	example: { ...repayment, original_transaction_id: ORIGINAL, remaining_amount: 0 },
});

export const repaymentRestored = eventType({
	type: "repayment.restored",
	category: "REPAYMENT",
	description: "A reversal of a payment was undone: what it took back counts again",
	data: z.object({
		...members,
		original_transaction_id: z.uuid().meta({ description: "The payment" }),
		reversal_transaction_id: z.uuid().meta({ description: "The reversal that is undone" }),
		remaining_amount: z.int().meta({ description: "The part of the payment that counts now" }),
	}),
	example: {
		...repayment,
		original_transaction_id: ORIGINAL,
		reversal_transaction_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e34",
		remaining_amount: 550_000,
	},
});

export const repaymentMoved = eventType({
	type: "repayment.moved",
	category: "REPAYMENT",
	description: "A payment that was booked on a wrong account counts on another one, under another id",
	data: z.object({
		...members,
		transaction_id: z.uuid().meta({ description: "The payment as it counts now" }),
		account_id: z.uuid().meta({ description: "The account on which it counts" }),
		from_account_id: z.uuid(),
		original_transaction_id: z.uuid(),
		reversal_transaction_id: z.uuid().meta({ description: "The reversal on the wrong account" }),
	}),
	example: {
		...repayment,
		from_account_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e15",
		original_transaction_id: ORIGINAL,
		reversal_transaction_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e34",
	},
});

export const repaymentUnmatched = eventType({
	type: "repayment.unmatched",
	category: "REPAYMENT",
	description: "A payment was reported for which no account was found",
	data: z.object({ unmatched_payment_id: z.uuid(), amount: z.int(), currency: z.string() }),
	example: { unmatched_payment_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e33", amount: 550_000, currency: "KES" },
});
