// The facts of a credit account: what happened, on which local day, in which order it was posted. Everything else about the account is
// computed from them.

import { addDays, type CalendarDate, daysBetween, type Span } from "../../../shared/time";
import type { AllocationTerms } from "../../loan-terms/allocation.policy";
import type { LoanProductType } from "../../loan-terms/amortisation.policy";
import type { InDuplumTerms, PenaltyTerms } from "../../loan-terms/penalties.policy";
import type { DayCount, InterestRate } from "../../loan-terms/periods.policy";
import type { FeeRecognition } from "../../loan-terms/schedule.policy";

export const FACT_KINDS = [
	"DRAW",
	"REPAYMENT",
	"REVERSAL",
	"WAIVER",
	"ROLL_OVER",
	"REFUND",
	"WRITE_OFF",
	"PENALTY",
	"PENALTY_CORRECTION",
	"RESCHEDULE",
	"SETTLEMENT",
] as const;
export type FactKind = (typeof FACT_KINDS)[number];

/** A row of the account's transactions, as far as the book reads it. Recorded penalties are consequences: the book skips them. */
export type Fact = {
	readonly id: string;
	/** In the order of posting, unique in the account. */
	readonly position: number;
	readonly kind: FactKind;
	readonly valueDate: CalendarDate;
	/** In minor units; positive. */
	readonly amount: number;
	/** The cycle that a draw goes into, that a roll-over starts, whose installment is waived, or that is rescheduled. */
	readonly cycleId: string | null;
	/** Position of the installment that is waived. */
	readonly installment: number | null;
	readonly reversesId: string | null;
	/** Of a reschedule: when the installments that are not yet due come due from then on; more of them than before extend the loan. */
	readonly dueDates?: readonly CalendarDate[] | undefined;
	/** Of a settlement: the last day on which its amount may be paid. */
	readonly validUntil?: CalendarDate | undefined;
};

/** What the book needs of the terms that were frozen for a cycle. */
export type CycleTerms = {
	readonly productType: LoanProductType;
	readonly tenure: Span;
	readonly installmentEvery: Span;
	readonly interestRate: InterestRate;
	readonly dayCount: DayCount;
	readonly feeBasisPoints: number;
	/** Left out: at once. */
	readonly accessFeeRecognition?: FeeRecognition | undefined;
	readonly penaltyTerms: PenaltyTerms;
};

export type Cycle = {
	readonly id: string;
	/** From 1 in the account. */
	readonly number: number;
	/** The value date of its first draw or of the roll-over that starts it. */
	readonly startDate: CalendarDate;
	readonly terms: CycleTerms;
	/** The cycle whose principal rolled into this one. */
	readonly rolledFromId: string | null;
};

/** Everything that a replay reads: an account's facts from some position on, and the cycles that they name. */
export type Book = {
	readonly facts: readonly Fact[];
	readonly cycles: readonly Cycle[];
	/** Left out: DEFAULT_ALLOCATION. */
	readonly allocation?: AllocationTerms | undefined;
	/** Left out: what may be charged in default is capped. */
	readonly inDuplum?: InDuplumTerms | undefined;
	/** One penalty more ends the replay with TooManyPenalties. Left out: as many as are charged. */
	readonly mostPenalties?: number | undefined;
};

const EPOCH = "1970-01-01";

// To write a date costs more than all else that is done for an entry, and a book has few dates.
const dates = new Map<number, CalendarDate>();
const MAX_DATES = 20_000;

/** Days are counted inside the book; dates appear only in what it says. */
export function dayOf(date: CalendarDate): number {
	return daysBetween(EPOCH, date);
}

export function dateOf(day: number): CalendarDate {
	const known = dates.get(day);
	if (known !== undefined) return known;
	if (dates.size >= MAX_DATES) dates.clear();
	const date = addDays(EPOCH, day);
	dates.set(day, date);
	return date;
}

const REPLAYED: ReadonlySet<FactKind> = new Set([
	"DRAW",
	"REPAYMENT",
	"WAIVER",
	"ROLL_OVER",
	"REFUND",
	"WRITE_OFF",
	"RESCHEDULE",
	"SETTLEMENT",
]);

export type DatedFact = Fact & { readonly day: number };

type Reversing = Pick<Fact, "id" | "kind" | "amount" | "reversesId">;

/** The reversals that stand, in the order in which they are given. A reversal that is reversed itself took nothing back. */
export function standingReversals<One extends Reversing>(facts: readonly One[]): readonly One[] {
	const reversals = facts.filter(({ kind }) => kind === "REVERSAL");
	const undone = new Set(reversals.map(({ reversesId }) => reversesId));
	return reversals.filter(({ id }) => !undone.has(id));
}

/**
 * What is left of the amounts of facts that are reversed, by id; a fact that is not here stands whole. Of a payment a part may be reversed,
 * everything else is reversed whole.
 */
export function remainingAmounts(facts: readonly Reversing[]): ReadonlyMap<string, number> {
	const left = new Map<string, number>();
	const byId = new Map(facts.map((fact) => [fact.id, fact]));
	for (const { reversesId, amount } of standingReversals(facts)) {
		const original = byId.get(reversesId ?? "");
		if (!original) continue;
		left.set(original.id, original.kind === "REPAYMENT" ? (left.get(original.id) ?? original.amount) - amount : 0);
	}
	return left;
}

/** The fact that a chain of reversals is about: a payment is reversed, and its reversal undone. */
export function originOf<One extends Pick<Fact, "kind" | "reversesId">>(fact: One, byId: ReadonlyMap<string, One>): One | undefined {
	let origin: One | undefined = fact;
	while (origin?.kind === "REVERSAL") origin = origin.reversesId === null ? undefined : byId.get(origin.reversesId);
	return origin;
}

/**
 * The facts that stand, as they are replayed: by value date, a roll-over first in its day, then in the order of posting. A value date
 * before the first posted fact counts as its date. A reversed fact never happened; of a payment that is reversed in part, the rest has.
 */
export function factsInOrder(facts: readonly Fact[]): readonly DatedFact[] {
	const left = remainingAmounts(facts);
	const first = facts.reduce<Fact | undefined>((least, fact) => (least && least.position < fact.position ? least : fact), undefined);
	const start = first ? dayOf(first.valueDate) : 0;
	const rank = ({ kind }: Fact) => (kind === "ROLL_OVER" ? 0 : 1);
	return facts
		.filter(({ id, kind }) => REPLAYED.has(kind) && (left.get(id) ?? 1) > 0)
		.map((fact) => ({ ...fact, amount: left.get(fact.id) ?? fact.amount, day: Math.max(start, dayOf(fact.valueDate)) }))
		.sort((a, b) => a.day - b.day || rank(a) - rank(b) || a.position - b.position);
}

/**
 * When the borrower has to give back what was refunded to them and is not covered by an overpayment any more: on
 * the value date of the latest reversal without which, and without those posted after it, the refund would be covered: the day on which
 * the payment bounced. Where no reversal explains it, as when a draw of an earlier day was posted after the refund, the day since which
 * it is uncovered. Other due dates that were taken back never explain it, and stay taken back: with them, a later draw could be after the
 * last due date.
 */
export function refundDueOn(book: Book, uncoveredSince: CalendarDate, isCovered: (other: Book) => boolean): CalendarDate {
	const otherDates = new Set(book.facts.filter(({ kind }) => kind === "RESCHEDULE").map(({ id }) => id));
	const isReversal = ({ kind, reversesId }: Fact) => kind === "REVERSAL" && !otherDates.has(reversesId ?? "");
	const reversals = book.facts
		.filter((fact) => isReversal(fact) && fact.valueDate >= uncoveredSince)
		.sort((a, b) => b.position - a.position);
	const cause = reversals.find(({ position: from }) =>
		isCovered({ ...book, facts: book.facts.filter((fact) => !isReversal(fact) || fact.position < from) }),
	);
	return cause?.valueDate ?? uncoveredSince;
}
