// The oracle computes the book in another way: day by day, with exact fractions of interest, from the rules alone. It shares no code
// with the replay, and is simple rather than fast.

import type { Book, Fact } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { endIfPaid, giveUp, passDay, waiveSpread } from "./oracle-fees";
import { type Accounts, accountsOf, nothingMoved } from "./oracle-journal";
import { lendOn, moveOn } from "./oracle-lending";
import {
	atLeastNil,
	earn,
	fallDue,
	type Line,
	type Loan,
	least,
	lineOf,
	newLoan,
	numberOf,
	owes,
	owesInAll,
	penaltyOn,
	takeAhead,
	takes,
} from "./oracle-loan";
import { breakdownOf, takenBack, totalsOf } from "./oracle-totals";

export type Verdict = {
	breakdown: { principal: bigint; interest: bigint; arrears: bigint; penalty: bigint; refundUncovered: bigint };
	totals: { charged: bigint; paid: bigint; waived: bigint };
	overpaid: bigint;
	uncovered: bigint;
	uncoveredSince: number;
	lines: Line[];
	/** `transaction/cycle/installment`: principal, interest, arrears, penalty. */
	allocated: Map<string, bigint[]>;
	penalties: string[];
	accounts: Accounts;
};

type OnDay = (day: number, breakdown: Verdict["breakdown"], overpaid: bigint, accounts: () => Accounts) => void;

/** The book at the end of the day `through`; with `ahead`, as it will be if nothing else happens. `onDay` sees each end of a day before. */
export function judge(book: Book, through: string, ahead = false, onDay?: OnDay): Verdict {
	const firstPosted = [...book.facts].sort((a, b) => a.position - b.position)[0];
	const beginning = numberOf(firstPosted?.valueDate ?? through);
	const today = numberOf(through);
	const byDay = new Map<number, Fact[]>();
	for (const fact of [...book.facts].sort((a, b) => a.position - b.position)) {
		const day = Math.max(beginning, numberOf(fact.valueDate));
		const amount = fact.amount - takenBack(book, fact);
		if (amount > 0) byDay.set(day, [...(byDay.get(day) ?? []), { ...fact, amount }]);
	}

	const loans: Loan[] = [];
	const allocated = new Map<string, bigint[]>();
	const penalties: string[] = [];
	const purse: { from: string; left: bigint }[] = [];
	let [uncovered, uncoveredSince] = [0n, beginning];
	const moved = nothingMoved();
	let bargain: { from: string; left: bigint; until: number } | undefined;
	let [isWrittenOff, day] = [false, beginning];

	/** What may still be charged of a borrower who is in default, and since when they are. */
	let lawLeaves: bigint | undefined;
	const allowed = (amount: bigint): bigint => {
		if (lawLeaves === undefined) return amount;
		const part = least(amount, lawLeaves);
		lawLeaves -= part;
		return part;
	};
	const owesAt = (line: Line) => Object.values(owes(line)).reduce((sum, part) => sum + part, 0n);
	const isLateOn = (date: number) => loans.some(({ lines }) => lines.some((line) => line.due < date && owesAt(line) > 0n));
	const applyLaw = () => {
		if (book.inDuplum?.sinceDefault === false) return;
		if (!isLateOn(day - 1)) lawLeaves = undefined;
		if (lawLeaves !== undefined || !isLateOn(day)) return;
		const unpaid = (all: { interest: bigint; penalty: bigint }) => (book.inDuplum?.countsUnpaid ? all.interest + all.penalty : 0n);
		lawLeaves = atLeastNil(loans.map(owesInAll).reduce((sum, all) => sum + all.principal - unpaid(all), 0n));
	};

	const punish = (loan: Loan) => {
		const { penaltyTerms: terms, tenure: _ } = loan.cycle.terms;
		if (isWrittenOff) return;
		const end = loan.slices.at(-1)?.due ?? 0;
		const late = terms.trigger === "AFTER_LOAN_END" ? [undefined] : loan.lines.filter(({ state }) => state === "DUE");
		for (const line of late) {
			const waited = day - (line?.due ?? end) - terms.gracePeriodDays - 1;
			if (waited < 0 || (terms.type === "ONE_TIME" ? waited > 0 : waited % terms.periodDays !== 0)) continue;
			const amount = allowed(penaltyOn(loan, line));
			if (amount === 0n) continue;
			const known = line ?? loan.lines[loan.slices.length];
			const target = known ?? { ...lineOf(loan.cycle.id, loan.slices.length + 1, day), state: "DUE" as const };
			if (!known) loan.lines.push(target);
			target.penalty += amount;
			penalties.push(`${loan.cycle.id}/${target.position}/${waited / terms.periodDays + 1}/${day}/${amount}`);
		}
	};

	type Owing = { loan: Loan; line: Line; penalty: bigint; arrears: bigint; interest: bigint; principal: bigint };
	const owing = (): Owing[] =>
		loans
			.flatMap((loan) => {
				const open = takes(loan);
				return loan.lines.map((line) => {
					const { principal, interest, penalty } = owes(line);
					const isOverdue = line.due < day;
					return {
						loan,
						line,
						penalty,
						arrears: isOverdue ? interest : 0n,
						interest: isOverdue ? 0n : interest,
						principal: principal + (open.get(line) ?? 0n),
					};
				});
			})
			.sort((a, b) => a.line.due - b.line.due || a.loan.cycle.number - b.loan.cycle.number || a.line.position - b.line.position);
	const WATERFALL = ["penalty", "arrears", "interest", "principal"] as const;
	const sizeOf = (owed: Pick<Owing, (typeof WATERFALL)[number]>) => owed.penalty + owed.arrears + owed.interest + owed.principal;

	const record = (from: string, owed: Owing, part: Owing, how: "paid" | "waived") => {
		const { loan, line } = owed;
		const off = line.off[how];
		off.principal += part.principal;
		off.interest += part.interest + part.arrears;
		off.penalty += part.penalty;
		const key = `${from}/${line.cycleId}/${line.position}`;
		const [p = 0n, i = 0n, a = 0n, f = 0n] = allocated.get(key) ?? [];
		allocated.set(key, [p + part.principal, i + part.interest, a + part.arrears, f + part.penalty]);
		if (how === "waived") waiveSpread(loan, line, part.interest + part.arrears, moved.fees);
		if (line.state === "OPEN") takeAhead(loan, line, part.principal, sizeOf(part) === sizeOf(owed), day);
		endIfPaid(loan);
	};

	/** Distributes the money in the order that the book's allocation names. */
	const distribute = (from: string, money: bigint, among: Owing[], how: "paid" | "waived", byDefault = false): bigint => {
		const { order, future } = byDefault || !book.allocation ? { order: "HORIZONTAL", future: "NEXT_INSTALLMENT" } : book.allocation;
		const parts = new Map(among.map((owed) => [owed, { ...owed, penalty: 0n, arrears: 0n, interest: 0n, principal: 0n }]));
		let left = money;
		const give = (owed: Owing, most: bigint, kinds: readonly (typeof WATERFALL)[number][] = WATERFALL) => {
			const part = parts.get(owed);
			let rest = least(most, left);
			for (const kind of kinds) {
				const size = part ? least(rest, owed[kind] - part[kind]) : 0n;
				if (part) part[kind] += size;
				rest -= size;
				left -= size;
			}
		};
		const due = among.filter(({ line }) => line.due <= day);
		const coming = among.filter(({ line }) => line.due > day);
		if (order === "VERTICAL") for (const kind of WATERFALL) for (const owed of due) give(owed, left, [kind]);
		for (const owed of due) give(owed, left);
		if (future === "LAST_INSTALLMENT") coming.reverse();
		if (future === "REAMORTIZATION") {
			for (;;) {
				const wanting = coming.filter((owed) => sizeOf(owed) > sizeOf(parts.get(owed) ?? owed));
				if (left === 0n || wanting.length === 0) break;
				const share = left / BigInt(wanting.length);
				const extra = Number(left - share * BigInt(wanting.length));
				wanting.forEach((owed, index) => {
					give(owed, index >= wanting.length - extra ? share + 1n : share);
				});
			}
		} else for (const owed of coming) give(owed, left);
		for (const [owed, part] of parts) if (sizeOf(part) > 0n) record(from, owed, part, how);
		moved[how] += money - left;
		return left;
	};

	const spendPurse = () => {
		for (const coin of purse) coin.left = distribute(coin.from, coin.left, owing(), "paid");
	};

	const loanOf = (cycleId: string | null): Loan => {
		const known = loans.find(({ cycle }) => cycle.id === cycleId);
		const cycle = book.cycles.find(({ id }) => id === cycleId);
		if (known) return known;
		if (!cycle) throw new Error(`no cycle ${cycleId}`);
		const loan = newLoan(cycle, day);
		loans.push(loan);
		loans.sort((a, b) => a.cycle.number - b.cycle.number);
		return loan;
	};

	const happen = (fact: Fact) => {
		const amount = BigInt(fact.amount);
		if (fact.kind === "DRAW") {
			bargain = undefined;
			moved.lent += amount;
			const loan = loanOf(fact.cycleId);
			lendOn(loan, amount, true, day);
			if (isWrittenOff) giveUp(loan, moved.fees);
			spendPurse();
		}
		if (fact.kind === "REPAYMENT") {
			const deal = bargain && day <= bargain.until ? bargain : undefined;
			const spendable = deal ? least(amount, deal.left) : amount;
			const covers = least(uncovered, spendable);
			uncovered -= covers;
			moved.received += amount;
			moved.paid += covers;
			const left = distribute(fact.id, spendable - covers, owing(), "paid");
			purse.push({ from: fact.id, left: left + amount - spendable });
			if (deal) {
				deal.left -= spendable - left;
				if (deal.left === 0n) {
					moved.waived += owing().reduce((sum, owed) => sum + sizeOf(owed), uncovered);
					for (const owed of owing()) if (sizeOf(owed) > 0n) record(deal.from, owed, owed, "waived");
					uncovered = 0n;
					bargain = undefined;
				}
			}
		}
		if (fact.kind === "SETTLEMENT") bargain = { from: fact.id, left: amount, until: numberOf(fact.validUntil ?? "") };
		if (fact.kind === "RESCHEDULE") {
			const loan = loans.find(({ cycle }) => cycle.id === fact.cycleId);
			if (loan) moveOn(loan, fact.dueDates?.map(numberOf) ?? [], day);
		}
		if (fact.kind === "WAIVER") {
			const one = owing().filter(({ line }) => line.cycleId === fact.cycleId && line.position === fact.installment);
			distribute(fact.id, amount, one, "waived", true);
		}
		if (fact.kind === "ROLL_OVER") {
			const next = loanOf(fact.cycleId);
			let left = amount;
			const old = owing().filter(({ line }) => line.cycleId === next.cycle.rolledFromId);
			if (!loans.some(({ cycle }) => cycle.id === next.cycle.rolledFromId)) left = 0n;
			for (const owed of old.reverse()) {
				const principal = least(left, owed.principal);
				left -= principal;
				if (principal > 0n) record(fact.id, owed, { ...owed, penalty: 0n, arrears: 0n, interest: 0n, principal }, "paid");
			}
			purse.push({ from: fact.id, left });
			lendOn(next, amount, false, day);
			spendPurse();
		}
		if (fact.kind === "REFUND") {
			let left = amount;
			moved.refunded += amount;
			for (const coin of purse) {
				const part = least(left, coin.left);
				coin.left -= part;
				left -= part;
			}
			if (uncovered === 0n) uncoveredSince = day;
			uncovered += left;
		}
		if (fact.kind === "WRITE_OFF") {
			isWrittenOff = true;
			moved.atWriteOff ??= { paid: moved.paid, waived: moved.waived };
			for (const loan of loans) giveUp(loan, moved.fees);
		}
	};

	const live = (isReal: boolean) => {
		if (isReal) applyLaw();
		for (const loan of loans) {
			if (!isWrittenOff) earn(loan, day, isReal ? allowed : (amount) => amount);
			fallDue(loan, day);
			if (isReal) passDay(loan);
		}
		if (!isReal) return;
		const facts = byDay.get(day) ?? [];
		for (const fact of facts) if (fact.kind === "ROLL_OVER") happen(fact);
		for (const loan of loans) punish(loan);
		for (const fact of facts) if (fact.kind !== "ROLL_OVER") happen(fact);
	};

	const overpaidNow = () => purse.reduce((sum, { left }) => sum + left, 0n);
	const accountsNow = () => accountsOf(loans, uncovered, overpaidNow(), moved);

	for (; day <= today; day++) {
		live(true);
		onDay?.(day, breakdownOf(loans, day, uncovered), overpaidNow(), accountsNow);
	}
	day = today;
	const breakdown = breakdownOf(loans, today, uncovered);
	const totals = totalsOf(book, loans, allocated, uncovered);
	const overpaid = overpaidNow();
	const accounts = accountsNow();
	if (ahead) {
		const end = Math.max(today, ...loans.map(({ slices }) => slices.at(-1)?.due ?? 0));
		for (day = today + 1; day <= end; day++) live(false);
	}
	return {
		breakdown,
		totals,
		overpaid,
		uncovered,
		uncoveredSince,
		lines: loans.flatMap(({ lines }) => lines),
		allocated,
		penalties,
		accounts,
	};
}
