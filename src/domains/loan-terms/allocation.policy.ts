// Divides a payment over what the installments owe. An order says how what is due is paid, and where money goes that is left after
// it; inside an installment it is always penalty, arrears, interest, principal.

import { smallest } from "../../shared/money";

const COMPONENTS = ["penalty", "arrears", "interest", "principal"] as const;
export type Amounts = { readonly [component in (typeof COMPONENTS)[number]]: bigint };

/** What one installment can take. `isDue`: its due date has come. */
export type Claim = Amounts & { readonly isDue: boolean };

export const ALLOCATION_ORDERS = ["HORIZONTAL", "VERTICAL"] as const;
export const FUTURE_ALLOCATIONS = ["NEXT_INSTALLMENT", "LAST_INSTALLMENT", "REAMORTIZATION"] as const;

export type AllocationTerms = {
	/** HORIZONTAL pays installment after installment, VERTICAL each component of all of them before the next component. */
	readonly order: (typeof ALLOCATION_ORDERS)[number];
	/** Who is paid ahead: the next installment, the last one, or all of them in equal parts. */
	readonly future: (typeof FUTURE_ALLOCATIONS)[number];
};

export const DEFAULT_ALLOCATION: AllocationTerms = { order: "HORIZONTAL", future: "NEXT_INSTALLMENT" };

export type Share<SomeClaim extends Claim = Claim> = Amounts & {
	readonly claim: SomeClaim;
	/** Nothing of the claim is left. */
	readonly isWhole: boolean;
};

export function totalOf({ penalty, arrears, interest, principal }: Amounts): bigint {
	return penalty + arrears + interest + principal;
}

type Taken = { penalty: bigint; arrears: bigint; interest: bigint; principal: bigint };

/** Pays of the claim what it has not yet taken, component by component; returns the money that is left. */
function take(claim: Claim, taken: Taken, money: bigint, components: readonly (keyof Amounts)[] = COMPONENTS): bigint {
	let left = money;
	for (const component of components) {
		const part = smallest(left, claim[component] - taken[component]);
		taken[component] += part;
		left -= part;
	}
	return left;
}

const nothing = (): Taken => ({ penalty: 0n, arrears: 0n, interest: 0n, principal: 0n });

function shareOf<SomeClaim extends Claim>(claim: SomeClaim, taken: Taken): Share<SomeClaim> {
	return { ...taken, claim, isWhole: totalOf(taken) === totalOf(claim) };
}

/**
 * Equal parts by floor division, the units that are left over one each to the last; what a claim cannot take is divided again among
 * the others.
 */
function takeEqually(claims: readonly Claim[], taken: ReadonlyMap<Claim, Taken>, money: bigint): bigint {
	let left = money;
	let open = claims;
	while (left > 0n) {
		open = open.filter((claim) => totalOf(claim) > totalOf(taken.get(claim) ?? nothing()));
		if (open.length === 0) return left;
		const count = BigInt(open.length);
		const firstWithMore = open.length - Number(left % count);
		const part = left / count;
		left = 0n;
		for (const [index, claim] of open.entries()) {
			left += take(claim, taken.get(claim) ?? nothing(), index < firstWithMore ? part : part + 1n);
		}
	}
	return left;
}

/**
 * The shares of a payment, in the order of the claims, and what no claim takes. Claims come in the order of their due dates, those that
 * are due first; no more of them are read than the money may reach.
 */
export function allocate<SomeClaim extends Claim>(
	amount: bigint,
	claims: Iterable<SomeClaim>,
	{ order, future }: AllocationTerms = DEFAULT_ALLOCATION,
): { readonly shares: readonly Share<SomeClaim>[]; readonly rest: bigint } {
	if (order === "HORIZONTAL" && future === "NEXT_INSTALLMENT") return inOrder(amount, claims);
	const taken = new Map<SomeClaim, Taken>();
	const iterator = claims[Symbol.iterator]();
	let next = iterator.next();
	for (; !next.done && next.value.isDue; next = iterator.next()) taken.set(next.value, nothing());
	let left = amount;
	if (order === "HORIZONTAL") for (const [claim, part] of taken) left = take(claim, part, left);
	else for (const component of COMPONENTS) for (const [claim, part] of taken) left = take(claim, part, left, [component]);
	if (left > 0n) {
		const ahead: SomeClaim[] = [];
		for (; !next.done; next = iterator.next()) ahead.push(next.value);
		for (const claim of ahead) taken.set(claim, nothing());
		if (future === "LAST_INSTALLMENT") ahead.reverse();
		if (future === "REAMORTIZATION") left = takeEqually(ahead, taken, left);
		else for (const claim of ahead) left = take(claim, taken.get(claim) ?? nothing(), left);
	}
	const shares = [...taken].map(([claim, part]) => shareOf(claim, part)).filter((share) => totalOf(share) > 0n);
	return { shares, rest: left };
}

function inOrder<SomeClaim extends Claim>(amount: bigint, claims: Iterable<SomeClaim>) {
	const shares: Share<SomeClaim>[] = [];
	let rest = amount;
	if (rest === 0n) return { shares, rest };
	for (const claim of claims) {
		const taken = nothing();
		const left = take(claim, taken, rest);
		if (left < rest) shares.push(shareOf(claim, taken));
		rest = left;
		if (rest === 0n) break;
	}
	return { shares, rest };
}
