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
	if (!fact || (fact.kind !== "PAYOUT" && fact.kind !== "PAYMENT") || Math.abs(fact.at - at) > NEAR_MS) return undefined;
	return { chargeDay: localDate(fact.at), chargeOf: nameOf(fact) };
}

/** Matches lines by their receipts. A line whose receipt no fact has is LEFT for `byReference`. */
export function byReceipt(lines: readonly Compared[], facts: readonly Fact[], reported: ReportedFacts): readonly Verdict[] {
	const taken = new Set(reported);
	return lines.map((line): Verdict => {
		const { row, amount } = line;
		if (amount === 0) return { row, status: "MATCHED" };
		const linked = facts.filter((fact) => isSameWay(fact.amount, amount) && linksTo(line, fact));
		// The charge of a payout may have its receipt, and is not the payout.
		const named = line.kind === "CHARGE" ? linked.filter((fact) => fact.amount === amount && !taken.has(nameOf(fact))) : linked;
		if (line.kind === "CHARGE" && named.length === 0)
			return { row, status: "MATCHED", charged: facts.find((fact) => isChargeOf(line, fact)) };
		const [free] = named.filter((fact) => !taken.has(nameOf(fact)));
		const [fact = free] = named;
		if (!fact) return { row, status: "LEFT" };
		if (!free) return { row, status: "BREAK", kind: "TWICE", fact, difference: amount };
		// A second payment of one payout has another receipt than the one in the books.
		const isSecond = free.kind === "PAYOUT" && line.receipt !== null && free.receipts.indexOf(line.receipt) > 0;
		if (isSecond) return { row, status: "BREAK", kind: "TWICE", fact: free, difference: amount };
		taken.add(nameOf(free));
		if (free.amount === amount) return { row, status: "MATCHED", fact: free };
		return { row, status: "BREAK", kind: "AMOUNT_DIFFERS", fact: free, difference: amount - free.amount };
	});
}

/** A bank's line has a date without a time, which may be that of the next working day. */
const NEAR_MS = 3 * DAY_MS;
/** Two receipts are two payments, unless somebody mistyped one: then the time, typed from the same message, is nearly the same. */
const NEAR_WITH_RECEIPT_MS = 10 * MINUTE_MS;

const refersTo = ({ reference }: Compared, { references }: Fact): boolean =>
	reference !== null && references.some((each) => each === reference || (each.length >= 32 && reference.includes(each)));

/** Matches the lines that are LEFT by reference, amount and time: if several facts fit, the nearest in time. */
export function byReference(lines: readonly Compared[], facts: readonly Fact[], reported: ReportedFacts): readonly Verdict[] {
	const pairs = lines
		.flatMap((line) =>
			facts
				.filter((fact) => fact.amount === line.amount && !reported.has(nameOf(fact)) && refersTo(line, fact))
				.map((fact) => ({ line, fact, apart: Math.abs(fact.at - line.at) })),
		)
		// A treasury record has a day and no time.
		.filter(({ line, fact, apart }) => apart <= (line.receipt === null || fact.kind === "TREASURY" ? NEAR_MS : NEAR_WITH_RECEIPT_MS))
		.sort((one, other) => one.apart - other.apart || one.line.row - other.line.row);
	const facing = new Map<number, Fact>();
	const taken = new Set<string>();
	for (const { line, fact } of pairs) {
		if (facing.has(line.row) || taken.has(nameOf(fact))) continue;
		facing.set(line.row, fact);
		taken.add(nameOf(fact));
	}
	return lines.map(({ row, amount }): Verdict => {
		const fact = facing.get(row);
		return fact ? { row, status: "MATCHED", fact } : { row, status: "BREAK", kind: "MISSING_HERE", difference: amount };
	});
}
