// The terms of current accounts as operators write them in CURRENT_ACCOUNTS: currency, time zone, limits and dated interest rates.

import * as z from "zod";
import { list } from "../shared/bounded";
import { CurrencyCode } from "../shared/currency-code";
import { isTimeZone } from "../shared/time";
import { LocalDate } from "../shared/timestamp";

/** The most that an account may hold, in minor units. */
export const MAX_BALANCE = 1_000_000_000_000;

const amount = z.int().min(1).max(MAX_BALANCE);

const Limits = z
	.strictObject({
		minimum_transfer_amount: amount.default(1),
		maximum_transfer_amount: amount.default(25_000_000),
		daily_transfer_limit: amount.default(50_000_000),
	})
	.refine(
		(limits) =>
			limits.minimum_transfer_amount <= limits.maximum_transfer_amount && limits.maximum_transfer_amount <= limits.daily_transfer_limit,
		"must not decrease from the minimum to the maximum to the daily limit",
	)
	.transform((limits) => ({
		minimumTransferAmount: limits.minimum_transfer_amount,
		maximumTransferAmount: limits.maximum_transfer_amount,
		dailyTransferLimit: limits.daily_transfer_limit,
	}));

const Rate = z
	.strictObject({
		from: LocalDate,
		annual_rate_basis_points: z.int().min(0).max(10_000),
	})
	.transform(({ from, annual_rate_basis_points }) => ({ from, annualBasisPoints: annual_rate_basis_points }));

export const CurrentAccountTerms = z.strictObject({
	currency: CurrencyCode.default("KES"),
	time_zone: z.string().refine(isTimeZone, "must be an IANA time zone").default("Africa/Nairobi"),
	limits: Limits.prefault({}),
	// Interest is computed from all rates since an account was opened, so operators may change rates of future days only.
	interest_rates: list(Rate, { min: 0, max: 200 })
		.refine((rates) => new Set(rates.map(({ from }) => from)).size === rates.length, "must not have two rates from the same day")
		.transform((rates) => rates.toSorted((a, b) => (a.from < b.from ? -1 : 1)))
		.prefault([]),
});

export type CurrentAccountTerms = z.output<typeof CurrentAccountTerms>;
