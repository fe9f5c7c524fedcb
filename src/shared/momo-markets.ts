// Where MTN MoMo pays: each market is a target environment with its own currency, numbers and wallets.

export type Market = {
	readonly currency: string;
	/** How its numbers begin. */
	readonly prefix: string;
	/** Decimals of an amount: our amounts are in the currency's minor units. */
	readonly decimals: number;
};

/** By `X-Target-Environment`. The sandbox has one currency for all numbers. */
export const MARKETS = {
	sandbox: { currency: "EUR", prefix: "+", decimals: 2 },
	mtnbenin: { currency: "XOF", prefix: "+229", decimals: 0 },
	mtncameroon: { currency: "XAF", prefix: "+237", decimals: 0 },
	mtncongo: { currency: "XAF", prefix: "+242", decimals: 0 },
	mtnghana: { currency: "GHS", prefix: "+233", decimals: 2 },
	mtnguineaconakry: { currency: "GNF", prefix: "+224", decimals: 0 },
	mtnivorycoast: { currency: "XOF", prefix: "+225", decimals: 0 },
	mtnliberia: { currency: "LRD", prefix: "+231", decimals: 2 },
	mtnrwanda: { currency: "RWF", prefix: "+250", decimals: 0 },
	mtnsouthafrica: { currency: "ZAR", prefix: "+27", decimals: 2 },
	mtnswaziland: { currency: "SZL", prefix: "+268", decimals: 2 },
	mtnuganda: { currency: "UGX", prefix: "+256", decimals: 0 },
	mtnzambia: { currency: "ZMW", prefix: "+260", decimals: 2 },
} as const satisfies Readonly<Record<string, Market>>;

type MarketName = keyof typeof MARKETS;
export const MARKET_NAMES = Object.keys(MARKETS) as [MarketName, ...MarketName[]];

export const marketOf = (name: string | undefined): Market | undefined =>
	name !== undefined && Object.hasOwn(MARKETS, name) ? MARKETS[name as MarketName] : undefined;

/** `300` or `300.5`: no decimal more than needed. */
export function textOf(amount: number, { decimals }: Market): string {
	const digits = String(amount).padStart(decimals + 1, "0");
	const [whole, fraction] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)];
	return decimals === 0 ? digits : `${whole}.${fraction}`.replace(/\.?0+$/, "");
}

/** The amount in minor units that a text says; undefined for any other, and for fractions of them. */
export function amountIn(said: string | undefined, { decimals }: Market): number | undefined {
	const [, whole, fraction = ""] = /^(\d{1,12})(?:\.(\d{1,4}))?$/.exec(said?.trim() ?? "") ?? [];
	if (whole === undefined || /[1-9]/.test(fraction.slice(decimals))) return undefined;
	return Number(`${whole}${fraction.slice(0, decimals).padEnd(decimals, "0")}`);
}
