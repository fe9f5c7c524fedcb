// What a payer may have meant by the text they gave for an account number.

/** The country codes of currencies in which people write their numbers without one. */
const COUNTRIES: Readonly<Record<string, string>> = { KES: "254", UGX: "256", TZS: "255", RWF: "250", GHS: "233", NGN: "234", ZAR: "27" };

const ACCOUNT_DIGITS = 13;

export interface Names {
	readonly accountNumber?: string;
	/** A tag, or a mobile number in its international form. */
	readonly user?: string;
}

export function namesIn(text: string, currency: string): Names {
	const written = text.trim();
	if (/^@\w+$/.test(written)) return { user: written };
	const digits = written.replaceAll(/[\s().-]/g, "");
	const mobile = mobileOf(digits, COUNTRIES[currency]);
	const number = digits.replaceAll(/\D/g, "");
	return {
		...(number.length === ACCOUNT_DIGITS && !digits.startsWith("+") && { accountNumber: number }),
		...(mobile && { user: mobile }),
	};
}

function mobileOf(digits: string, country: string | undefined): string | undefined {
	if (/^\+[1-9]\d{6,14}$/.test(digits)) return digits;
	if (country && /^0[1-9]\d{7,9}$/.test(digits)) return `+${country}${digits.slice(1)}`;
	return country && digits.startsWith(country) && /^\d{10,13}$/.test(digits) ? `+${digits}` : undefined;
}
