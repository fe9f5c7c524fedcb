// Checks phone numbers. The `mobile` metadata knows the possible lengths of all numbers, but the valid ranges of mobile numbers only.

import { parsePhoneNumberFromString } from "libphonenumber-js/mobile";

/**
 * Whether the text is a number in E.164 form: a plus sign and digits, with an existing country code and a possible length.
 * Does not check that the number is in use.
 */
export const isE164 = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text) && parsePhoneNumberFromString(text)?.isPossible() === true;

/** The countries to which codes are sent. Limits fraud with premium-rate numbers abroad. */
const SERVED = new Map<string, "KE" | "UG" | "TZ" | "RW" | "ET">([
	["254", "KE"],
	["256", "UG"],
	["255", "TZ"],
	["250", "RW"],
	["251", "ET"],
]);

/**
 * The E.164 form of a calling code (with or without the plus sign) and a number as people write it; undefined when it is not a
 * mobile number of a served country: codes to premium, toll-free and fixed lines would only cost money.
 */
export function toServedNumber(countryCode: string, number: string): string | undefined {
	const country = SERVED.get(countryCode.trim().replace(/^\+/, ""));
	if (country === undefined || !/^[\d\s().-]{4,20}$/.test(number)) return undefined;
	const parsed = parsePhoneNumberFromString(number, country);
	return parsed?.isValid() && parsed.country === country && parsed.getType() === "MOBILE" ? parsed.number : undefined;
}
