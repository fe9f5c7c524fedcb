// Phone numbers as people write them, pure.

/** Calling codes of two digits; those that begin with 1 or 7 have one, all others three. */
const TWO_DIGITS = /^(?:20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** The calling code and the rest: `+254 712 345 678`. */
export function countryCodeOf(text: string): { readonly mobile_country_code: string; readonly mobile_number: string } {
	const digits = text.replace(/^\s*(?:\+|00)/, "").replaceAll(/\D/g, "");
	const length = /^[17]/.test(digits) ? 1 : TWO_DIGITS.test(digits) ? 2 : 3;
	return { mobile_country_code: digits.slice(0, length), mobile_number: digits.slice(length) };
}
