// Credit accounts, their installments and what explains their balance on the wire.

import * as z from "zod";
import { resourceId } from "../../shared/ids";
import { toNumber } from "../../shared/money";
import { type Span, toTimestamp, toTimestampWithoutZone } from "../../shared/time";
import { LocalDate } from "../../shared/timestamp";
import { AvailableFrom, InterestRate, Tenure, toInterestRate, toTenure } from "../loan-products/model/wire";
import type { InterestRate as Rate } from "../loan-terms/periods.policy";
import type { Balance, Limits } from "./book/balance.policy";
import type { Inputs } from "./book/entries.policy";
import { EXPLAIN_RULES } from "./book/explain.policy";
import type { StandingInstallment } from "./book/installments.policy";
import type { Ledger } from "./book/ledger.policy";
import type { Standing } from "./book/standing.policy";
import type { Lifecycle } from "./postings/policy";
import type { CreditAccountRow } from "./table";

/** The account that a path names. */
export const accountPath = z.object({ accountId: z.uuid().toLowerCase() });

const STATUSES = [
	"PENDING",
	"ACTIVE",
	"SUSPENDED",
	"IN_ARREARS",
	"DEFAULTED",
	"CLOSED",
	"WRITTEN_OFF",
] as const satisfies readonly Lifecycle[];

/** An amount in minor units, negative or not. */
const amount = z.int();

export const CreditAccount = z
	.object({
		id: z.uuid(),
		resource_id: z.string(),
		account_number: z.string(),
		user_id: z.uuid(),
		type: z.literal("CREDIT"),
		credit_limit: amount.meta({ description: "Negative" }),
		available_limit: amount.meta({ description: "The amount that may still be drawn, negative" }),
		available_balance: amount.meta({ description: "The drawn amount, negative; positive when overpaid" }),
		balance: z.object({
			total_charged: amount,
			principal_used: amount,
			total_outstanding: amount,
			total_paid: amount,
			total_waived: amount,
			breakdown: z.object({
				principal_outstanding: amount,
				interest_outstanding: amount,
				arrears_outstanding: amount,
				penalty_outstanding: amount,
				refund_uncovered: amount.meta({
					description: "Refunded of a payment that bounced later; due on the day on which it bounced. Payments fill it first",
				}),
			}),
		}),
		settlement: z
			.object({ transaction_id: z.uuid(), amount_left: amount, valid_until: z.iso.date() })
			.nullable()
			.meta({ description: "Once so much more is paid in time, the rest of what is owed is waived" }),
		currency: z.string(),
		due_date: z.iso.date().nullable(),
		final_payment_due_date: z.iso.date().nullable(),
		status: z.enum(STATUSES),
		fee_basis_points: z.int(),
		interest_rate: InterestRate,
		limits: z.object({
			overdraft_limit: amount,
			minimum_transfer_amount: amount,
			maximum_transfer_amount: amount,
			daily_transfer_limit: amount,
		}),
		auto_renews: z.boolean(),
		paid_at: z.iso.datetime({ local: true }).nullable().meta({ description: "When the newest cycle was repaid, in UTC without a zone" }),
		can_transact: z.boolean(),
		available_from: AvailableFrom,
		payment_instructions: z
			.object({
				shortcode: z.string(),
				account_number: z.string(),
				text: z.string().meta({ description: "In the language that the borrower has chosen, else in that of `Accept-Language`" }),
			})
			.optional()
			.meta({ description: "How to repay by M-Pesa, where the lender has connected it; of one account only" }),
		next_cycle: z.object({ tenure: Tenure, interest_rate: InterestRate }).nullable().meta({ description: "The choice for the next cycle" }),
		created_at: z.iso.datetime(),
		updated_at: z.iso.datetime(),
	})
	.meta({ id: "CreditAccount" });

const day = LocalDate.optional();

/** The two time axes of a read. */
export const timeAxes = {
	as_of: day.meta({ description: "The day to show; today by default, or `known_at`" }),
	known_at: day.meta({ description: "Show what was known at the end of this day: nothing that was posted later counts" }),
};

/** An account as it stands today. */
export type AccountView = {
	readonly account: CreditAccountRow;
	readonly balance: Balance;
	readonly settlement: Ledger["settlement"];
	/** The most that the borrower may owe on it. */
	readonly limit: number;
	readonly limits: Limits;
	readonly standing: Standing;
	readonly status: Lifecycle;
	readonly mayTransact: boolean;
	/** When the newest cycle was repaid. */
	readonly paidAt: number | null;
	readonly nextCycle: { readonly tenure: Span; readonly interestRate: Rate } | null;
};

export function toCreditAccount(view: AccountView): z.input<typeof CreditAccount> {
	const { account, balance, settlement, limit, limits, standing, status, mayTransact, paidAt, nextCycle } = view;
	const { breakdown } = balance;
	return {
		id: account.id,
		resource_id: resourceId("acc", account.id),
		account_number: account.accountNumber,
		user_id: account.userId,
		type: "CREDIT",
		credit_limit: toNumber(limits.creditLimit),
		available_limit: toNumber(limits.availableLimit),
		available_balance: toNumber(limits.availableBalance),
		balance: {
			total_charged: toNumber(balance.totalCharged),
			principal_used: toNumber(breakdown.principal),
			total_outstanding: toNumber(balance.totalOutstanding),
			total_paid: toNumber(balance.totalPaid),
			total_waived: toNumber(balance.totalWaived),
			breakdown: {
				principal_outstanding: toNumber(breakdown.principal),
				interest_outstanding: toNumber(breakdown.interest),
				arrears_outstanding: toNumber(breakdown.arrears),
				penalty_outstanding: toNumber(breakdown.penalty),
				refund_uncovered: toNumber(breakdown.refundUncovered),
			},
		},
		settlement: settlement && {
			transaction_id: settlement.transactionId,
			amount_left: toNumber(settlement.left),
			valid_until: settlement.validUntil,
		},
		currency: account.currency,
		due_date: standing.dueDate,
		final_payment_due_date: standing.finalDueDate,
		status,
		fee_basis_points: account.terms.feeBasisPoints,
		interest_rate: toInterestRate(account.terms.interestRate),
		limits: {
			overdraft_limit: limit,
			minimum_transfer_amount: account.terms.amountStep,
			maximum_transfer_amount: limit,
			daily_transfer_limit: limit,
		},
		auto_renews: account.autoRenews,
		paid_at: paidAt === null ? null : toTimestampWithoutZone(paidAt),
		can_transact: mayTransact,
		next_cycle: nextCycle && { tenure: toTenure(nextCycle.tenure), interest_rate: toInterestRate(nextCycle.interestRate) },
		created_at: toTimestamp(account.createdAt),
		updated_at: toTimestamp(account.updatedAt),
	};
}

export const Installment = z
	.object({
		id: z.uuid().nullable().meta({
			description: "null where nothing is posted to it yet, as of penalties after the loan's end until the first of them is posted",
		}),
		cycle_id: z.uuid(),
		position: z.int(),
		due_date: z.iso.date(),
		status: z.enum(["UPCOMING", "DUE", "OVERDUE", "SETTLED", "WAIVED"]),
		principal: amount,
		interest: amount,
		arrears: amount.meta({ description: "The overdue part of the unpaid interest" }),
		penalty: amount,
		paid: amount,
		waived: amount,
		outstanding: amount.meta({ description: "principal + interest + penalty - paid - waived" }),
	})
	.meta({ id: "Installment" });

export const toInstallment = (id: string | null, row: StandingInstallment): z.input<typeof Installment> => ({
	id,
	cycle_id: row.cycleId,
	position: row.position,
	due_date: row.dueDate,
	status: row.status,
	principal: toNumber(row.principal),
	interest: toNumber(row.interest),
	arrears: toNumber(row.arrears),
	penalty: toNumber(row.penalty),
	paid: toNumber(row.paid),
	waived: toNumber(row.waived),
	outstanding: toNumber(row.outstanding),
});

export const Payoff = z
	.object({
		payoff_amount: amount,
		principal: amount,
		interest: amount,
		arrears: amount,
		penalty: amount,
		refund_uncovered: amount,
		currency: z.string(),
		on: z.iso.date(),
	})
	.meta({ id: "Payoff" });

export const toPayoff = ({ totalOutstanding, breakdown }: Balance, currency: string, on: string): z.input<typeof Payoff> => ({
	payoff_amount: toNumber(totalOutstanding),
	principal: toNumber(breakdown.principal),
	interest: toNumber(breakdown.interest),
	arrears: toNumber(breakdown.arrears),
	penalty: toNumber(breakdown.penalty),
	refund_uncovered: toNumber(breakdown.refundUncovered),
	currency,
	on,
});

const inputs = z
	.record(z.string(), z.union([z.number(), z.string(), z.boolean()]))
	.meta({ description: "The figures that the amount follows from" });

export const toInputs = (figures: Inputs): z.input<typeof inputs> =>
	Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, typeof figure === "bigint" ? toNumber(figure) : figure]));

export const Explanation = z
	.object({
		as_of: z.iso.date(),
		total_outstanding: amount,
		scheduled_total: amount.meta({
			description: "The sum of the installments with the interest still to come, if nothing is paid or drawn before they are due",
		}),
		currency: z.string(),
		lines: z.array(
			z.object({
				component: z.enum(["PRINCIPAL", "INTEREST", "ARREARS", "PENALTY", "REFUND_UNCOVERED"]),
				installment_id: z.uuid().nullable(),
				amount,
				rule: z.enum(EXPLAIN_RULES),
				inputs,
				transaction_id: z.uuid().nullable().meta({ description: "The transaction that drew, paid, waived or refunded the amount" }),
			}),
		),
	})
	.meta({ id: "Explanation" });
