// Which line of a statement reports which recorded fact, and what breaks are left.

import { DAY_MS, localDate, MINUTE_MS } from "../../shared/time";
import type { BreakKind, FactKind } from "./lifecycle";

/** A payment, payout, return or treasury record that is recorded here and moved money at the provider. */
export type Fact = {
	readonly kind: FactKind;
	readonly id: string;
	/** Identifies the fact in its kind: for a payment the receipt, which it keeps when it is moved to another account; else the id. */
	readonly key: string;
	/** All its receipts in the form of `visibleKey`; the first is its own. */
	readonly receipts: readonly string[];
	/** In minor units; negative for money that went out. */
	readonly amount: number;
	readonly at: number;
	/** The account number or text that a payer typed, or the payout's id, in the form of `visibleKey`. */
	readonly references: readonly string[];
};

/** A line as it is compared. */
export type Compared = {
	readonly row: number;
	readonly at: number;
	/** Many banks write the day alone. */
	readonly hasTime: boolean;
	readonly kind: "MOVEMENT" | "CHARGE";
	readonly receipt: string | null;
	readonly linked: string | null;
	readonly reference: string | null;
	readonly amount: number;
};

export type Verdict =
	| {
			readonly row: number;
			readonly status: "MATCHED";
			readonly fact?: Fact;
			/** Of a charge: the payment or payout that was charged. */
			readonly charged?: Fact | undefined;
	  }
	| { readonly row: number; readonly status: "LEFT" }
	| { readonly row: number; readonly status: "BREAK"; readonly kind: BreakKind; readonly fact?: Fact; readonly difference: number };

const nameOf = ({ kind, key }: Pick<Fact, "kind" | "key">): string => `${kind} ${key}`;

/** The facts that lines of this or another statement report already. */
export type ReportedFacts = ReadonlySet<string>;
export const reportedFacts = (facts: readonly Pick<Fact, "kind" | "key">[]): ReportedFacts => new Set(facts.map(nameOf));
export const isReported = (reported: ReportedFacts, fact: Fact): boolean => reported.has(nameOf(fact));

const isSameWay = (one: number, other: number): boolean => one > 0 === other > 0;

/** The line has a receipt of the fact; the line of a return may instead be linked to the receipt that it takes back. */
const linksTo = ({ receipt, linked }: Compared, { kind, receipts }: Fact): boolean =>
	(receipt !== null && receipts.includes(receipt)) ||
	(linked !== null && (kind === "PAYOUT_RETURN" || kind === "PAYMENT_RETURN") && receipts.includes(linked));

/** The line has the receipt of the payment or payout, or is linked to it. */
const isChargeOf = ({ receipt, linked }: Compared, { kind, receipts }: Fact): boolean =>
	(kind === "PAYOUT" || kind === "PAYMENT") && [receipt, linked].some((each) => each !== null && receipts.includes(each));

/** A payment or payout has its charge by tariff under its day in East Africa. A line of a day far from it names no charge. */
export function chargeOf(fact: Fact | undefined, at: number): { readonly chargeDay: string; readonly chargeOf: string } | undefined {
	if (!fact || (fact.kind !== "PAYOUT" && fact.kind !== "PAYMENT") || !isNear(fact.at, at)) return undefined;
	return { chargeDay: localDate(fact.at), chargeOf: nameOf(fact) };
}

type Pair = { readonly line: Compared; readonly fact: Fact };

/** How far apart both are at least: the day of a treasury record has no time either. */
const apartOf = ({ line, fact }: Pair): number => {
	const later = fact.at - line.at - (line.hasTime ? 0 : DAY_MS - 1);
	const earlier = line.at - fact.at - (fact.kind === "TREASURY" ? DAY_MS - 1 : 0);
	return Math.max(0, later, earlier);
};

const differenceOf = ({ line, fact }: Pair): number => Math.abs(line.amount - fact.amount);

/**
 * Gives each line at most one of the facts that it may report, and takes these. As many lines as possible get one; of several, the nearest
 * in time, then in amount.
 */
function pairUp(pairs: readonly Pair[], taken: Set<string>): ReadonlyMap<number, Fact> {
	const free = pairs
		.filter(({ fact }) => !taken.has(nameOf(fact)))
		.map((pair) => ({ ...pair, name: nameOf(pair.fact), apart: apartOf(pair), difference: differenceOf(pair) }))
		.sort((one, other) => one.apart - other.apart || one.difference - other.difference || one.line.row - other.line.row);
	const factOf = new Map<number, Fact>();
	const rowOf = new Map<string, number>();
	for (const { line, fact, name } of free) {
		if (factOf.has(line.row) || rowOf.has(name)) continue;
		factOf.set(line.row, fact);
		rowOf.set(name, line.row);
	}
	const ofLine = Map.groupBy(free, ({ line }) => line.row);
	/** A line whose facts other lines have gets one if one of those can have another. */
	const isPlaced = (row: number, tried: Set<string>): boolean =>
		(ofLine.get(row) ?? []).some(({ fact, name }) => {
			if (tried.has(name)) return false;
			tried.add(name);
			const holder = rowOf.get(name);
			if (holder !== undefined && !isPlaced(holder, tried)) return false;
			factOf.set(row, fact);
			rowOf.set(name, row);
			return true;
		});
	for (const row of ofLine.keys()) if (!factOf.has(row)) isPlaced(row, new Set());
	for (const name of rowOf.keys()) taken.add(name);
	return factOf;
}

/** A second payment of one payout has another receipt than the one in the books. */
const isSecond = ({ receipt }: Compared, { kind, receipts }: Fact): boolean =>
	kind === "PAYOUT" && receipt !== null && receipts.indexOf(receipt) > 0;

/**
 * Matches lines by their receipts: of several facts with one receipt, each line the one of its amount, else another fact that is left.
 * A line whose receipt no fact has is LEFT for `byReference`.
 */
export function byReceipt(lines: readonly Compared[], facts: readonly Fact[], reported: ReportedFacts): readonly Verdict[] {
	const taken = new Set(reported);
	const pairs = lines.flatMap((line) =>
		line.amount === 0
			? []
			: facts.filter((fact) => isSameWay(fact.amount, line.amount) && linksTo(line, fact)).map((fact) => ({ line, fact })),
	);
	const first = pairs.filter(({ line, fact }) => !isSecond(line, fact));
	const agreeing = first.filter(({ line, fact }) => line.amount === fact.amount);
	const movements = pairUp(
		agreeing.filter(({ line }) => line.kind === "MOVEMENT"),
		taken,
	);
	// The charge of a payout may have its receipt, and is not the payout.
	const charges = pairUp(
		agreeing.filter(({ line }) => line.kind === "CHARGE"),
		taken,
	);
	const others = pairUp(
		first.filter(({ line }) => line.kind === "MOVEMENT" && !movements.has(line.row)),
		taken,
	);
	const named = Map.groupBy(pairs, ({ line }) => line.row);
	return lines.map((line): Verdict => {
		const { row, amount } = line;
		const fact = movements.get(row) ?? charges.get(row);
		if (fact) return { row, status: "MATCHED", fact };
		if (amount === 0) return { row, status: "MATCHED" };
		const other = others.get(row);
		if (other) return { row, status: "BREAK", kind: "AMOUNT_DIFFERS", fact: other, difference: amount - other.amount };
		const [nearest] = (named.get(row) ?? [])
			// What has the second receipt of a payout and its whole amount is no charge.
			.filter(({ fact }) => line.kind === "MOVEMENT" || (isSecond(line, fact) && fact.amount === amount))
			.sort((one, two) => differenceOf(one) - differenceOf(two) || apartOf(one) - apartOf(two));
		if (nearest) return { row, status: "BREAK", kind: "TWICE", fact: nearest.fact, difference: amount };
		if (line.kind === "MOVEMENT") return { row, status: "LEFT" };
		return { row, status: "MATCHED", charged: facts.find((each) => isChargeOf(line, each)) };
	});
}

/** A bank's line has a date without a time, which may be that of the next working day. */
const NEAR_MS = 3 * DAY_MS;
export const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= NEAR_MS;
/** Two receipts are two payments, unless somebody mistyped one: then the time, typed from the same message, is nearly the same. */
const NEAR_WITH_RECEIPT_MS = 10 * MINUTE_MS;

const refersTo = ({ reference }: Compared, { references }: Fact): boolean =>
	reference !== null && references.some((each) => each === reference || (each.length >= 32 && reference.includes(each)));

/** Matches the lines that are LEFT by reference, amount and time. */
export function byReference(lines: readonly Compared[], facts: readonly Fact[], reported: ReportedFacts): readonly Verdict[] {
	const pairs = lines.flatMap((line) =>
		facts
			.filter((fact) => {
				if (fact.amount !== line.amount || !refersTo(line, fact)) return false;
				// A treasury record has a day and no time.
				const near = line.receipt === null || fact.kind === "TREASURY" ? NEAR_MS : NEAR_WITH_RECEIPT_MS;
				return Math.abs(fact.at - line.at) <= near;
			})
			.map((fact) => ({ line, fact })),
	);
	const facing = pairUp(pairs, new Set(reported));
	return lines.map(({ row, amount }): Verdict => {
		const fact = facing.get(row);
		return fact ? { row, status: "MATCHED", fact } : { row, status: "BREAK", kind: "MISSING_HERE", difference: amount };
	});
}
