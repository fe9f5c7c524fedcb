// What the days bring to an account by themselves: interest, due dates, arrears, penalties, and the streak of overdue days in which the
// law limits what may be charged. A day begins with due dates and roll-overs, then come penalties, then the other facts.

import { accrue, comeDue, unchargedInterest } from "./cycle.policy";
import { type CycleState, type InstallmentState, sumOf, unpaidOf } from "./cycle-state.policy";
import type { Entry, Journal, Penalty } from "./entries.policy";
import { type Book, dateOf } from "./facts.policy";
import { crossingDay, Streak } from "./in-duplum.policy";
import type { InDuplum } from "./ledger.policy";
import { LineUp } from "./line-up.policy";
import { PenaltyAgenda } from "./penalty-agenda.policy";

/** More penalties are charged than the book may have. */
export class TooManyPenalties extends Error {}

export class Passage {
	readonly book: Book;
	readonly checkpoints: ReadonlySet<number>;
	readonly entries: Entry[] = [];
	readonly penalties: Penalty[] = [];
	readonly cycles = new Map<string, CycleState>();
	readonly lineUp = new LineUp();
	readonly agenda = new PenaltyAgenda();
	/** Installments whose due date is the day. */
	dueToday: { readonly state: CycleState; readonly installment: InstallmentState }[] = [];
	streak: Streak | undefined;
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
		if (this.penalties.length > (this.book.mostPenalties ?? Number.POSITIVE_INFINITY)) throw new TooManyPenalties();
	}

	/** At the end of a day: whether the streak of overdue days ends with it, or one begins with the next. */
	turnStreak(): void {
		this.endStreak();
		if (this.streak || this.book.inDuplum?.sinceDefault === false || !this.lineUp.isOverdue(this.day + 1)) return;
		this.accrueAll();
		let principal = 0n;
		for (const { outstanding } of this.cycles.values()) principal += outstanding.principal;
		const unpaid = this.book.inDuplum?.countsUnpaid ? this.owed() - principal : 0n;
		this.streak = new Streak(this.day + 1, principal, unpaid);
	}

	endStreak(): void {
		if (this.streak && !this.lineUp.isOverdue(this.day)) this.streak = undefined;
	}

	/** Unpaid interest that was due yesterday is overdue from today on. */
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

	inDuplum(): InDuplum | null {
		if (!this.streak) return null;
		const { since, principal, cap, left, reachedOn } = this.streak;
		return { since: dateOf(since), principal, cap, left, reachedOn: reachedOn === undefined ? null : dateOf(reachedOn) };
	}

	owed(): bigint {
		let owed = 0n;
		for (const { outstanding } of this.cycles.values()) owed += sumOf(outstanding);
		return owed;
	}
}
