// The rules of payees: how accounts' names are compared, how many payees and look-ups a user may have, and how two payees are combined.

import { DAY_MS, toTimestamp } from "../../shared/time";

export const ACCOUNT_TYPES = ["SEND_MONEY", "BUY_GOODS", "PAY_BILL", "BANK_ACCOUNT", "INTERNAL"] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** From worst to best: of two records of one account the better state is kept. */
export const VERIFICATION_STATES = ["FAILED", "UNVERIFIED", "PENDING", "MISMATCH", "VERIFIED"] as const;
export type VerificationState = (typeof VERIFICATION_STATES)[number];

export const BLOCK_REASONS = ["UNWANTED_PAYMENTS", "SUSPECTED_FRAUD", "WRONG_RECIPIENT", "OTHER"] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

export const MAX_PAYEES = 500;
export const MAX_ACCOUNTS = 20;

/**
 * What a user may do in a day (UTC). An added account shows whether its number belongs to a user of the service. To prevent that
 * numbers are tried out, every added account and every repeated look-up counts, and deleting a payee gives nothing back.
 */
export const DAILY_QUOTA = { payees: 20, lookups: 30 } as const;
export type Use = { readonly payees: number; readonly lookups: number };

export const utcDateOf = (now: number): string => toTimestamp(now).slice(0, 10);

/** Milliseconds until the use is allowed: 0, or until the next day. */
export function waitForQuota(used: Use, wanted: Use, now: number): number {
	const within = used.payees + wanted.payees <= DAILY_QUOTA.payees && used.lookups + wanted.lookups <= DAILY_QUOTA.lookups;
	return within ? 0 : DAY_MS - (now % DAY_MS);
}

type Named = {
	readonly accountHolderName: string | null;
	readonly resolvedName: string | null;
	readonly createdAt: number;
	readonly id: string;
};

/** The label, else the name of the first account. */
export function displayName(label: string | null, accounts: readonly Named[]): string | null {
	if (label !== null) return label;
	const first = accounts.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)).find(nameOf);
	return first ? nameOf(first) : null;
}

const nameOf = ({ accountHolderName, resolvedName }: Named): string | null => accountHolderName ?? resolvedName;

/** Whether two names are of one person: case, accents, punctuation and the order of the words do not matter. */
export const isSameName = (a: string, b: string): boolean => wordsOf(a) === wordsOf(b);

const wordsOf = (name: string): string =>
	name
		.normalize("NFKD")
		.replaceAll(/\p{M}/gu, "")
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter((word) => word !== "")
		.sort()
		.join(" ");

/** A provider's answer: whether it knows the account, and by which name. */
export type LookedUp = { readonly known: true; readonly name: string | null } | { readonly known: false };

/** The verification of an account by its provider's answer. `given`: the name that the user wrote. */
export function verificationOf(given: string | null, found: LookedUp): { verification: VerificationState; resolvedName: string | null } {
	if (!found.known) return { verification: "FAILED", resolvedName: null };
	const { name } = found;
	const differs = name !== null && given !== null && !isSameName(name, given);
	return { verification: differs ? "MISMATCH" : "VERIFIED", resolvedName: name };
}

type Combinable = {
	readonly isFavorite: boolean;
	readonly isBlocked: boolean;
	readonly blockReasons: readonly BlockReason[];
	readonly blockDetails: string | null;
};

type CombinableAccount = {
	readonly id: string;
	readonly type: AccountType;
	readonly identifier: string;
	readonly accountHolderName: string | null;
	readonly verification: VerificationState;
	readonly resolvedName: string | null;
	readonly verifiedAt: number | null;
	readonly lookupAttempts: number;
	readonly nextLookupAt: number | null;
	readonly transactionCount: number;
	readonly lastUsedAt: number | null;
	readonly holderChangedAt: number | null;
	readonly confirmedAt: number | null;
};

export type Combination<P, A> = {
	readonly payee: P;
	/** The target's accounts afterwards: its own, the doubles joined to them, and those that moved. */
	readonly accounts: readonly A[];
	/** Pairs of the target's account, as it is afterwards, and the source's double of it. */
	readonly joined: readonly { readonly kept: A; readonly double: A }[];
	readonly moved: readonly A[];
};

/**
 * Combines a source into a target. A block and its reasons survive from either side. Of two records of one account the target's is kept,
 * with the uses of both and the better verification; it is confirmed if both were.
 */
export function combine<P extends Combinable, A extends CombinableAccount>(
	target: { payee: P; accounts: readonly A[] },
	source: { payee: P; accounts: readonly A[] },
): Combination<P, A> {
	const known = new Map(target.accounts.map((account) => [keyOf(account), account]));
	const joined = source.accounts.flatMap((double) => {
		const kept = known.get(keyOf(double));
		return kept ? [{ kept: joinAccounts(kept, double), double }] : [];
	});
	const moved = source.accounts.filter((account) => !known.has(keyOf(account)));
	const joinedById = new Map(joined.map(({ kept }) => [kept.id, kept]));
	return {
		payee: {
			...target.payee,
			isFavorite: target.payee.isFavorite || source.payee.isFavorite,
			isBlocked: target.payee.isBlocked || source.payee.isBlocked,
			blockReasons: [...new Set([...target.payee.blockReasons, ...source.payee.blockReasons])],
			blockDetails: target.payee.blockDetails ?? source.payee.blockDetails,
		},
		accounts: [...target.accounts.map((account) => joinedById.get(account.id) ?? account), ...moved],
		joined,
		moved,
	};
}

const keyOf = ({ type, identifier }: CombinableAccount): string => `${type} ${identifier}`;

function joinAccounts<A extends CombinableAccount>(kept: A, double: A): A {
	const { accountHolderName, verification, resolvedName, verifiedAt, lookupAttempts, nextLookupAt } =
		rank(double) > rank(kept) ? double : kept;
	return {
		...kept,
		// The state was found for this name, so they are taken together.
		accountHolderName,
		verification,
		resolvedName,
		verifiedAt,
		lookupAttempts,
		nextLookupAt,
		transactionCount: kept.transactionCount + double.transactionCount,
		lastUsedAt: latest(kept.lastUsedAt, double.lastUsedAt),
		holderChangedAt: latest(kept.holderChangedAt, double.holderChangedAt),
		confirmedAt: double.confirmedAt === null ? null : kept.confirmedAt,
	};
}

const latest = (one: number | null, other: number | null): number | null =>
	one === null || other === null ? (one ?? other) : Math.max(one, other);

/** Whether the number has another holder by now, whose name the user has not been shown: it is paid no more until the look-up has answered. */
export const isHolderUnseen = ({ holderChangedAt, verifiedAt }: Pick<CombinableAccount, "holderChangedAt" | "verifiedAt">): boolean =>
	holderChangedAt !== null && verifiedAt === null;

const rank = ({ verification }: CombinableAccount): number => VERIFICATION_STATES.indexOf(verification);
