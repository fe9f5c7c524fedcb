// The events that credit accounts raise. Amounts are in minor units of the currency.

import * as z from "zod";
import { eventType } from "../../shared/event-type";
import { RATE_UNITS, TENURE_UNITS } from "../loan-products/model/policy";

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

export const creditAccountOpened = eventType({
	type: "credit_account.opened",
	category: "CREDIT_ACCOUNT",
	description: "A credit account was opened by its first disbursement",
	data: z.object({ ...members, account_number: z.string(), currency: z.string(), opened_at: z.iso.datetime() }),
	example: { ...account, account_number: "1020481203377", currency: "KES", opened_at: "2026-03-02T09:30:00.000Z" },
});

export const creditAccountCycleStarted = eventType({
	type: "credit_account.cycle_started",
	category: "CREDIT_ACCOUNT",
	description: "A balance was drawn and its schedule was fixed",
	data: z.object({
		...members,
		cycle_id: z.uuid(),
		cycle_number: z.int().meta({ description: "Counts the account's cycles from 1" }),
		principal: z.int(),
		currency: z.string(),
		tenure: z.object({ duration: z.int(), unit: z.enum(TENURE_UNITS) }),
		final_payment_due_date: z.iso.date(),
	}),
	example: {
		...account,
		cycle_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e15",
		cycle_number: 1,
		principal: 500_000,
		currency: "KES",
		tenure: { duration: 30, unit: "DAYS" },
		final_payment_due_date: "2026-04-01",
	},
});

const cycle = { cycle_id: z.uuid() };
const installment = {
	...cycle,
	installment_id: z.uuid(),
	due_date: z.iso.date(),
	amount: z.int().meta({ description: "Outstanding" }),
	currency: z.string(),
};
const cycleExample = { ...account, cycle_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e15" };
const installmentExample = {
	...cycleExample,
	installment_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e21",
	due_date: "2026-04-01",
	amount: 550_000,
	currency: "KES",
};

export const creditAccountCycleClosed = eventType({
	type: "credit_account.cycle_closed",
	category: "CREDIT_ACCOUNT",
	description: "Everything that a cycle charged was repaid, waived or rolled over",
	data: z.object({ ...members, ...cycle, paid_at: z.iso.datetime() }),
	example: { ...cycleExample, paid_at: "2026-04-01T08:15:00.000Z" },
});

export const creditAccountInstallmentDue = eventType({
	type: "credit_account.installment_due",
	category: "CREDIT_ACCOUNT",
	description: "An installment falls due in three days",
	data: z.object({ ...members, ...installment }),
	example: installmentExample,
});

export const creditAccountInstallmentOverdue = eventType({
	type: "credit_account.installment_overdue",
	category: "CREDIT_ACCOUNT",
	description: "An installment was not settled by its due date",
	data: z.object({ ...members, ...installment, days_overdue: z.int() }),
	example: { ...installmentExample, days_overdue: 1 },
});

const penalty = {
	...cycle,
	installment_id: z.uuid(),
	penalty_number: z.int().meta({ description: "Counts the penalties of the installment from 1" }),
	amount: z.int(),
	currency: z.string(),
	posted_on: z.iso.date().meta({ description: "The day for which it is charged" }),
};
const penaltyExample = {
	...cycleExample,
	installment_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e21",
	penalty_number: 1,
	amount: 5_500,
	currency: "KES",
	posted_on: "2026-04-04",
};

export const creditAccountPenaltyApplied = eventType({
	type: "credit_account.penalty_applied",
	category: "CREDIT_ACCOUNT",
	description: "A penalty was charged",
	data: z.object({ ...members, ...penalty, base_amount: z.int(), rate_basis_points: z.int(), capped: z.boolean() }),
	example: { ...penaltyExample, base_amount: 550_000, rate_basis_points: 100, capped: false },
});

export const creditAccountPenaltyCorrected = eventType({
	type: "credit_account.penalty_corrected",
	category: "CREDIT_ACCOUNT",
	description: "A backdated posting or a reversal changed the amount of a penalty",
	data: z.object({ ...members, ...penalty, difference: z.int() }),
	example: { ...penaltyExample, amount: 0, difference: -5_500 },
});

export const creditAccountPenaltyWaived = eventType({
	type: "credit_account.penalty_waived",
	category: "CREDIT_ACCOUNT",
	description: "Penalties of an installment were given up",
	data: z.object({ ...members, ...cycle, installment_id: z.uuid(), transaction_id: z.uuid(), amount: z.int(), currency: z.string() }),
	example: {
		...cycleExample,
		installment_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e21",
		transaction_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e31",
		amount: 5_500,
		currency: "KES",
	},
});

export const creditAccountDefaulted = eventType({
	type: "credit_account.defaulted",
	category: "CREDIT_ACCOUNT",
	description: "An installment has been overdue for more than 90 days",
	data: z.object({ ...members, principal_at_default: z.int(), in_duplum_cap: z.int(), currency: z.string() }),
	example: { ...account, principal_at_default: 500_000, in_duplum_cap: 500_000, currency: "KES" },
});

export const creditAccountInDuplumReached = eventType({
	type: "credit_account.in_duplum_reached",
	category: "CREDIT_ACCOUNT",
	description:
		"A charge in default was trimmed or left out, because what may be charged has reached its cap: once until nothing is overdue any more",
	data: z.object({
		...members,
		defaulted_on: z.iso.date().meta({ description: "The first overdue day" }),
		cap: z.int().meta({
			description:
				"The principal outstanding on that day, less the interest and penalties that were unpaid: so much may be charged from then on",
		}),
		reached_on: z.iso.date(),
		currency: z.string(),
	}),
	example: { ...account, defaulted_on: "2026-04-02", cap: 500_000, reached_on: "2026-08-30", currency: "KES" },
});

export const creditAccountTenureChanged = eventType({
	type: "credit_account.tenure_changed",
	category: "CREDIT_ACCOUNT",
	description: "Another tenure was chosen for the next cycle",
	data: z.object({
		...members,
		tenure: z.object({ duration: z.int(), unit: z.enum(TENURE_UNITS) }),
		interest_rate: z.object({ basis_points: z.int(), period_value: z.int(), period_unit: z.enum(RATE_UNITS) }),
		applies_from: z.enum(["NOW", "NEXT_CYCLE"]),
	}),
	example: {
		...account,
		tenure: { duration: 60, unit: "DAYS" },
		interest_rate: { basis_points: 1_000, period_value: 30, period_unit: "DAYS" },
		applies_from: "NEXT_CYCLE",
	},
});

export const creditAccountLimitChanged = eventType({
	type: "credit_account.limit_changed",
	category: "CREDIT_ACCOUNT",
	description: "The most that the borrower may owe on the account was set to another amount",
	data: z.object({ ...members, old_limit: z.int(), new_limit: z.int(), currency: z.string() }),
	example: { ...account, old_limit: 500_000, new_limit: 750_000, currency: "KES" },
});

export const creditAccountWrittenOff = eventType({
	type: "credit_account.written_off",
	category: "CREDIT_ACCOUNT",
	description: "The debt was written off: nothing more is charged, and later payments still reduce it",
	data: z.object({
		...members,
		transaction_id: z.uuid(),
		amount: z.int().meta({ description: "Outstanding when it was written off" }),
		currency: z.string(),
		written_off_at: z.iso.datetime(),
	}),
	example: {
		...account,
		transaction_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e34",
		amount: 557_700,
		currency: "KES",
		written_off_at: "2026-09-01T09:30:00.000Z",
	},
});

export const creditAccountSettled = eventType({
	type: "credit_account.settled",
	category: "CREDIT_ACCOUNT",
	description: "A settlement was paid in time: the rest of what was owed is waived",
	data: z.object({ ...members, settlement_id: z.uuid(), waived: z.int(), currency: z.string() }),
	example: { ...account, settlement_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e38", waived: 157_700, currency: "KES" },
});

const payout = {
	transaction_id: z.uuid(),
	amount: z.int(),
	currency: z.string(),
};
const payoutExample = { ...account, transaction_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e35", amount: 20_000, currency: "KES" };

export const creditAccountDrawn = eventType({
	type: "credit_account.drawn",
	category: "CREDIT_ACCOUNT",
	description: "The borrower drew on the limit, and the money was paid out",
	data: z.object({ ...members, ...payout, ...cycle, mobile_money_transaction_id: z.string().nullable(), drawn_at: z.iso.datetime() }),
	example: {
		...payoutExample,
		cycle_id: cycleExample.cycle_id,
		mobile_money_transaction_id: "SJK4XL2M9Q",
		drawn_at: "2026-03-12T09:30:00.000Z",
	},
});

export const creditAccountDrawFailed = eventType({
	type: "credit_account.draw_failed",
	category: "CREDIT_ACCOUNT",
	description: "The money of a draw could not be paid out, and is not owed",
	data: z.object({ ...members, ...payout, failure_reason: z.string().meta({ description: "As the disburser reports it" }) }),
	example: { ...payoutExample, failure_reason: "RECIPIENT_UNREACHABLE" },
});

export const creditAccountOverpaymentRefunded = eventType({
	type: "credit_account.overpayment_refunded",
	category: "CREDIT_ACCOUNT",
	description: "The overpaid amount left the account, to be paid out",
	data: z.object({ ...members, ...payout }),
	example: payoutExample,
});

export const creditAccountRefundFailed = eventType({
	type: "credit_account.refund_failed",
	category: "CREDIT_ACCOUNT",
	description: "A refund could not be paid out, and the money is on the account again",
	data: z.object({
		...members,
		...payout,
		reversed_by: z.uuid().meta({ description: "The transaction that puts the money back" }),
		failure_reason: z.string(),
	}),
	example: { ...payoutExample, reversed_by: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e36", failure_reason: "RECIPIENT_UNREACHABLE" },
});

export const creditAccountClosed = eventType({
	type: "credit_account.closed",
	category: "CREDIT_ACCOUNT",
	description: "An account on which nothing is owed was closed",
	data: z.object({ ...members, closed_at: z.iso.datetime() }),
	example: { ...account, closed_at: "2026-09-01T09:30:00.000Z" },
});
