// Which number of the lender's own ledger each account of the chart has, by versions that count from a day on.

import type { CalendarDate } from "../../../shared/time";
import { CHART, CHART_ACCOUNTS, type ChartName } from "./chart.policy";

export type MappedAccount = {
	/** Of the chart. */
	readonly account: string;
	/** Of the lender's own ledger. */
	readonly number: string;
	/** Its name there. */
	readonly name: string | null;
};

/** A letter or digit first, so that no spreadsheet takes it for a formula. */
export const OWN_NUMBER = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,19}$/;

/** Each line on these belongs to a loan product. The others have lines of no product too, so one number holds all of their lines. */
const BY_PRODUCT: readonly ChartName[] = [
	...([
		"principal",
		"interest",
		"penalties",
		"refundsReceivable",
		"suspendedInterest",
		"provisions",
		"borrowersCredit",
		"unearnedFees",
	] as const),
	...(["interestIncome", "feeIncome", "penaltyIncome", "recoveries", "incomeSuspended"] as const),
	...(["waivers", "writeOffs", "impairment"] as const),
];
const NUMBERS_BY_PRODUCT: ReadonlySet<string> = new Set(BY_PRODUCT.map((name) => CHART[name].number));
export const isByProduct = (account: string): boolean => NUMBERS_BY_PRODUCT.has(account);

/** The `loanProductId` of a version for all products without numbers of their own. */
export const ALL_PRODUCTS = "";

/**
 * Why nobody can map so; undefined if they can. A version for all products names each account of the chart, so that every entry has a
 * number, also those of products that are made later.
 */
export function faultOf(loanProductId: string, accounts: readonly Pick<MappedAccount, "account">[]): string | undefined {
	const named = accounts.map(({ account }) => account);
	const some = (faulty: readonly string[], why: string) => (faulty.length > 0 ? `${why}: ${[...new Set(faulty)].join(", ")}` : undefined);
	const chart = CHART_ACCOUNTS.map(({ number }) => number);
	const unknown = some(
		named.filter((account) => !chart.includes(account)),
		"has accounts that are not in the chart",
	);
	const twice = some(
		named.filter((account, index) => named.indexOf(account) !== index),
		"has accounts more than once",
	);
	const other =
		loanProductId === ALL_PRODUCTS
			? some(
					chart.filter((account) => !named.includes(account)),
					"must have a number for every account of the chart, and lacks",
				)
			: some(
					named.filter((account) => !isByProduct(account)),
					"has accounts whose lines do not all belong to a product",
				);
	return unknown ?? twice ?? other;
}

export type MappingVersion = {
	readonly loanProductId: string;
	readonly effectiveFrom: CalendarDate;
	readonly accounts: readonly MappedAccount[];
};

const NAMES = new Map(CHART_ACCOUNTS.map(({ number, name }) => [number, name]));

/**
 * The number of an account on a day: of the product's own version, else of the version for all products. Where these name none, that of
 * the version for all products that was made first of those that name it; a closed day's number stays, as no version is made before it.
 * undefined if `firsts`, which are in the order of making, have none either. The chart's number if there are no `firsts` at all.
 */
export function mappingOn(
	versions: readonly MappingVersion[],
	day: CalendarDate,
	firsts: readonly Pick<MappingVersion, "accounts">[] = [],
) {
	const newestOf = new Map<string, MappingVersion>();
	for (const version of versions) {
		const known = newestOf.get(version.loanProductId);
		if (version.effectiveFrom <= day && !(known && known.effectiveFrom > version.effectiveFrom)) {
			newestOf.set(version.loanProductId, version);
		}
	}
	const named = new Map(
		[...newestOf].map(([product, { accounts }]) => [product, new Map(accounts.map((mapped) => [mapped.account, mapped]))]),
	);
	const first = (account: string) => firsts.flatMap(({ accounts }) => accounts).find((mapped) => mapped.account === account);
	return (account: string, loanProductId: string): MappedAccount | undefined => {
		const found = named.get(loanProductId)?.get(account) ?? named.get(ALL_PRODUCTS)?.get(account) ?? first(account);
		return found ?? (firsts.length > 0 ? undefined : { account, number: account, name: NAMES.get(account) ?? null });
	};
}
