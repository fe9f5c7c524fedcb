// Currencies of ISO 4217, and how their amounts are written. Amounts are integers in the currency's minor units: 50,000 UGX is 50000,
// 50,000.00 KES is 5000000. The codes in use in 2026, without funds, metals and codes for testing, which nobody lends in.
// `Intl` follows CLDR, which gives IQD and others no decimals because cash has none.

const BY_DECIMALS: Readonly<Record<number, string>> = {
	0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
	2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD
		EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD
		MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK
		SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
	3: "BHD IQD JOD KWD LYD OMR TND",
};

const DECIMALS: ReadonlyMap<string, number> = new Map(
	Object.entries(BY_DECIMALS).flatMap(([decimals, codes]) => codes.split(/\s+/).map((code) => [code, Number(decimals)] as const)),
);

export const isCurrency = (code: string): boolean => DECIMALS.has(code);

/** How many decimals an amount of the currency has. Two for a code that is no currency, as records from before the check may have one. */
export const decimalsOf = (currency: string): number => DECIMALS.get(currency) ?? 2;

/** An amount without its currency, with all of the currency's decimals: `71007.25`, `50000` or `12.345`. */
export function amountText(minorUnits: number, currency: string): string {
	const decimals = decimalsOf(currency);
	const digits = String(Math.abs(minorUnits)).padStart(decimals + 1, "0");
	const sign = minorUnits < 0 ? "-" : "";
	return decimals === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The same without needless zeros, as providers' requests have it: `300` or `300.5`. */
export const shortAmountText = (minorUnits: number, currency: string): string =>
	amountText(minorUnits, currency)
		.replace(/(\.\d*?)0+$/, "$1")
		.replace(/\.$/, "");

/** The minor units that a provider's text says, such as `300` or `300.50`; undefined for any other, and for fractions of a minor unit. */
export function minorUnitsIn(said: string | undefined, currency: string): number | undefined {
	const decimals = decimalsOf(currency);
	const [, whole, fraction = ""] = /^(\d{1,12})(?:\.(\d{1,4}))?$/.exec(said?.trim() ?? "") ?? [];
	if (whole === undefined || /[1-9]/.test(fraction.slice(decimals))) return undefined;
	return Number(`${whole}${fraction.slice(0, decimals).padEnd(decimals, "0")}`);
}
