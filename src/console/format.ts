// How values are written: amounts, times by the service's clock, ids.

import { amountText } from "../shared/currency.ts";

/** An amount in minor units as people read it: `71,007.25`. The currency stands in the head of its column. */
export const money = (minor: number, currency: string): string =>
	amountText(minor, currency)
		.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, ",")
		.replace("-", "−");

/** An amount in a sentence: `71,007.25 KES`. An amount without one currency is shown as stored. */
export const amountIn = (currency: string | null, minor: number): string =>
	currency === null ? `${count(minor)} minor units` : `${money(minor, currency)} ${currency}`;

const COUNTED = new Intl.NumberFormat("en");
export const count = (value: number): string => COUNTED.format(value);

/** A share from 0 to 1: `80.7 %`, and 100 % only when it is. */
export function percent(share: number): string {
	if (share === 1) return "100 %";
	return `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
}

/** `23 ms`, `1.4 s`, `12 s` */
export function milliseconds(ms: number): string {
	if (ms < 1000) return `${Math.round(ms)} ms`;
	return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

const UNITS: readonly (readonly [unit: string, ms: number])[] = [
	["y", 365 * 86_400_000],
	["mo", 30 * 86_400_000],
	["d", 86_400_000],
	["h", 3_600_000],
	["min", 60_000],
	["s", 1_000],
];

/** A length of time by its greatest unit: `14 h`. */
export function span(ms: number): string {
	const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? ["s", 1_000];
	return `${Math.floor(ms / size)} ${unit}`;
}

/** `14 h ago`, `in 6 d`, `now` */
export function relative(at: number, now: number): string {
	const away = at - now;
	if (Math.abs(away) < 1_000) return "now";
	return away < 0 ? `${span(-away)} ago` : `in ${span(away)}`;
}

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const MINUTE = new Intl.DateTimeFormat("en-GB", {
	day: "numeric",
	month: "short",
	year: "numeric",
	hour: "2-digit",
	minute: "2-digit",
	hourCycle: "h23",
});
const SECOND = new Intl.DateTimeFormat("en-GB", {
	day: "numeric",
	month: "short",
	year: "numeric",
	hour: "2-digit",
	minute: "2-digit",
	second: "2-digit",
	fractionalSecondDigits: 3,
	hourCycle: "h23",
	timeZoneName: "short",
});

/** A calendar day of the service, `2026-03-06`: `6 Mar 2026`. */
export const day = (date: string): string => DAY.format(Date.parse(`${date.slice(0, 10)}T00:00:00Z`));
/** `6 Mar 2027, 06:48`, where the reader is. */
export const minute = (at: number): string => MINUTE.format(at);
export const exact = (at: number): string => SECOND.format(at);

/** The last eight characters of an id, which differ most. */
export const shortId = (id: string): string => id.slice(-8);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isId = (text: string): boolean => UUID.test(text);

/** `TEN_FAILED_DELIVERIES` or `organization-owner` as words, for what has no sentence of its own. */
export function words(code: string): string {
	const text = code.toLowerCase().replaceAll(/[_-]/g, " ");
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One of one, several of several. */
export const plural = (amount: number, one: string, several = `${one}s`): string => `${count(amount)} ${amount === 1 ? one : several}`;

const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** An ISO 8601 duration in words: `5 s`. */
export function duration(text: string): string {
	const [, ...parts] = DURATION.exec(text) ?? [];
	return parts.flatMap((part, index) => (part ? [`${part} ${["d", "h", "min", "s"][index]}`] : [])).join(" ") || text;
}

/** Calling codes of two digits; those that begin with 1 or 7 have one, all others three. */
const TWO_DIGITS = /^(?:20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** The calling code and the rest: `+254 712 345 678`. */
export function countryCodeOf(text: string): { readonly mobile_country_code: string; readonly mobile_number: string } {
	const digits = text.replace(/^\s*(?:\+|00)/, "").replaceAll(/\D/g, "");
	const length = /^[17]/.test(digits) ? 1 : TWO_DIGITS.test(digits) ? 2 : 3;
	return { mobile_country_code: digits.slice(0, length), mobile_number: digits.slice(length) };
}
