// Checks phone numbers, with what `npm run phone-numbering` keeps of libphonenumber's metadata: the lengths of all numbers, and the
// mobile numbers of the countries served.

import { type MetadataJson, parsePhoneNumberFromString } from "libphonenumber-js/core/es6";
import numbering from "../../../shared/phone-numbering.json" with { type: "json" };

const lengthsByCode = new Map(
	Object.entries(numbering.codes_by_lengths).flatMap(([lengths, codes]) =>
		codes.map((code) => [code, new Set(lengths.split(",").map(Number))] as const),
	),
);

/**
 * Whether the text is a number in E.164 form: a plus sign and digits, with an existing country code and a possible length.
 * Does not check that the number is in use.
 */
export function isE164(text: string): boolean {
	if (!/^\+[1-9]\d{6,14}$/.test(text)) return false;
	// No country code begins with another one, so at most one of the three exists.
	return [1, 2, 3].some((digits) => lengthsByCode.get(text.slice(1, 1 + digits))?.has(text.length - 1 - digits));
}

/** The countries to which codes are sent. Limits fraud with premium-rate numbers abroad. */
const SERVED = new Map<string, "KE" | "UG" | "TZ" | "RW" | "ET">([
	["254", "KE"],
	["256", "UG"],
	["255", "TZ"],
	["250", "RW"],
	["251", "ET"],
]);

const served = numbering.served as unknown as MetadataJson;

export const SERVED_CODES: readonly string[] = [...SERVED.keys()];

/**
 * The E.164 form of a calling code (with or without the plus sign) and a number as people write it, also in that form; undefined when it is not a
 * mobile number of a served country: codes to premium, toll-free and fixed lines would only cost money.
 */
export function toServedNumber(countryCode: string, number: string): string | undefined {
	const country = SERVED.get(countryCode.trim().replace(/^\+/, ""));
	if (country === undefined || !/^\+?[\d\s().-]{4,20}$/.test(number)) return undefined;
	const parsed = parsePhoneNumberFromString(number, country, served);
	return parsed?.isValid() && parsed.country === country && parsed.getType() === "MOBILE" ? parsed.number : undefined;
}
