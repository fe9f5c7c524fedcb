// What the law allows to be recovered of a borrower in default: the interest and penalties that are unpaid as the first overdue day begins,
// and all that are charged from then on, paid or not, stay within the principal outstanding at that moment. Once nothing is overdue any more,
// a later default starts from zero.

import { smallest } from "../../../shared/money";

/** The running streak of overdue days. */
export class Streak {
	/** The first overdue day. */
	readonly since: number;
	/** Principal outstanding as that day began. */
	readonly principal: bigint;
	/** What may be charged from then on: the principal, less interest and penalties that were unpaid then. */
	readonly cap: bigint;
	/** What may still be charged. */
	left: bigint;
	/** The day of the first charge that was trimmed or not made at all, by this cap or by that on what is unpaid. */
	reachedOn: number | undefined;

	constructor(since: number, principal: bigint, unpaid: bigint) {
		this.since = since;
		this.principal = principal;
		this.cap = principal > unpaid ? principal - unpaid : 0n;
		this.left = this.cap;
	}

	/** What of a charge of the day may be made. */
	take(amount: bigint, day: number): bigint {
		const part = smallest(amount, this.left);
		this.left -= part;
		if (part < amount) this.reachedOn ??= day;
		return part;
	}
}

/** The first of the days after `from` up to `to` by whose end more than `left` is earned; `earnedBy` never falls. */
export function crossingDay(from: number, to: number, left: bigint, earnedBy: (day: number) => bigint): number {
	let [low, high] = [from, to];
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2);
		if (earnedBy(middle) > left) high = middle;
		else low = middle;
	}
	return high;
}
