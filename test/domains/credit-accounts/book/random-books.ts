// Random books for properties: any terms, one to three cycles, draws, payments (many of them exact, some backdated), waivers, reversals
// of whole transactions and of parts of payments, some of them undone, refunds, roll-overs and write-offs.

import * as fc from "fast-check";
import { replay } from "../../../../src/domains/credit-accounts/book/book.policy";
import { type Book, type Cycle, type CycleTerms, dateOf, type Fact } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { obligationsOf } from "../../../../src/domains/credit-accounts/book/installments.policy";
import { type AllocationTerms, totalOf } from "../../../../src/domains/loan-terms/allocation.policy";
import type { InDuplumTerms } from "../../../../src/domains/loan-terms/penalties.policy";
import { addDays, addSpan, type CalendarDate, daysBetween, type Unit } from "../../../../src/shared/time";

const oneOf = <Value>(...values: readonly Value[]) => fc.constantFrom(...values);

const rhythm = fc.oneof(
	fc.record({ duration: fc.integer({ min: 1, max: 30 }), unit: oneOf<Unit>("DAYS") }),
	fc.record({ duration: fc.integer({ min: 1, max: 2 }), unit: oneOf<Unit>("WEEKS") }),
	fc.record({ duration: fc.constant(1), unit: oneOf<Unit>("MONTHS") }),
);

const penaltyTerms = fc.record({
	rateBasisPoints: oneOf(0, 1, 100, 500, 5_000),
	calculationBasis: oneOf("PRINCIPAL_AND_ARREARS" as const, "PRINCIPAL" as const, "ARREARS" as const, "TOTAL_OUTSTANDING" as const),
	type: oneOf("RECURRING" as const, "ONE_TIME" as const),
	periodDays: oneOf(1, 7, 30),
	trigger: oneOf("AFTER_LOAN_END" as const, "AFTER_INSTALLMENT_DUE" as const),
	gracePeriodDays: oneOf(0, 0, 1, 5),
});

const terms: fc.Arbitrary<CycleTerms> = fc
	.record({
		productType: oneOf("REDUCING_BALANCE" as const, "FLAT" as const),
		count: fc.integer({ min: 1, max: 6 }),
		installmentEvery: rhythm,
		interestRate: fc.record({
			basisPoints: oneOf(0, 50, 300, 1_000, 9_000),
			periodValue: oneOf(1, 3, 30),
			periodUnit: oneOf("DAYS" as const, "WEEKS" as const, "MONTHS" as const, "YEARS" as const),
		}),
		dayCount: oneOf("THIRTY_360" as const, "ACTUAL_365" as const),
		feeBasisPoints: oneOf(0, 250, 1_000),
		accessFeeRecognition: oneOf(undefined, "OVER_LIFE" as const),
		penaltyTerms,
	})
	.map(({ count, ...rest }) => ({
		...rest,
		tenure: { ...rest.installmentEvery, duration: rest.installmentEvery.duration * count },
	}));

const allocation: fc.Arbitrary<AllocationTerms | undefined> = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(undefined) },
	{
		weight: 2,
		arbitrary: fc.record({
			order: oneOf("HORIZONTAL" as const, "VERTICAL" as const),
			future: oneOf("NEXT_INSTALLMENT" as const, "LAST_INSTALLMENT" as const, "REAMORTIZATION" as const),
		}),
	},
);

const OFFERED = 100;

const action = fc.record({
	kind: oneOf(
		...Array<Fact["kind"]>(12).fill("REPAYMENT"),
		...Array<Fact["kind"]>(3).fill("DRAW"),
		...Array<Fact["kind"]>(2).fill("WAIVER"),
		...Array<Fact["kind"]>(3).fill("REVERSAL"),
		...Array<Fact["kind"]>(2).fill("RESCHEDULE"),
		...Array<Fact["kind"]>(2).fill("SETTLEMENT"),
		"REFUND" as const,
	),
	/** Days after the previous action; the value date may lie earlier. */
	after: fc.integer({ min: 0, max: 25 }),
	backdated: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) }),
	/** In thousandths of the principal; ignored when `exactly` names how many installments to pay, or OFFERED what the settlement asks. */
	size: fc.integer({ min: 0, max: 700 }),
	exactly: oneOf(0, 0, 1, 2, 99, OFFERED),
	pick: fc.nat({ max: 30 }),
});
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

export type RandomBook = {
	readonly book: Book;
	readonly through: CalendarDate;
	readonly reading: CalendarDate;
	/** Of each fact. */
	readonly postedOn: readonly CalendarDate[];
	/** The book as it was known at the end of a day: without what was posted later. */
	knownOn(day: CalendarDate): Book;
};

export const randomBooks: fc.Arbitrary<RandomBook> = fc
	.record({
		start: oneOf("2024-01-01", "2024-01-31", "2023-12-15", "2024-02-29"),
		terms: fc.tuple(terms, terms, terms),
		second: oneOf("NONE" as const, "NONE" as const, "LOAN" as const, "ROLL_OVER" as const),
		third: fc.boolean(),
		principal: oneOf(1, 2, 7, 250, 9_999, 100_000, 1_234_567),
		allocation,
		inDuplum: oneOf(undefined, { sinceDefault: true, countsUnpaid: true as const }, { sinceDefault: false }),
		actions: fc.array(action, { maxLength: 14 }),
		writesOff: fc.nat({ max: 120 }),
		days: fc.integer({ min: 0, max: 90 }),
		reading: fc.integer({ min: 0, max: 250 }),
	})
	.map(({ start, terms: [first, other, last], second, third, principal, actions, writesOff, days, reading, ...rules }) => {
		const builder = new Builder(first, start, principal, rules);
		if (second === "LOAN") builder.schedule({ after: reading % 40, terms: other, kind: "DRAW" });
		if (second === "ROLL_OVER") builder.schedule({ after: builder.tenureDays() + 1, terms: other, kind: "ROLL_OVER" });
		if (third) builder.schedule({ after: builder.tenureDays() + 10, terms: last, kind: "DRAW" });
		for (const [index, taken] of actions.entries()) {
			if (writesOff === index) builder.post({ kind: "WRITE_OFF", valueDate: builder.today, amount: 1 });
			builder.act(taken);
		}
		const book = builder.book();
		const knownOn = (day: CalendarDate) => ({ ...book, facts: book.facts.filter((_, index) => (builder.postedOn[index] ?? "") <= day) });
		return { book, through: addDays(builder.today, days), reading: addDays(start, reading), postedOn: builder.postedOn, knownOn };
	});

/** `BOOKS`, which `npm run oracle` sets, is how many random books a property is checked on instead of so many; the same in every run. */
export function forAllBooks(count: number, holds: (random: RandomBook) => void, share = 1): void {
	const numRuns = process.env.BOOKS === undefined ? count : Math.ceil(Number(process.env.BOOKS) * share);
	void fc.assert(fc.property(randomBooks, holds), { seed: Number(process.env.SEED ?? 20_260_101), numRuns });
}

/** The same for a property that takes longer: on a quarter of `BOOKS`. */
export const forBooks = (holds: (random: RandomBook) => void, count = 60): void => forAllBooks(count, holds, 1 / 4);

type NewCycle = { readonly after: number; readonly terms: CycleTerms; readonly kind: "DRAW" | "ROLL_OVER" };

class Builder {
	readonly facts: Fact[] = [];
	readonly cycles: Cycle[] = [];
	readonly waiting: NewCycle[] = [];
	readonly start: CalendarDate;
	readonly principal: number;
	readonly allocation: AllocationTerms | undefined;
	readonly inDuplum: InDuplumTerms | undefined;
	today: CalendarDate;
	offered = 1;
	/** Of each fact. */
	readonly postedOn: CalendarDate[] = [];

	constructor(
		first: CycleTerms,
		start: CalendarDate,
		principal: number,
		{ allocation: named, inDuplum }: Pick<Book, "allocation" | "inDuplum">,
	) {
		this.start = start;
		this.today = start;
		this.principal = principal;
		this.allocation = named;
		this.inDuplum = inDuplum;
		this.open(first, null);
		this.post({ kind: "DRAW", valueDate: start, amount: principal, cycleId: "cycle-1" });
	}

	book(): Book {
		return { facts: this.facts, cycles: this.cycles, allocation: this.allocation, inDuplum: this.inDuplum };
	}

	open(cycleTerms: CycleTerms, rolledFromId: string | null): void {
		const number = this.cycles.length + 1;
		this.cycles.push({ id: `cycle-${number}`, number, startDate: this.today, terms: cycleTerms, rolledFromId });
	}

	tenureDays(): number {
		return daysBetween(this.start, this.finalDueDate(0));
	}

	finalDueDate(index: number): CalendarDate {
		const cycle = this.cycles[index];
		return cycle ? addSpan(cycle.startDate, cycle.terms.tenure) : this.start;
	}

	schedule(cycle: NewCycle): void {
		this.waiting.push(cycle);
		this.waiting.sort((a, b) => a.after - b.after);
	}

	post(fact: Pick<Fact, "kind" | "valueDate" | "amount"> & Partial<Fact>): void {
		const position = this.facts.length + 1;
		this.postedOn.push(this.today);
		this.facts.push({ id: `f${position}`, position, cycleId: null, installment: null, reversesId: null, ...fact });
	}

	/** Starts the cycles that begin by then. */
	waitUntil(date: CalendarDate): void {
		for (let next = this.waiting[0]; next && addDays(this.start, next.after) <= date; next = this.waiting[0]) {
			this.waiting.shift();
			this.today = addDays(this.start, next.after);
			const isRollOver = next.kind === "ROLL_OVER";
			const owed = isRollOver ? this.obligations(this.finalDueDate(0)).filter(({ state }) => state.cycle.id === "cycle-1") : [];
			const amount = isRollOver ? Number(owed.reduce((sum, { principal }) => sum + principal, 0n)) || 1 : this.principal;
			this.open(next.terms, isRollOver ? "cycle-1" : null);
			this.post({ kind: next.kind, valueDate: this.today, amount, cycleId: this.cycles.at(-1)?.id ?? null });
		}
		this.today = date;
	}

	obligations(date: CalendarDate) {
		return obligationsOf(replay(this.book(), date));
	}

	/** Cycles that have installments to come. */
	running() {
		return replay(this.book(), this.today).cycles.filter(({ running, periods }) => running < periods.length);
	}

	/** A longer loan, a pause, or any other dates. */
	reschedule(size: number, pick: number): void {
		const [state] = this.running();
		if (!state) return;
		const coming = state.dueDays.slice(state.running).map((day) => dateOf(day));
		const last = coming.at(-1) ?? this.today;
		const { installmentEvery: every } = state.cycle.terms;
		const more = Array.from({ length: 1 + (size % 3) }, (_, index) => addSpan(last, { ...every, duration: every.duration * (index + 1) }));
		const dueDates = [
			[...coming, ...more],
			[...coming, ...more].slice(more.length),
			coming.map((_, index) => addDays(this.today, (index + 1) * (1 + (size % 40)))),
		][pick % 3];
		this.post({ kind: "RESCHEDULE", valueDate: this.today, amount: 1, cycleId: state.cycle.id, dueDates });
	}

	/** What is left of each fact that reversals have taken something of. */
	left(): Map<string, number> {
		const left = new Map(this.facts.map(({ id, amount }) => [id, amount]));
		// A reversal that is undone comes before what undoes it, and takes nothing.
		for (const { kind, id, amount, reversesId } of this.facts.toReversed()) {
			if (kind === "REVERSAL" && reversesId && left.get(id) === amount) left.set(reversesId, (left.get(reversesId) ?? 0) - amount);
		}
		return left;
	}

	/** Undoes a transaction, a part of a payment, or the reversal of one. */
	reverse(size: number, pick: number): void {
		const left = this.left();
		const kindOf = (wanted: string | null) => this.facts.find(({ id }) => id === wanted)?.kind;
		const candidates = this.facts.filter(({ kind: of, id, cycleId, position, reversesId }) => {
			if (left.get(id) === 0) return false;
			if (of === "REVERSAL") return kindOf(reversesId) === "REPAYMENT";
			if (["REPAYMENT", "WAIVER", "REFUND", "SETTLEMENT", "WRITE_OFF"].includes(of)) return true;
			if (of === "DRAW") return position > 1 && cycleId === "cycle-1";
			// A draw since then may have needed the later due dates.
			return (
				of === "RESCHEDULE" && !this.facts.some((fact) => fact.position > position && fact.cycleId === cycleId && fact.kind !== "WAIVER")
			);
		});
		const target = candidates[pick % Math.max(1, candidates.length)];
		if (!target) return;
		const whole = left.get(target.id) ?? target.amount;
		const amount = target.kind === "REPAYMENT" && size % 2 === 1 ? Math.max(1, Math.floor((whole * size) / 1_000)) : whole;
		this.post({ kind: "REVERSAL", valueDate: this.today, amount, reversesId: target.id });
	}

	act({ kind, after, backdated, size, exactly, pick }: Action): void {
		this.waitUntil(addDays(this.today, after));
		const valueDate = addDays(this.today, -backdated);
		const fraction = Math.max(1, Math.floor((this.principal * size) / 1_000));
		if (kind === "DRAW") {
			const open = this.running();
			const state = open[pick % Math.max(1, open.length)];
			if (state) this.post({ kind, valueDate: this.today, amount: fraction, cycleId: state.cycle.id });
		} else if (kind === "RESCHEDULE") {
			this.reschedule(size, pick);
		} else if (kind === "SETTLEMENT") {
			this.offered = fraction;
			this.post({ kind, valueDate: this.today, amount: fraction, validUntil: addDays(this.today, pick) });
		} else if (kind === "REVERSAL") {
			this.reverse(size, pick);
		} else if (kind === "WAIVER") {
			const cycle = this.cycles[pick % this.cycles.length];
			const count = cycle ? cycle.terms.tenure.duration / cycle.terms.installmentEvery.duration : 1;
			this.post({ kind, valueDate, amount: fraction, cycleId: cycle?.id ?? null, installment: 1 + (pick % (count + 1)) });
		} else {
			const exact =
				exactly === OFFERED
					? BigInt(this.offered)
					: this.obligations(valueDate)
							.slice(0, exactly)
							.reduce((sum, obligation) => sum + totalOf(obligation), 0n);
			this.post({ kind, valueDate, amount: exactly > 0 && exact > 0n ? Number(exact) : fraction });
		}
	}
}
