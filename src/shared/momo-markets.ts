// Where MTN MoMo pays: each market is a target environment with its own currency, numbers and wallets.

export type Market = {
	readonly currency: string;
	/** How its numbers begin. */
	readonly prefix: string;
};

/** By `X-Target-Environment`. The sandbox has one currency for all numbers. */
export const MARKETS = {
	sandbox: { currency: "EUR", prefix: "+" },
	mtnbenin: { currency: "XOF", prefix: "+229" },
	mtncameroon: { currency: "XAF", prefix: "+237" },
	mtncongo: { currency: "XAF", prefix: "+242" },
	mtnghana: { currency: "GHS", prefix: "+233" },
	mtnguineaconakry: { currency: "GNF", prefix: "+224" },
	mtnivorycoast: { currency: "XOF", prefix: "+225" },
	mtnliberia: { currency: "LRD", prefix: "+231" },
	mtnrwanda: { currency: "RWF", prefix: "+250" },
	mtnsouthafrica: { currency: "ZAR", prefix: "+27" },
	mtnswaziland: { currency: "SZL", prefix: "+268" },
	mtnuganda: { currency: "UGX", prefix: "+256" },
	mtnzambia: { currency: "ZMW", prefix: "+260" },
} as const satisfies Readonly<Record<string, Market>>;

type MarketName = keyof typeof MARKETS;
export const MARKET_NAMES = Object.keys(MARKETS) as [MarketName, ...MarketName[]];

export const marketOf = (name: string | undefined): Market | undefined =>
	name !== undefined && Object.hasOwn(MARKETS, name) ? MARKETS[name as MarketName] : undefined;
