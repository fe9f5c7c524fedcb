// The days of a trend: of running totals, what each day has added.

import type * as z from "zod";
import { addDays } from "../../shared/time";
import type { TotalsRow } from "./trend.store";
import type { PortfolioTrend } from "./wire";

/** A currency without a row of a day had no loan yet. */
export function toTrend(rows: readonly TotalsRow[], days: number): z.input<typeof PortfolioTrend> {
	const [first] = rows;
	if (!first) return { from: null, to: null, data: [] };
	const { last } = first;
	const from = addDays(last, 1 - days);
	const data = [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, own]) => {
		const totals = new Map(own.map((row) => [row.day, row]));
		let before = totals.get(addDays(from, -1));
		return {
			currency,
			days: Array.from({ length: days }, (_, index) => {
				const day = addDays(from, index);
				const row = totals.get(day);
				const since = (name: "disbursed" | "collected") => (row?.[name] ?? before?.[name] ?? 0) - (before?.[name] ?? 0);
				const one = { day, disbursed: since("disbursed"), collected: since("collected") };
				before = row ?? before;
				return { ...one, overdue: row?.overdue ?? 0 };
			}),
		};
	});
	return { from, to: last, data };
}
