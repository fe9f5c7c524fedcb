// What a posting adds to an account's history: the posted transactions, the roll-overs that are due before and after them, and the
// allocations and penalties that follow from a replay of all facts.

import type { CalendarDate, Span } from "../../../shared/time";
import type { RateBand } from "../../loan-products/model/limits.policy";
import { rateFor } from "../../loan-products/model/limits.policy";
import type { FrozenTerms } from "../../loan-products/model/policy";
import type { AccountBook, AccountCycle, Recorded } from "../book/account-book.policy";
import { type AllocationRow, newAllocationRows } from "../book/allocation-rows.policy";
import { replay } from "../book/book.policy";
import type { Fact } from "../book/facts.policy";
import type { Ledger } from "../book/ledger.policy";
import { difference, type Lines, linesOf, noLines } from "../book/lines.policy";
import { newPenaltyRows, type PenaltyRow } from "../book/penalty-rows.policy";
import { cycleForDraw, dueRollOver, nextCycleTerms } from "../book/renewal.policy";
import { type Standing, settledCycles } from "../book/standing.policy";

/** How the account's cycles are renewed. */
export type Renewal = { readonly autoRenews: boolean; readonly nextTenure: Span | null; readonly rateSchedule: readonly RateBand[] };

export type Posting = {
	readonly book: AccountBook;
	/** What the posted facts add to the lines of the account, by the end of the day of posting. */
	readonly lines: Lines;
	readonly ledger: Ledger;
	/** In the order of their positions. */
	readonly posted: readonly Fact[];
	readonly newCycles: readonly AccountCycle[];
	readonly allocations: readonly AllocationRow[];
	readonly penalties: readonly PenaltyRow[];
};

export type ToPost = {
	/** Their positions are set here, and the cycles of draws that name none. */
	readonly facts: readonly Fact[];
	readonly newCycles: readonly AccountCycle[];
};

type Renewed = ToPost & {
	readonly book: AccountBook;
	/** How the cycles after these are renewed. */
	readonly renewal: Renewal;
};

/** A value date before the book counts as the book's first day. */
export function valueDateIn({ facts }: Pick<AccountBook, "facts">, date: CalendarDate): CalendarDate {
	const first = facts.reduce<Fact | undefined>((least, fact) => (least && least.position < fact.position ? least : fact), undefined);
	return first && first.valueDate > date ? first.valueDate : date;
}

/** The terms on which the next cycle starts. */
function termsOfNextCycle(terms: FrozenTerms, { nextTenure, rateSchedule }: Renewal): FrozenTerms {
	const next = nextCycleTerms(terms, nextTenure, (tenure) => rateFor(rateSchedule, tenure)) ?? terms;
	return nextTenure === null ? next : { ...next, standardInterestRate: next.interestRate, appliedDeal: null };
}

/** Posts the roll-overs that are due by the day, as long as the account renews itself. */
function rollOvers(start: AccountBook, renewal: Renewal, lastPosition: number, today: CalendarDate, newId: () => string): Renewed {
	let book = start;
	let left = renewal;
	const facts: Fact[] = [];
	const newCycles: AccountCycle[] = [];
	while (left.autoRenews) {
		const due = dueRollOver(book, replay(book, today));
		const old = book.cycles.find(({ id }) => id === due?.fromCycleId);
		if (!due || !old) break;
		const number = lastNumber(book) + 1;
		const cycle = { id: newId(), number, startDate: due.valueDate, terms: termsOfNextCycle(old.terms, left), rolledFromId: old.id };
		const fact: Fact = {
			id: newId(),
			position: lastPosition + facts.length + 1,
			kind: "ROLL_OVER",
			valueDate: due.valueDate,
			amount: Number(due.amount),
			cycleId: cycle.id,
			installment: null,
			reversesId: null,
		};
		facts.push(fact);
		newCycles.push(cycle);
		left = { ...left, nextTenure: null };
		book = { ...book, facts: [...book.facts, fact], cycles: [...book.cycles, cycle] };
	}
	return { book, facts, newCycles, renewal: left };
}

const lastNumber = ({ cycles }: AccountBook): number => Math.max(0, ...cycles.map(({ number }) => number));

/** The book with the roll-overs that are due by the day, which any posting of that day records first. */
export function renewedBook(
	start: AccountBook,
	renewal: Renewal,
	{ lastPosition, today, newId }: { lastPosition: number; today: CalendarDate; newId: () => string },
): AccountBook {
	return rollOvers(start, renewal, lastPosition, today, newId).book;
}

/** Puts a draw into the cycle that takes it on its day, or into a new one. */
function placeDraw({ book, renewal }: Renewed, draw: Fact, newId: () => string): { fact: Fact; cycle: AccountCycle | undefined } {
	const known = cycleForDraw(replay(book, draw.valueDate));
	if (known !== undefined) return { fact: { ...draw, cycleId: known }, cycle: undefined };
	const last = book.cycles.reduce<AccountCycle | undefined>(
		(newest, one) => (newest && newest.number > one.number ? newest : one),
		undefined,
	);
	if (!last) throw new RangeError("the first draw of an account needs a cycle with its terms");
	const { valueDate: startDate } = draw;
	const cycle = { id: newId(), number: lastNumber(book) + 1, startDate, terms: termsOfNextCycle(last.terms, renewal), rolledFromId: null };
	return { fact: { ...draw, cycleId: cycle.id }, cycle };
}

/** Replays to `today`, or to the latest value date where that is ahead of it. */
export function computePosting(
	start: AccountBook,
	recorded: Recorded,
	renewal: Renewal,
	{ facts, newCycles }: ToPost,
	{ lastPosition, today, newId }: { lastPosition: number; today: CalendarDate; newId: () => string },
): Posting {
	const rolled = rollOvers(start, renewal, lastPosition, today, newId);
	const draws = facts.filter(({ kind, cycleId }) => kind === "DRAW" && cycleId === null).map((draw) => placeDraw(rolled, draw, newId));
	if (draws.length > 1) throw new RangeError("a posting takes one draw");
	const placed = facts.map((fact) => draws.find(({ fact: { id } }) => id === fact.id)?.fact ?? fact);
	const positioned = placed.map((fact, index) => ({ ...fact, position: lastPosition + rolled.facts.length + index + 1 }));
	const taken = new Set(rolled.newCycles.map(({ number }) => number));
	const renumbered = newCycles.map((cycle) => (taken.has(cycle.number) ? { ...cycle, number: cycle.number + taken.size } : cycle));
	const drawn = [...renumbered, ...draws.flatMap(({ cycle }) => cycle ?? [])];
	const before = [...rolled.facts, ...positioned];
	const withFacts = { ...start, facts: [...start.facts, ...before], cycles: [...start.cycles, ...rolled.newCycles, ...drawn] };
	// A reversal or a backdated payment may leave only principal unpaid on a day that has passed.
	const remaining = drawn.length === 0 ? rolled.renewal : { ...rolled.renewal, nextTenure: null };
	const after = rollOvers(withFacts, remaining, lastPosition + before.length, today, newId);
	const posted = [...before, ...after.facts];
	const opened = [...rolled.newCycles, ...drawn, ...after.newCycles];
	const { book } = after;
	const through = positioned.reduce((latest, { valueDate }) => (valueDate > latest ? valueDate : latest), today);
	const ledger = replay(book, through);
	const inBook = new Set(ledger.cycles.map(({ cycle }) => cycle.id));
	const known = new Set(book.cycles.map(({ id }) => id));
	return {
		book,
		lines:
			posted.length === 0
				? noLines()
				: difference(linesOf(through === today ? ledger : replay(book, today)), linesOf(replay(start, today))),
		ledger,
		posted,
		newCycles: opened,
		allocations: newAllocationRows(
			ledger,
			book.facts,
			// A roll-over with which the book begins settled a cycle before the book.
			recorded.allocations.filter(({ cycleId }) => known.has(cycleId)),
			posted,
		),
		penalties: newPenaltyRows(
			ledger,
			recorded.penalties.filter(({ cycleId }) => inBook.has(cycleId)),
		),
	};
}

/** The cycles on which nothing is owed, with the transaction that settled each, and whether its borrower was never late. */
export function repaidCycles({ book, ledger }: Pick<Posting, "book" | "ledger">) {
	const kinds = new Map(book.facts.map(({ id, kind }) => [id, kind]));
	const late = new Set(
		ledger.allocations
			.filter(({ date, dueDate, transactionId }) => date > dueDate || kinds.get(transactionId) === "SETTLEMENT")
			.map(({ cycleId }) => cycleId),
	);
	return settledCycles(ledger).map(({ cycleId, transactionId }) => ({
		cycleId,
		transactionId,
		isOnTime: !late.has(cycleId) && kinds.get(transactionId) !== "ROLL_OVER",
	}));
}

export type Lifecycle = "PENDING" | "ACTIVE" | "SUSPENDED" | "IN_ARREARS" | "DEFAULTED" | "CLOSED" | "WRITTEN_OFF";

/** The status of an account by its book. An account that was suspended, closed or never used stays so. */
export function statusBy(stored: Lifecycle, { status }: Pick<Standing, "status">, hasCycles: boolean): Lifecycle {
	return !hasCycles || stored === "SUSPENDED" || stored === "CLOSED" ? stored : status;
}
