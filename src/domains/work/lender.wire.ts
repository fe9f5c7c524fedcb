// What waits for a lender's people, on the wire.

import * as z from "zod";
import { PAYMENT_PROVIDERS, type PaymentProvider } from "../../shared/payment-providers";
import { type CalendarDate, toTimestamp } from "../../shared/time";
import type { LowFloat } from "../connections/model/float.policy";
import { type Counted, MOST_COUNTED } from "./wire";

const count = z.int().meta({ description: `At most ${MOST_COUNTED}` });
const more = z.boolean().meta({ description: "There is more than what was counted" });

const Waiting = z
	.object({ count, more, oldest: z.iso.datetime().nullable().meta({ description: "Since when the oldest has waited" }) })
	.meta({ id: "Waiting" });

export const LenderAttention = z
	.object({
		today: z.iso.date(),
		due_today: z.object({ count, more }).meta({ description: "Accounts whose oldest unpaid installment is due today" }),
		overdue: z
			.object({
				count,
				more,
				amounts: z.array(z.object({ value: z.int(), currency: z.string() })).meta({ description: "As the last day was closed" }),
				oldest_due_date: z.iso.date().nullable(),
				past_due: z.array(z.object({ over_days: z.int(), count })).meta({ description: "Of these accounts, by days past due" }),
			})
			.meta({ description: "Accounts that were overdue when the last day was closed, and still are; none is written off" }),
		unmatched_payments: Waiting,
		waiting_users: Waiting.meta({ description: "Users on the waiting list" }),
		payouts: Waiting.meta({ description: "Payouts that have not ended for ten minutes" }),
		approvals: Waiting,
		statement_breaks: Waiting.extend({
			amounts: z
				.array(z.object({ value: z.int(), currency: z.string() }))
				.meta({ description: "By how much the statements move more than what is recorded here" }),
			untied_days: count.meta({ description: "Days whose statement does not tie out by itself: its file lacks lines" }),
		}).meta({ id: "WaitingBreaks" }),
		paused_connections: z.array(
			z.object({
				provider: z.enum(PAYMENT_PROVIDERS),
				reason: z.string().nullable(),
				until: z.iso.datetime().nullable().meta({ description: "null: until somebody resumes it" }),
			}),
		),
		low_floats: z
			.array(
				z
					.object({
						provider: z.enum(PAYMENT_PROVIDERS),
						currency: z.string(),
						available: z.int().meta({ description: "The money in the account from which it pays, in minor units" }),
						waiting: z.int().meta({ description: "Payouts that have not ended" }),
						paid_last_day: z.int().meta({ description: "Its payouts of the last 24 hours" }),
						as_of: z.iso.datetime().meta({ description: "When the provider reported it" }),
						since: z.iso.datetime().meta({ description: "When it was first too low" }),
					})
					.meta({ id: "LowFloat" }),
			)
			.meta({ description: "Connections whose account holds less than what waits and as much as was paid out within a day" }),
	})
	.meta({ id: "LenderAttention" });

export type OverdueRow = {
	readonly currency: string;
	readonly count: number;
	/** As the last day was closed. */
	readonly value: number;
	readonly oldestDue: CalendarDate;
	readonly over30: number;
	readonly over60: number;
	readonly over90: number;
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const bounded = (found: number) => ({ count: Math.min(found, MOST_COUNTED), more: found > MOST_COUNTED });

export const toCount = (rows: readonly { readonly count: number }[]) => bounded(sum(rows.map((row) => row.count)));

export function toWaiting(rows: readonly Counted[]): z.input<typeof Waiting> {
	const instants = rows.flatMap(({ oldest }) => (oldest === null ? [] : [oldest]));
	return { ...toCount(rows), oldest: instants.length === 0 ? null : toTimestamp(Math.min(...instants)) };
}

export const toLowFloat = (
	provider: PaymentProvider,
	{ currency, available, waiting, paidLastDay, at, since }: LowFloat,
): z.input<typeof LenderAttention>["low_floats"][number] => ({
	...{ provider, currency, available, waiting },
	...{ paid_last_day: paidLastDay, as_of: toTimestamp(at), since: toTimestamp(since) },
});

export function toAmounts(rows: readonly { readonly currency: string; readonly value: number }[]) {
	const currencies = Map.groupBy(rows, ({ currency }) => currency);
	return [...currencies].map(([currency, ofIt]) => ({ value: sum(ofIt.map(({ value }) => value)), currency }));
}

export function toOverdue(rows: readonly OverdueRow[]): z.input<typeof LenderAttention>["overdue"] {
	const [oldest = null]: (CalendarDate | null)[] = rows.map(({ oldestDue }) => oldestDue).sort();
	const past = (over_days: number, of: (row: OverdueRow) => number) => ({ over_days, count: bounded(sum(rows.map(of))).count });
	return {
		...toCount(rows),
		amounts: toAmounts(rows),
		oldest_due_date: oldest,
		past_due: [
			past(0, (row) => row.count),
			past(30, ({ over30 }) => over30),
			past(60, ({ over60 }) => over60),
			past(90, ({ over90 }) => over90),
		],
	};
}
