// Phone numbers, judged by libphonenumber's metadata.

import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/**
 * Whether the text is a number in E.164: a plus sign and digits, of a country that exists and of a length it has. Not
 * whether it is assigned: that is for whoever reached it to say.
 */
export const isE164 = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text) && parsePhoneNumberFromString(text)?.isPossible() === true;

/** Codes are sent to these countries only: premium numbers elsewhere are how senders of messages are robbed. */
const SERVED = new Map<string, "KE" | "UG" | "TZ" | "RW" | "ET">([
	["254", "KE"],
	["256", "UG"],
	["255", "TZ"],
	["250", "RW"],
	["251", "ET"],
]);

/** The E.164 form of a country code (with or without its plus sign) and a number as people write it; undefined for one that we do not serve. */
export function toServedNumber(countryCode: string, number: string): string | undefined {
	const country = SERVED.get(countryCode.trim().replace(/^\+/, ""));
	if (country === undefined || !/^[\d\s().-]{4,20}$/.test(number)) return undefined;
	const parsed = parsePhoneNumberFromString(number, country);
	return parsed?.isValid() && parsed.country === country ? parsed.number : undefined;
}
