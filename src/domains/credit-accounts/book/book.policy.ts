// The book of a credit account as one fold: the facts that stand go in, by value date and then in the order of posting, and entries
// come out. A reversal, a backdated payment and a payment in time are the same: the facts are replayed.
//
// A day begins with due dates, roll-overs and penalties, in this order; the other facts of the day follow. Reading on a day is a
// replay up to that day, of which nothing is kept.

import { smallest, toBigInt } from "../../../shared/money";
import type { CalendarDate } from "../../../shared/time";
import { allocate, DEFAULT_ALLOCATION, type Share, totalOf } from "../../loan-terms/allocation.policy";
import { BookStart } from "./book-start.policy";
import { accrue, comeDue, lend, reschedule, takeOff, unchargedInterest } from "./cycle.policy";
import { type CycleState, type InstallmentState, openCycle, sumOf, unpaidOf } from "./cycle-state.policy";
import type { Allocation, Entry, EntryRule, Journal, Penalty } from "./entries.policy";
import { type Book, type DatedFact, dateOf, dayOf, factsInOrder } from "./facts.policy";
import { crossingDay, Streak } from "./in-duplum.policy";
import { LineUp, type Obligation } from "./line-up.policy";
import { PenaltyAgenda } from "./penalty-agenda.policy";

/** Money of the borrower that no installment takes, by the transaction that brought it. */
type Credit = { readonly transactionId: string; left: bigint };

export type InDuplum = {
	/** The first overdue day. */
	readonly since: CalendarDate;
	/** Principal outstanding as that day began. */
	readonly cap: bigint;
	/** What interest and penalties may still be charged. */
	readonly left: bigint;
	/** The day of the first charge that was trimmed. */
	readonly reachedOn: CalendarDate | null;
};

/** The book at the end of a day. What is owed, shown and explained is read from it by the policies beside this one. */
export type Ledger = {
	readonly through: CalendarDate;
	readonly entries: readonly Entry[];
	readonly allocations: readonly Allocation[];
	readonly penalties: readonly Penalty[];
	/** By number. */
	readonly cycles: readonly CycleState[];
	readonly overpaid: bigint;
	/** Refunded although it was not overpaid after all, as when the payment bounced later: the borrower owes it. */
	readonly uncoveredRefund: bigint;
	/** While something is overdue: what the law allows to be charged meanwhile. */
	readonly inDuplum: InDuplum | null;
	/** The settlement that may still be paid: how much of it is left. */
	readonly settlement: { readonly transactionId: string; readonly left: bigint; readonly validUntil: CalendarDate } | null;
	readonly writtenOffOn: CalendarDate | null;
	/** The next day on which a penalty may be charged for what is unpaid now. */
	readonly nextPenaltyOn: CalendarDate | null;
	/**
	 * Position of the last fact that starts a cycle while nothing else is owed or overpaid: a replay of the facts from there on gives
	 * the same. The first position where there is none.
	 */
	readonly bookFrom: number;
};

class Fold {
	readonly book: Book;
	readonly checkpoints: ReadonlySet<number>;
	readonly entries: Entry[] = [];
	readonly allocations: Allocation[] = [];
	readonly penalties: Penalty[] = [];
	readonly cycles = new Map<string, CycleState>();
	readonly lineUp = new LineUp();
	readonly agenda = new PenaltyAgenda();
	readonly credits: Credit[] = [];
	/** Installments whose due date is the day. */
	dueToday: { readonly state: CycleState; readonly installment: InstallmentState }[] = [];
	streak: Streak | undefined;
	/** The newest settlement: once so much more is paid by the end of the day `until`, the rest is waived. */
	offer: { readonly transactionId: string; left: bigint; readonly until: number } | undefined;
	uncoveredRefund = 0n;
	writtenOffDay: number | undefined;
	day: number;

	readonly journal: Journal = ({ day, ...entry }) => {
		this.entries.push({ date: dateOf(day), ...entry });
	};

	constructor(book: Book, day: number, checkpoints: ReadonlySet<number>) {
		this.book = book;
		this.day = day;
		this.checkpoints = checkpoints;
	}

	/** Passes the days up to this one, whose due dates have come then; its penalties are charged by endMorning. */
	goTo(day: number): void {
		while (this.day < day) {
			this.endMorning();
			if (this.checkpoints.has(this.day)) this.accrueAll();
			this.turnStreak();
			this.day++;
			this.moveToArrears();
			for (const state of this.cycles.values()) {
				if (state.dueDays[state.running] !== this.day) continue;
				// In a streak the interest of all cycles has to be charged in the order of days.
				if (this.streak) this.accrueAll();
				const installment = comeDue(state, this.journal);
				if (!installment) continue;
				this.agenda.add(state, installment);
				this.dueToday.push({ state, installment });
			}
		}
	}

	/** Charges the day's penalties: once, after its roll-overs. */
	endMorning(): void {
		if (!this.agenda.has(this.day)) return;
		if (this.streak) this.accrueAll();
		this.penalties.push(...this.agenda.charge(this.day, this.lineUp, this.journal, this.streak));
	}

	/** At the end of a day: whether the streak of overdue days ends with it, or one begins with the next. */
	turnStreak(): void {
		this.endStreak();
		if (this.streak || this.book.inDuplum?.sinceDefault === false || !this.lineUp.isOverdue(this.day + 1)) return;
		this.accrueAll();
		let principal = 0n;
		for (const { outstanding } of this.cycles.values()) principal += outstanding.principal;
		this.streak = new Streak(this.day + 1, principal);
	}

	endStreak(): void {
		if (this.streak && !this.lineUp.isOverdue(this.day)) this.streak = undefined;
	}

	/** What is unpaid of the interest that was due yesterday is overdue from today on. */
	moveToArrears(): void {
		for (const { state, installment } of this.dueToday) {
			const { interest } = unpaidOf(installment);
			if (interest === 0n) continue;
			const of = { day: this.day, cycleId: state.cycle.id, installment: installment.position, transactionId: null };
			const inputs = { due_date: dateOf(installment.dueDay) };
			this.journal({ ...of, component: "INTEREST", amount: -interest, rule: "OVERDUE", inputs });
			this.journal({ ...of, component: "ARREARS", amount: interest, rule: "OVERDUE", inputs });
		}
		this.dueToday = [];
	}

	accrueAll(): void {
		const states = [...this.cycles.values()];
		const earnedBy = (day: number) => states.reduce((sum, state) => sum + unchargedInterest(state, day), 0n);
		if (this.streak && earnedBy(this.day) > this.streak.left) {
			// On the day on which the cap is reached the cycles take what is left by number; nothing more is charged after it.
			const crossing = crossingDay(this.streak.since - 1, this.day, this.streak.left, earnedBy);
			states.sort((a, b) => a.cycle.number - b.cycle.number);
			for (const day of [crossing - 1, crossing]) for (const state of states) accrue(state, day, this.journal, this.streak);
		}
		for (const state of states) accrue(state, this.day, this.journal, this.streak);
	}

	settlement(): Ledger["settlement"] {
		const offer = this.owed() + this.uncoveredRefund === 0n ? undefined : this.openOffer();
		return offer ? { transactionId: offer.transactionId, left: offer.left, validUntil: dateOf(offer.until) } : null;
	}

	inDuplum(): InDuplum | null {
		if (!this.streak) return null;
		const { since, cap, left, reachedOn } = this.streak;
		return { since: dateOf(since), cap, left, reachedOn: reachedOn === undefined ? null : dateOf(reachedOn) };
	}

	owed(): bigint {
		let owed = 0n;
		for (const { outstanding } of this.cycles.values()) owed += sumOf(outstanding);
		return owed;
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
				for (const state of this.cycles.values()) state.isStopped = true;
		}
	}

	draw(state: CycleState, amount: bigint, { id, kind }: DatedFact): void {
		if (this.streak) this.accrueAll();
		// What is lent later was no part of the settlement.
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

	/** Counts a payment towards the settlement; the one that completes it has the rest waived. */
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

	/** What was overpaid pays what is owed now, the oldest first. */
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
	 * The old cycle's principal moves into the new one: that of the last installment first. The fact stands whatever is posted later,
	 * so more may have moved than is unpaid now: then the difference is overpaid, and pays the new cycle.
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
	const facts = factsInOrder(book.facts);
	const last = dayOf(through);
	const fold = new Fold(book, Math.min(facts[0]?.day ?? last, last), new Set(checkpoints.map(dayOf)));
	const start = new BookStart(facts);
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
	const nextPenaltyDay = fold.agenda.nextDay();
	return {
		through,
		entries: fold.entries,
		allocations: fold.allocations,
		penalties: fold.penalties,
		cycles: [...fold.cycles.values()].sort((a, b) => a.cycle.number - b.cycle.number),
		overpaid: fold.overpaid(),
		uncoveredRefund: fold.uncoveredRefund,
		inDuplum: fold.inDuplum(),
		settlement: fold.settlement(),
		writtenOffOn: fold.writtenOffDay === undefined ? null : dateOf(fold.writtenOffDay),
		nextPenaltyOn: nextPenaltyDay === undefined ? null : dateOf(nextPenaltyDay),
		bookFrom: start.position,
	};
}
