// Whether the days of a statement tie out: what a day began with and what moved must make what it ended with.

/** The sums of one day's lines; the balances are those before its first and after its last line, as the file says them. */
export type DaySums = {
	readonly day: string;
	readonly lines: number;
	readonly moneyIn: number;
	readonly moneyOut: number;
	readonly charges: number;
	readonly first: number | null;
	readonly last: number | null;
};

export type Day = Omit<DaySums, "first" | "last"> & {
	readonly opening: number | null;
	readonly closing: number | null;
	/** What is missing between them; null where the file has no balances. */
	readonly difference: number | null;
};

/** `before`: what the account's statement of the days before ended with. A day begins with what the one before ended with. */
export function tieOut(days: readonly DaySums[], before: number | null): readonly Day[] {
	let carried = before;
	return days.map(({ first, last, ...sums }) => {
		const opening = carried ?? first;
		const difference = opening === null || last === null ? null : opening + sums.moneyIn - sums.moneyOut - last;
		carried = last;
		return { ...sums, opening, closing: last, difference };
	});
}
