// Whether the days of a statement tie out: what a day began with and what moved must make what it ended with.

/** The sums of one day's lines. `first` is the balance before the first line, `last` the balance after the last, as the file has them. */
export type DaySums = {
	readonly day: string;
	readonly lines: number;
	readonly moneyIn: number;
	readonly moneyOut: number;
	readonly charges: number;
	/** What the provider charged, less what it gave back of charges. */
	readonly charged: number;
	readonly first: number | null;
	readonly last: number | null;
};

export type Day = Omit<DaySums, "first" | "last"> & {
	readonly opening: number | null;
	readonly closing: number | null;
	/** The amount that is missing between them; null if the file has no balances. */
	readonly difference: number | null;
};

/** Each day opens with the closing balance of the day before. `before`: that of the account's statement before this one. */
export function tieOut(days: readonly DaySums[], before: number | null): readonly Day[] {
	let carried = before;
	return days.map(({ first, last, ...sums }) => {
		const opening = carried ?? first;
		const difference = opening === null || last === null ? null : opening + sums.moneyIn - sums.moneyOut - last;
		carried = last;
		return { ...sums, opening, closing: last, difference };
	});
}
