// A provider's tariff as people type it: a line for each band with its largest amount and its fee, and the fee alone in the last line.

import { minorOf } from "../amounts.ts";

export interface Band {
	readonly up_to: number | null;
	readonly fee: number;
}

const units = (text: string, currency: string): number | undefined => (/^0+(\.0+)?$/.test(text) ? 0 : minorOf(text, currency));

/** The bands, or the text that cannot be one. */
export function bandsOf(lines: readonly string[], currency: string): readonly Band[] | string {
	const bands: Band[] = [];
	for (const [index, line] of lines.entries()) {
		const isLast = index === lines.length - 1;
		const [first = "", second, another] = line.split(/[\s:;=]+/).filter(Boolean);
		const most = isLast ? null : units(first, currency);
		const fee = units((isLast ? first : second) ?? "", currency);
		if (most === undefined || fee === undefined || another !== undefined || (isLast && second !== undefined)) return line;
		bands.push({ up_to: most, fee });
	}
	return bands;
}
