// What a draw and other due dates do to a loan in the oracle: the levels of its installments, and the fee.

import { Fraction } from "./fraction";
import { lengthen, spreadFee } from "./oracle-fees";
import { atLeastNil, type Loan, least, lineOf, movedSlices, NIL, newStretch, offOf, openLines } from "./oracle-loan";

const ONE = new Fraction(1);

/** The equal payment P / sum of the discount factors. */
const annuity = (amount: bigint, rates: Fraction[]) => {
	let discount = ONE;
	let worth = NIL;
	for (const rate of rates) {
		discount = discount.over(ONE.plus(rate));
		worth = worth.plus(discount);
	}
	return new Fraction(amount).over(worth).rounded();
};

const parts = (amount: bigint, count: number) =>
	Array.from({ length: count }, (_, index) =>
		index < count - 1 ? amount / BigInt(count) : amount - (amount / BigInt(count)) * BigInt(count - 1),
	);

const runningOn = ({ slices }: Loan, day: number) => slices.findIndex(({ start, due }) => start <= day && day < due);

/** The rate of what a slice has left from the day on. */
const restOf = ({ slices }: Loan, index: number, day: number): Fraction => {
	const slice = slices[index];
	if (!slice) return NIL;
	return slice.start <= day ? slice.rate.times(new Fraction(slice.due - day, slice.due - slice.start)) : slice.rate;
};

const ratesFrom = (loan: Loan, running: number, day: number) =>
	loan.slices.reduce((sum, _, index) => (index < running ? sum : sum.plus(restOf(loan, index, day))), NIL);

const levelAll = (loan: Loan, running: number, day: number) => {
	const { slices } = loan;
	const open = openLines(loan);
	if (open.length === 0) return;
	const groups = open.map((line, index) => {
		const first = index === 0 ? running : (open[index - 1]?.position ?? 0);
		return slices.map((_, at) => at).filter((at) => at >= first && at < line.position);
	});
	const levelsAt = (level: bigint) => {
		let pool = loan.pool;
		return open.map((line, index) => {
			const off = offOf(line, "principal");
			let interest = line.interest - line.fee;
			for (const at of groups[index] ?? []) interest += restOf(loan, at, day).times(pool).rounded();
			const part = index === open.length - 1 ? pool : least(atLeastNil(level - interest - off), pool);
			pool -= part;
			return interest + off + part;
		});
	};
	const rates = groups.map((group) => group.reduce((sum, at) => sum.plus(slices[at]?.rate ?? NIL), NIL));
	const level = annuity(
		open.reduce((sum, line) => sum + offOf(line, "principal"), loan.pool),
		rates,
	);
	const gapOf = (levels: bigint[]) => (levels.length < 2 ? 0n : (levels.at(-1) ?? 0n) - (levels.at(-2) ?? 0n));
	const size = (value: bigint) => (value < 0n ? -value : value);
	let levels = levelsAt(level);
	const gap = gapOf(levels);
	if (size(gap) > BigInt(Math.floor(open.length / 2))) {
		const other = levelsAt(level + new Fraction(gap, open.length).rounded());
		if (size(gapOf(other)) < size(gap)) levels = other;
	}
	open.forEach((line, index) => {
		line.level = levels[index] ?? 0n;
	});
};

export const lendOn = (loan: Loan, amount: bigint, withFee: boolean, day: number) => {
	const { slices, cycle } = loan;
	newStretch(loan, day);
	loan.pool += amount;
	loan.drawn += amount;
	if (openLines(loan).length === 0) for (const line of loan.lines) if (line.state === "AHEAD") line.state = "OPEN";
	const running = runningOn(loan, day);
	const open = openLines(loan);
	if (cycle.terms.productType === "FLAT") {
		const cost = ratesFrom(loan, running, day).times(amount).rounded();
		parts(cost, slices.length - running).forEach((part, index) => {
			loan.flat[running + index] = (loan.flat[running + index] ?? 0n) + part;
		});
		const [principals, interests] = [parts(amount, open.length), parts(cost, open.length)];
		open.forEach((line, index) => {
			line.level += (principals[index] ?? 0n) + (interests[index] ?? 0n);
		});
	} else levelAll(loan, running, day);
	const [first] = openLines(loan);
	if (first && withFee) {
		const fee = new Fraction(amount * BigInt(cycle.terms.feeBasisPoints), 10_000).rounded();
		first.fee += fee;
		first.interest += fee;
		spreadFee(loan, first, fee, day);
	}
};

/** Moves the ends of the slices that have not ended. The lines to come share what is owed again. */
export const moveOn = (loan: Loan, ends: readonly number[], day: number) => {
	const running = runningOn(loan, day);
	if (running < 0 || ends.length < loan.slices.length - running || (ends[0] ?? 0) <= day) return;
	newStretch(loan, day);
	const before = ratesFrom(loan, running, day);
	loan.slices = [...loan.slices.slice(0, running), ...movedSlices(loan, running, ends)];
	loan.slices.forEach(({ due }, index) => {
		const line = loan.lines[index];
		if (line) line.due = due;
		else loan.lines.push(lineOf(loan.cycle.id, index + 1, due));
	});
	lengthen(loan, day);
	if (loan.cycle.terms.productType !== "FLAT") {
		levelAll(loan, running, day);
		return;
	}
	const unearned = loan.flat.slice(running).reduce((sum, part) => sum + part, 0n);
	const after = ratesFrom(loan, running, day);
	const cost = before.top === 0n ? unearned : after.over(before).times(unearned).rounded();
	loan.flat = [...loan.flat.slice(0, running), ...parts(cost, loan.slices.length - running)];
	const open = openLines(loan);
	const had = open.reduce((sum, line) => sum + line.interest - line.fee + offOf(line, "principal"), 0n);
	parts(loan.pool + cost + had, open.length).forEach((part, index) => {
		const line = open[index];
		if (line) line.level = part;
	});
};
