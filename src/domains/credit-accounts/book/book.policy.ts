// The book of a credit account as one fold: the facts that stand go in, by value date and then in the order of posting, and entries
// come out. A reversal, a backdated payment and a payment in time are the same: the facts are replayed.
// Reading on a day is a replay up to that day, of which nothing is kept.

import { smallest, toBigInt } from "../../../shared/money";
import type { CalendarDate } from "../../../shared/time";
import { allocate, DEFAULT_ALLOCATION, type Share, totalOf } from "../../loan-terms/allocation.policy";
import { BookStart } from "./book-start.policy";
import { comeDue, lend, reschedule, takeOff } from "./cycle.policy";
import { type CycleState, openCycle } from "./cycle-state.policy";
import { giveUpFees } from "./deferred-fees.policy";
import type { Allocation, EntryRule } from "./entries.policy";
import { type Book, type DatedFact, dateOf, dayOf, factsInOrder, refundDueOn } from "./facts.policy";
import type { Ledger } from "./ledger.policy";
import type { Obligation } from "./line-up.policy";
import { Passage } from "./passage.policy";

/** Money of the borrower that no installment takes, by the transaction that brought it. */
type Credit = { readonly transactionId: string; left: bigint };

class Fold extends Passage {
	readonly allocations: Allocation[] = [];
	readonly credits: Credit[] = [];
	/** The newest settlement: once so much more is paid by the end of the day `until`, the rest is waived. */
	offer: { readonly transactionId: string; left: bigint; readonly until: number } | undefined;
	uncoveredRefund = 0n;
	/** Since which day it has been something, where it is. */
	uncoveredSince = 0;
	writtenOffDay: number | undefined;
	entriesBeforeWriteOff = 0;

	settlement(): Ledger["settlement"] {
		const offer = this.owed() + this.uncoveredRefund === 0n ? undefined : this.openOffer();
		return offer ? { transactionId: offer.transactionId, left: offer.left, validUntil: dateOf(offer.until) } : null;
	}

	overpaid(): bigint {
		return this.credits.reduce((total, { left }) => total + left, 0n);
	}

	cycleOf(id: string | null): CycleState {
		const known = id === null ? undefined : this.cycles.get(id);
		if (known) return known;
		const cycle = this.book.cycles.find((candidate) => candidate.id === id);
		if (!cycle) throw new RangeError(`no cycle ${id} in the book`);
		const state = openCycle(cycle);
		state.isStopped = this.writtenOffDay !== undefined;
		this.cycles.set(cycle.id, state);
		this.lineUp.add(state);
		// Where its first draw is reversed, a later one may find periods that have passed.
		while ((state.dueDays[state.running] ?? this.day + 1) <= this.day) comeDue(state, this.journal);
		return state;
	}

	apply(fact: DatedFact): void {
		const amount = toBigInt(fact.amount);
		switch (fact.kind) {
			case "DRAW":
				this.draw(this.cycleOf(fact.cycleId), amount, fact);
				break;
			case "REPAYMENT":
				this.receive(fact.id, amount);
				break;
			case "WAIVER":
				this.waive(fact, amount);
				break;
			case "ROLL_OVER":
				this.rollOver(fact, amount);
				break;
			case "REFUND":
				this.refund(fact, amount);
				break;
			case "RESCHEDULE":
				this.reschedule(fact);
				break;
			case "SETTLEMENT":
				this.offer = { transactionId: fact.id, left: amount, until: dayOf(fact.validUntil ?? fact.valueDate) };
				break;
			case "WRITE_OFF":
				this.accrueAll();
				this.writtenOffDay = this.day;
				this.entriesBeforeWriteOff = this.entries.length;
				for (const state of this.cycles.values()) {
					state.isStopped = true;
					giveUpFees(state, this.day);
				}
		}
	}

	draw(state: CycleState, amount: bigint, { id, kind }: DatedFact): void {
		if (this.streak) this.accrueAll();
		// A later loan was no part of the settlement.
		if (kind === "DRAW") this.offer = undefined;
		lend(state, amount, this.day, kind === "DRAW", id, this.journal);
		this.lineUp.rewind();
		this.useCredits();
	}

	/** Pays what is owed with the money, and returns what nothing takes. */
	pay(transactionId: string, amount: bigint, rule: EntryRule): bigint {
		this.accrueAll();
		if (this.owed() === 0n) return amount;
		const { shares, rest } = allocate(amount, this.lineUp.claims(this.day), this.book.allocation ?? DEFAULT_ALLOCATION);
		for (const share of shares) this.settle(share, transactionId, rule);
		return rest;
	}

	receive(transactionId: string, amount: bigint): void {
		this.accrueAll();
		const offer = this.openOffer();
		const usable = offer ? smallest(amount, offer.left) : amount;
		const uncovered = smallest(this.uncoveredRefund, usable);
		this.coverRefund(uncovered, transactionId, "PAID");
		const unspent = this.pay(transactionId, usable - uncovered, "PAID");
		if (offer) this.settleBy(offer, usable - unspent, transactionId);
		const rest = unspent + amount - usable;
		if (rest > 0n) this.credits.push({ transactionId, left: rest });
		this.overpay(transactionId, -rest, "OVERPAID");
	}

	coverRefund(amount: bigint, transactionId: string, rule: EntryRule): void {
		this.uncoveredRefund -= amount;
		this.journalApart("REFUND_UNCOVERED", transactionId, -amount, rule);
	}

	openOffer(): Fold["offer"] {
		return this.offer && this.day <= this.offer.until ? this.offer : undefined;
	}

	/** Counts a payment towards the settlement; when it completes the settlement, the rest is waived. */
	settleBy(offer: NonNullable<Fold["offer"]>, paid: bigint, paidBy: string): void {
		offer.left -= paid;
		if (offer.left > 0n) return;
		this.offer = undefined;
		const { transactionId } = offer;
		this.coverRefund(this.uncoveredRefund, transactionId, "WAIVED");
		for (const claim of [...this.lineUp.claims(this.day)]) {
			const { penalty, arrears, interest, principal } = claim;
			this.settle({ claim, penalty, arrears, interest, principal, isWhole: true }, transactionId, "WAIVED", paidBy);
		}
	}

	reschedule({ id, cycleId, dueDates = [] }: DatedFact): void {
		const state = cycleId === null ? undefined : this.cycles.get(cycleId);
		if (!state) return;
		this.accrueAll();
		this.lineUp.addInstallments(state, reschedule(state, dueDates, this.day, id, this.journal));
	}

	overpay(transactionId: string, amount: bigint, rule: EntryRule): void {
		this.journalApart("OVERPAYMENT", transactionId, amount, rule);
	}

	/** An entry of the account that belongs to no cycle. */
	journalApart(component: "OVERPAYMENT" | "REFUND_UNCOVERED", transactionId: string, amount: bigint, rule: EntryRule): void {
		if (amount === 0n) return;
		this.journal({ day: this.day, cycleId: null, installment: null, component, amount, rule, inputs: {}, transactionId });
	}

	/** An overpayment pays what is owed now, the oldest first. */
	useCredits(): void {
		for (const credit of this.credits) {
			if (credit.left === 0n) continue;
			const rest = this.pay(credit.transactionId, credit.left, "PAID");
			this.overpay(credit.transactionId, credit.left - rest, "OVERPAYMENT_USED");
			credit.left = rest;
			if (rest > 0n) return;
		}
	}

	/** Takes the share off what its installment owes, and says so. */
	settle({ claim, ...share }: Share<Obligation>, transactionId: string, rule: EntryRule, settledBy = transactionId): void {
		const { state, installment } = claim;
		const isWaiver = rule === "WAIVED";
		const { principal, penalty, arrears, interest } = share;
		const how = { isWhole: share.isWhole, isWaiver, day: this.day, transactionId: settledBy };
		takeOff(state, installment, { principal, interest: interest + arrears, penalty }, how);
		const of = { cycleId: state.cycle.id, installment: installment.position };
		for (const component of ["penalty", "arrears", "interest", "principal"] as const) {
			if (share[component] === 0n) continue;
			const entry = { day: this.day, ...of, component: COMPONENT_NAMES[component], amount: -share[component] };
			this.journal({ ...entry, rule, inputs: {}, transactionId });
		}
		const dates = { date: dateOf(this.day), dueDate: dateOf(installment.dueDay) };
		this.allocations.push({ transactionId, ...dates, ...of, principal, interest, arrears, penalty, isWaiver, settles: share.isWhole });
	}

	/** Gives up what the installment owes on the day, up to the amount. */
	waive({ cycleId, installment, id }: DatedFact, amount: bigint): void {
		this.accrueAll();
		const claims = [...this.lineUp.claims(this.day)];
		const claimed = claims.filter(({ state, installment: { position } }) => state.cycle.id === cycleId && position === installment);
		for (const share of allocate(amount, claimed).shares) this.settle(share, id, "WAIVED");
	}

	/**
	 * The old cycle's principal moves into the new one: that of the last installment first. The fact stands after every later posting, so
	 * more may have moved than is unpaid now: then the difference is overpaid, and pays the new cycle.
	 */
	rollOver(fact: DatedFact, amount: bigint): void {
		const { cycleId, id } = fact;
		this.accrueAll();
		const next = this.cycleOf(cycleId);
		const old = next.cycle.rolledFromId === null ? undefined : this.cycles.get(next.cycle.rolledFromId);
		let left = old ? amount : 0n;
		const claims = [...this.lineUp.claims(this.day)].filter(({ state }) => state === old).reverse();
		for (const claim of claims) {
			const principal = smallest(left, claim.principal);
			if (principal === 0n) continue;
			left -= principal;
			const isWhole = principal === totalOf(claim);
			this.settle({ claim, penalty: 0n, arrears: 0n, interest: 0n, principal, isWhole }, id, "ROLLED_OVER");
		}
		if (left > 0n) this.credits.push({ transactionId: id, left });
		this.overpay(id, -left, "OVERPAID");
		next.rolledInBy = id;
		this.draw(next, amount, fact);
	}

	refund({ id }: DatedFact, amount: bigint): void {
		let left = amount;
		for (const credit of this.credits) {
			const part = smallest(left, credit.left);
			credit.left -= part;
			left -= part;
		}
		if (this.uncoveredRefund === 0n) this.uncoveredSince = this.day;
		this.uncoveredRefund += left;
		this.overpay(id, amount - left, "REFUNDED");
		this.journalApart("REFUND_UNCOVERED", id, left, "REFUNDED");
	}

	/** Whether nothing but what this fact rolls over is owed, and nothing overpaid: then the book may as well begin with it. */
	isClearBefore({ kind, cycleId, amount }: DatedFact): boolean {
		if (kind === "ROLL_OVER" && this.openOffer()) return false;
		if (this.overpaid() + this.uncoveredRefund > 0n || this.writtenOffDay !== undefined) return false;
		return this.owed() === (kind === "ROLL_OVER" && this.rollsWhole(cycleId) ? toBigInt(amount) : 0n);
	}

	rollsWhole(cycleId: string | null): boolean {
		const rolledFromId = this.book.cycles.find(({ id }) => id === cycleId)?.rolledFromId;
		const old = rolledFromId ? this.cycles.get(rolledFromId) : undefined;
		return old !== undefined && old.outstanding.interest + old.outstanding.penalty === 0n && old.outstanding.principal === this.owed();
	}
}

const COMPONENT_NAMES = { penalty: "PENALTY", arrears: "ARREARS", interest: "INTEREST", principal: "PRINCIPAL" } as const;

/**
 * Replays the facts up to the end of a day; later ones are left out. Interest is charged up to `through`, and up to the end of each
 * of the `checkpoints`, so that the entries to that day sum to its balance; otherwise only where something happens. The work grows with
 * the entries and, slightly, with the days: callers bound how far ahead `through` may lie.
 */
export function replay(book: Book, through: CalendarDate, checkpoints: readonly CalendarDate[] = []): Ledger {
	const { fold, start } = foldOf(book, through, checkpoints);
	const nextPenaltyDay = fold.agenda.nextDay(fold.cycles.values());
	return {
		through,
		entries: fold.entries,
		allocations: fold.allocations,
		penalties: fold.penalties,
		cycles: [...fold.cycles.values()].sort((a, b) => a.cycle.number - b.cycle.number),
		overpaid: fold.overpaid(),
		uncoveredRefund: fold.uncoveredRefund,
		refundDueOn:
			fold.uncoveredRefund === 0n
				? null
				: refundDueOn(book, dateOf(fold.uncoveredSince), (other) => foldOf(other, through).fold.uncoveredRefund === 0n),
		inDuplum: fold.inDuplum(),
		settlement: fold.settlement(),
		writtenOffOn: fold.writtenOffDay === undefined ? null : dateOf(fold.writtenOffDay),
		entriesBeforeWriteOff: fold.entriesBeforeWriteOff,
		nextPenaltyOn: nextPenaltyDay === undefined ? null : dateOf(nextPenaltyDay),
		bookFrom: start.position,
	};
}

function foldOf(book: Book, through: CalendarDate, checkpoints: readonly CalendarDate[] = []): { fold: Fold; start: BookStart } {
	const facts = factsInOrder(book.facts);
	const last = dayOf(through);
	const fold = new Fold(book, Math.min(facts[0]?.day ?? last, last), new Set(checkpoints.map(dayOf)));
	const start = new BookStart(facts, book.facts);
	for (const [index, fact] of facts.entries()) {
		if (fact.day > last) break;
		fold.goTo(fact.day);
		if (fact.kind !== "ROLL_OVER") fold.endMorning();
		start.see(index, () => fold.isClearBefore(fact));
		fold.apply(fact);
	}
	fold.goTo(last);
	fold.endMorning();
	fold.accrueAll();
	fold.endStreak();
	return { fold, start };
}
