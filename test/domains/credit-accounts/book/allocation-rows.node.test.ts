// A payment's rows add up to the payment, installment by installment.

import { describe, expect, it } from "vitest";
import { type AllocationRow, newAllocationRows, overpaidOf } from "../../../../src/domains/credit-accounts/book/allocation-rows.policy";
import { replay } from "../../../../src/domains/credit-accounts/book/book.policy";
import type { Book } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { newPenaltyRows, type PenaltyRow } from "../../../../src/domains/credit-accounts/book/penalty-rows.policy";
import { loan, noPenalty } from "./books";

// 100,000 at 5 percent for 30 days from 1 January 2025: installments of 36,721 due on 31 January, 2 March and 1 April.
const START = "2025-01-01";
const pay = (valueDate: string, amount: number) => ({ kind: "REPAYMENT" as const, valueDate, amount });

/** The rows that each posting writes, and the penalties recorded with it; each is posted on its day in `days`. */
function recorded(book: Book, days: readonly string[]) {
	const allocations: AllocationRow[] = [];
	const penalties: PenaltyRow[] = [];
	return days.map((day, index) => {
		const facts = book.facts.slice(0, index + 1);
		const ledger = replay({ ...book, facts }, day);
		const rows = newAllocationRows(ledger, facts, allocations, facts.slice(-1));
		const charged = newPenaltyRows(ledger, penalties);
		allocations.push(...rows);
		penalties.push(...charged);
		return { rows, charged };
	});
}

const brief = ({ transactionId, causeId, installment, allocatedAmount, effect, source, timing }: AllocationRow) => [
	transactionId,
	causeId,
	installment,
	allocatedAmount,
	effect,
	source,
	timing,
];

describe("allocation rows", () => {
	it("of a payment in time belong to that payment only", () => {
		const book = loan({}, 100_000, START, [pay("2025-01-31", 36_721), pay("2025-02-20", 10_000)]);
		const [, first, second] = recorded(book, [START, "2025-01-31", "2025-02-20"]);
		expect(first?.rows).toEqual([
			{
				transactionId: "f2",
				causeId: "f2",
				sequence: 1,
				cycleId: "cycle-1",
				installment: 1,
				allocatedAmount: 36_721,
				principalAmount: 31_721,
				interestAmount: 5_000,
				arrearsAmount: 0,
				penaltyAmount: 0,
				effect: "OBLIGATION_SETTLED",
				source: "LIVE",
				timing: "ON_TIME",
			},
		]);
		expect(second?.rows.map(brief)).toEqual([["f3", "f3", 2, 10_000, "OBLIGATION_REDUCED", "LIVE", "IN_ADVANCE"]]);
	});

	it("count penalties among the arrears", () => {
		const penaltyTerms = { ...noPenalty, rateBasisPoints: 100, trigger: "AFTER_INSTALLMENT_DUE" } as const;
		const book = loan({ penaltyTerms }, 100_000, START, [pay("2025-02-10", 6_000)]);
		expect(recorded(book, [START, "2025-02-10"])[1]?.rows).toMatchObject([
			{ allocatedAmount: 6_000, principalAmount: 633, interestAmount: 0, arrearsAmount: 5_367, penaltyAmount: 367, timing: "LATE" },
		]);
	});

	it("of a backdated payment include the corrections of later payments", () => {
		const book = loan({}, 100_000, START, [pay("2025-01-31", 30_000), pay("2025-01-30", 10_000)]);
		const rows = recorded(book, [START, "2025-01-31", "2025-02-02"])[2]?.rows ?? [];
		expect(rows.map(brief)).toEqual([
			["f2", "f3", 1, -3_279, "OBLIGATION_REINSTATED", "REPLAY", "ON_TIME"],
			["f3", "f3", 1, 10_000, "OBLIGATION_REDUCED", "LIVE", "IN_ADVANCE"],
			["f2", "f3", 2, 3_279, "OBLIGATION_REDUCED", "REPLAY", "IN_ADVANCE"],
		]);
	});

	it("of a reversal are those of the reversed payment with the opposite sign", () => {
		const reversal = { kind: "REVERSAL", valueDate: "2025-02-10", amount: 36_721, reversesId: "f2" } as const;
		const book = loan({}, 100_000, START, [pay("2025-01-31", 36_721), pay("2025-02-05", 5_000), reversal]);
		const rows = recorded(book, [START, "2025-01-31", "2025-02-05", "2025-02-10"])[3]?.rows ?? [];
		expect(rows.map(brief)).toEqual([
			["f4", "f4", 1, -36_721, "OBLIGATION_REINSTATED", "LIVE", "ON_TIME"],
			["f3", "f4", 2, -5_000, "OBLIGATION_REINSTATED", "REPLAY", "IN_ADVANCE"],
			["f3", "f4", 1, 5_000, "OBLIGATION_REDUCED", "REPLAY", "LATE"],
		]);
	});

	it("of a waiver are marked as waived", () => {
		const waiver = { kind: "WAIVER", valueDate: "2025-01-31", amount: 5_000, cycleId: "cycle-1", installment: 1 } as const;
		expect(recorded(loan({}, 100_000, START, [waiver]), [START, "2025-01-31"])[1]?.rows).toMatchObject([
			{ allocatedAmount: 5_000, interestAmount: 5_000, effect: "OBLIGATION_WAIVED", source: "LIVE" },
		]);
	});

	it("leave out what is overpaid", () => {
		const book = loan({}, 100_000, START, [pay("2025-01-31", 105_500)]);
		const [, payment] = book.facts;
		if (!payment) throw new Error("a payment");
		expect(overpaidOf(payment, replay(book, "2025-01-31"))).toBe(500n);
	});
});

describe("penalty rows", () => {
	it("are written once, and corrected when a backdated payment or its reversal changes them", () => {
		const penaltyTerms = { ...noPenalty, rateBasisPoints: 100, type: "ONE_TIME", trigger: "AFTER_INSTALLMENT_DUE" } as const;
		const waiting = { kind: "WAIVER", valueDate: "2025-02-02", amount: 1, cycleId: "cycle-1", installment: 3 } as const;
		const reversal = { kind: "REVERSAL", valueDate: "2025-02-04", amount: 36_721, reversesId: "f3" } as const;
		const book = loan({ penaltyTerms }, 100_000, START, [waiting, pay("2025-01-31", 36_721), reversal]);
		const steps = recorded(book, [START, "2025-02-02", "2025-02-03", "2025-02-04"]).map(({ charged }) => charged);
		const penalty = { cycleId: "cycle-1", installment: 1, number: 1, valueDate: "2025-02-01" };
		expect(steps).toEqual([
			[],
			[{ ...penalty, kind: "PENALTY", amount: 367 }],
			[{ ...penalty, kind: "PENALTY_CORRECTION", amount: -367 }],
			[{ ...penalty, kind: "PENALTY_CORRECTION", amount: 367 }],
		]);
	});
});
