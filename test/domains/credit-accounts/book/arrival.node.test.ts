// Money is neither made nor lost, and the order in which payments arrive makes no difference, in any book.
// @module-tag thorough

import { expect, it, vi } from "vitest";
import { replay } from "../../../../src/domains/credit-accounts/book/book.policy";
import { type Fact, factsInOrder } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { forAllBooks } from "./random-books";
import { recordingOf, saidBy, total } from "./recording";

// A run over many books takes longer than the default timeout.
vi.setConfig({ testTimeout: 1_800_000 });

it("a replay gives the same book for every order in which payments of different days arrive", () => {
	forAllBooks(60, ({ book, through }) => {
		const days = book.facts.map(({ valueDate }) => valueDate);
		const movable = ({ kind, valueDate }: Fact) =>
			kind === "REPAYMENT" && days.indexOf(valueDate) === days.lastIndexOf(valueDate) && valueDate > (days[0] ?? "");
		const positions = book.facts.filter(movable).map(({ position }) => position);
		const arrived = book.facts.map((fact) => (movable(fact) ? { ...fact, position: positions.pop() ?? fact.position } : fact));
		const other = { ...book, facts: arrived.toSorted((a, b) => a.position - b.position) };
		expect(saidBy(replay(other, through))).toEqual(saidBy(replay(book, through)));
		const sumsOf = ({ allocations }: ReturnType<typeof recordingOf>) => {
			const sums = new Map<string, number>();
			for (const { transactionId, cycleId, installment, allocatedAmount } of allocations) {
				const key = `${transactionId} ${cycleId} ${installment}`;
				sums.set(key, (sums.get(key) ?? 0) + allocatedAmount);
			}
			return [...sums].filter(([, amount]) => amount !== 0).sort();
		};
		const undone = book.facts.some(({ kind }) => kind === "REVERSAL");
		// The rows of a reversal repeat what was recorded when it was posted.
		if (!undone) expect(sumsOf(recordingOf(other, through))).toEqual(sumsOf(recordingOf(book, through)));
	});
});

it("neither makes nor loses money", () => {
	forAllBooks(60, ({ book, through }) => {
		const { entries, overpaid, uncoveredRefund } = replay(book, through);
		const happened = factsInOrder(book.facts).filter(({ valueDate }) => valueDate <= through);
		const moved = (kind: Fact["kind"]) => total(happened.filter((fact) => fact.kind === kind).map(({ amount }) => BigInt(amount)));
		const said = (...rules: string[]) => total(entries.filter(({ rule }) => rules.includes(rule)).map(({ amount }) => amount));
		const ofPayments = entries.filter(({ rule }) => ["PAID", "OVERPAID", "OVERPAYMENT_USED"].includes(rule));
		const rolled = new Set(happened.filter(({ kind }) => kind === "ROLL_OVER").map(({ id }) => id));
		const isRolled = ({ transactionId }: { transactionId: string | null }) => rolled.has(transactionId ?? "");
		// Every unit paid is taken by an installment, by a refund without cover, or stays on the account.
		expect(-total(ofPayments.filter((entry) => !isRolled(entry)).map(({ amount }) => amount))).toBe(moved("REPAYMENT"));
		expect(said("REFUNDED")).toBe(moved("REFUND"));
		expect(total(entries.filter(({ rule, ...entry }) => rule === "DRAWN" && !isRolled(entry)).map(({ amount }) => amount))).toBe(
			moved("DRAW"),
		);
		expect(total(entries.filter(isRolled).map(({ amount }) => amount))).toBe(0n);
		expect(total(entries.filter(({ component }) => component === "OVERPAYMENT").map(({ amount }) => amount))).toBe(-overpaid);
		expect(uncoveredRefund * overpaid).toBe(0n);
	});
});
