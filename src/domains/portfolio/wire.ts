// Portfolios on the wire. Amounts are in minor units.

import * as z from "zod";
import { FACT_KINDS } from "../credit-accounts/book/facts.policy";

const amount = z.int();
const description = (text: string) => ({ description: text });

const Parts = z
	.object({
		principal: amount,
		interest: amount.meta(description("With fees, overdue or not")),
		penalty: amount,
		refund_uncovered: amount.meta(description("Of what was refunded of a payment that bounced later")),
	})
	.meta({ title: "PortfolioParts" });

/** The lines of a general ledger; docs/portfolio.md says which account each debits and credits. */
export const Period = z
	.object({
		disbursed: amount,
		rolled_over: amount.meta(description("Principal that a new cycle has beyond what the old one was owed, and is overpaid")),
		fees: amount.meta(description("Access fees charged, less what was waived of them before it was earned")),
		fees_unearned: amount.meta(description("The growth of fees that are charged and not yet earned; negative once they are earned")),
		fees_given_up: amount.meta(description("Unearned fees of loans that were written off")),
		interest_earned: amount,
		penalties_charged: amount,
		repaid: Parts,
		waived: Parts,
		written_off: Parts,
		recovered: amount.meta(description("Repaid after the write-off")),
		overpaid: amount.meta(description("Repaid, and taken by nothing")),
		overpayment_used: amount.meta(description("Of what was overpaid, what paid something later")),
		refunded: amount.meta(description("Of what was overpaid")),
		refunded_uncovered: amount.meta(description("Beyond what was overpaid after all: the borrower owes it")),
	})
	.meta({ id: "PortfolioPeriod" });

const balances = {
	principal: amount,
	interest: amount.meta(description("Not yet overdue")),
	arrears: amount.meta(description("Overdue interest")),
	penalty: amount,
	refund_uncovered: amount,
	overpaid: amount,
};

export const Portfolio = z
	.object({
		organization_id: z.uuid(),
		loan_product_id: z.uuid(),
		currency: z.string(),
		as_of: z.iso.date().meta(description("The closed day. Its figures are what was known at its end, and never change")),
		from: z.iso.date().meta(description("The first day of `period`")),
		balances: z.object({ accounts: z.int().meta(description("On which anything is owed or overpaid")), ...balances }),
		past_due: z
			.array(
				z.object({
					over_days: z.int(),
					accounts: z.int(),
					principal: amount.meta(description("All that these accounts owe of it")),
				}),
			)
			.length(4)
			.meta(
				description(
					"Of accounts with an installment or an uncovered refund overdue for more days than 0, 30, 60 and 90; none is written off",
				),
			),
		period: Period,
	})
	.meta({ id: "Portfolio" });

export const PortfolioAccount = z
	.object({
		account_id: z.uuid(),
		account_number: z.string(),
		loan_product_id: z.uuid(),
		currency: z.string(),
		as_of: z.iso.date(),
		known_at: z.iso.date().meta(description("The day at whose end the facts were known that these figures are computed from")),
		...balances,
		overdue: amount.meta(description("Unpaid of the overdue installments, with an overdue refund_uncovered")),
		oldest_due_date: z.iso.date().nullable().meta(description("Of the oldest overdue installment, or of an uncovered refund")),
		days_past_due: z.int(),
		user_id: z.uuid().meta(description("The borrower")),
	})
	.meta({ id: "PortfolioAccount" });

export const PortfolioEntry = z
	.object({
		account_id: z.uuid(),
		account_number: z.string(),
		loan_product_id: z.uuid(),
		currency: z.string(),
		from: z.iso.date(),
		to: z.iso.date(),
		period: Period,
	})
	.meta({ id: "PortfolioEntry" });

export const PortfolioTransaction = z
	.object({
		id: z.uuid(),
		account_id: z.uuid(),
		account_number: z.string(),
		loan_product_id: z.uuid(),
		kind: z.enum(FACT_KINDS),
		amount: amount.meta(description("Positive, but for corrections of penalties")),
		currency: z.string(),
		value_date: z.iso.date(),
		posted_at: z.iso.datetime(),
		reverses_id: z.uuid().nullable(),
		reason: z.string().nullable(),
	})
	.meta({ id: "PortfolioTransaction" });

export const PortfolioTrend = z
	.object({
		from: z.iso.date().nullable(),
		to: z.iso.date().nullable(),
		data: z.array(
			z.object({
				currency: z.string(),
				days: z.array(
					z.object({
						day: z.iso.date(),
						disbursed: amount,
						collected: amount.meta(description("Payments posted, less reversals")),
						overdue: amount.meta(description("Principal of the accounts with an overdue installment")),
					}),
				),
			}),
		),
	})
	.meta({ id: "PortfolioTrend" });
