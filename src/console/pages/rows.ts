// Rows of a list as a table for spreadsheets (CSV, RFC 4180): a column for each value, amounts in the currency's own unit.

import { amountText } from "../../shared/currency.ts";

type Row = Readonly<Record<string, unknown>>;

/** Whole numbers that count something else than money, in rows that have a currency; all others there are amounts in minor units. */
const COUNTS = /basis_points$|period_value$|duration$|days|(?:^|\.)(?:accounts|delivered|failed|line|sent|position|(?:from_)?stage)$/;
/** Whether a whole number by this name is an amount, in a row that names its currency. */
export const isAmount = (name: string): boolean => !COUNTS.test(name);

/** The values of a row by the names of their columns; those of an object have its name before theirs. */
export function cellsOf(row: Row, before = "", currency: unknown = undefined): Record<string, string> {
	const own = row.currency ?? currency;
	const cells: Record<string, string> = {};
	for (const [member, value] of Object.entries(row)) {
		const name = before + member;
		if (value === null || value === undefined) cells[name] = "";
		else if (Array.isArray(value)) {
			cells[name] = value.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one))).join("; ");
		} else if (typeof value === "object") Object.assign(cells, cellsOf(value as Row, `${name}.`, own));
		else if (typeof value === "number" && typeof own === "string" && Number.isInteger(value) && isAmount(name))
			cells[name] = amountText(value, own);
		else cells[name] = String(value);
	}
	return cells;
}

/** Text that a spreadsheet would take for a formula begins with an apostrophe; numbers are left as they are. */
function quoted(text: string): string {
	const safe = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
	return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** `currency`: that of rows which name none. */
export function csvOf(rows: readonly Row[], currency?: string): string {
	const all = rows.map((row) => cellsOf(row, "", currency));
	const names = [...new Set(all.flatMap(Object.keys))];
	return [names, ...all.map((cells) => names.map((name) => cells[name] ?? ""))].map((line) => `${line.map(quoted).join(",")}\r\n`).join("");
}
