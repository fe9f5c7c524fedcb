// What the head of a bank's file says: what stands between its values, and which of its columns is probably which.

const SEPARATORS = [
	["COMMA", ","],
	["SEMICOLON", ";"],
	["TAB", "\t"],
] as const;

/** By what a column is for, how banks call it. */
const CALLED = {
	time: /\b(?:value )?date\b|\btime\b/i,
	paid_in: /\bcredits?\b|\bpaid in\b|\bmoney in\b|\bdeposits?\b/i,
	withdrawn: /\bdebits?\b|\bwithdraw|\bmoney out\b|\bpaid out\b/i,
	amount: /\bamount\b/i,
	receipt: /\breceipt\b|\btransaction (?:id|no|ref)|\bref/i,
	details: /\bdetails?\b|\bnarrat|\bdescription\b|\bparticulars\b/i,
	balance: /\bbalance\b/i,
} as const;
export type BankColumn = keyof typeof CALLED;

export interface CsvHead {
	readonly separator: (typeof SEPARATORS)[number][0];
	readonly names: readonly string[];
	/** The name of the column that is probably for it. */
	readonly guessed: Readonly<Partial<Record<BankColumn, string>>>;
}

const LINES_LOOKED_AT = 40;

const valuesOf = (line: string, separator: string): string[] =>
	line.split(separator).map((value) => value.trim().replaceAll(/^"|"$/g, "").trim());

/** The first line with the most values; portals and banks write some lines about the account above it. */
export function headOf(text: string): CsvHead {
	const lines = text.replace("\ufeff", "").split(/\r?\n/, LINES_LOOKED_AT);
	const heads = SEPARATORS.map(([separator, sign]) => {
		const named = lines.map((line) => valuesOf(line, sign).filter((value) => value !== ""));
		const names = named.reduce((most, one) => (one.length > most.length && one.every(isName) ? one : most), [] as string[]);
		return { separator, names };
	});
	const { separator, names } = heads.reduce((most, one) => (one.names.length > most.names.length ? one : most));
	const guessed: Partial<Record<BankColumn, string>> = {};
	for (const column of Object.keys(CALLED) as BankColumn[]) {
		const name = names.find((one) => CALLED[column].test(one) && !Object.values(guessed).includes(one));
		if (name !== undefined) guessed[column] = name;
	}
	return { separator, names, guessed };
}

/** Of a column, and no value: amounts and dates have digits. */
const isName = (value: string): boolean => /\p{L}/u.test(value) && !/\d/.test(value);
