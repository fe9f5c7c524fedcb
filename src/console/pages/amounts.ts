// Amounts as people type them.

import { amountText, decimalsOf } from "../../shared/currency.ts";

/** `1,250.5` in minor units; undefined for what is no amount above zero of the currency. */
export function minorOf(text: string, currency: string | null): number | undefined {
	const places = currency === null ? 0 : decimalsOf(currency);
	const [, whole, fraction = ""] = /^(\d{1,3}(?:[, ]?\d{3})*|\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? [];
	if (whole === undefined || fraction.length > places) return undefined;
	const minor = Number(whole.replaceAll(/[, ]/g, "") + fraction.padEnd(places, "0"));
	return minor > 0 && Number.isSafeInteger(minor) ? minor : undefined;
}

/** Minor units as a field shows them: `1250.50`. */
export const typed = (minor: number, currency: string | null): string => (currency === null ? String(minor) : amountText(minor, currency));
