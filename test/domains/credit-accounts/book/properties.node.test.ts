// What holds for every book, with any postings in any order.

import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { newAllocationRows, overpaidOf } from "../../../../src/domains/credit-accounts/book/allocation-rows.policy";
import { balanceOf } from "../../../../src/domains/credit-accounts/book/balance.policy";
import { replay } from "../../../../src/domains/credit-accounts/book/book.policy";
import { explain } from "../../../../src/domains/credit-accounts/book/explain.policy";
import { type Book, type Fact, factsInOrder } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { installmentsOf, obligationsOf } from "../../../../src/domains/credit-accounts/book/installments.policy";
import type { Ledger } from "../../../../src/domains/credit-accounts/book/ledger.policy";
import { statementOf } from "../../../../src/domains/credit-accounts/book/statement.policy";
import { totalOf } from "../../../../src/domains/loan-terms/allocation.policy";
import { repaymentRows } from "../../../../src/domains/loan-terms/amortisation.policy";
import { periodsOf } from "../../../../src/domains/loan-terms/periods.policy";
import { segmentsOf } from "../../../../src/domains/loan-terms/schedule.policy";
import { basisPoints, portion, rational } from "../../../../src/shared/money";
import { addDays } from "../../../../src/shared/time";
import { cycleOf, factsOf } from "./books";
import { forBooks } from "./random-books";
import { recordingOf, saidBy, total } from "./recording";

// A run over many books takes longer than the default timeout.
vi.setConfig({ testTimeout: 1_800_000 });

const withFact = (book: Book, fact: Pick<Fact, "kind" | "valueDate" | "amount"> & Partial<Fact>): Book => ({
	...book,
	facts: [
		...book.facts,
		{
			id: "new",
			position: Math.max(0, ...book.facts.map(({ position }) => position)) + 1,
			cycleId: null,
			installment: null,
			reversesId: null,
			...fact,
		},
	],
});

const COMPONENTS = [
	["PRINCIPAL", "principal"],
	["INTEREST", "interest"],
	["ARREARS", "arrears"],
	["PENALTY", "penalty"],
	["REFUND_UNCOVERED", "refundUncovered"],
] as const;

describe("any book", () => {
	it("has no negative amount", () => {
		forBooks(({ book, through, reading }) => {
			for (const ledger of [replay(book, through), replay(book, reading)]) {
				const { breakdown, ...totals } = balanceOf(ledger);
				const amounts = [...Object.values(breakdown), ...Object.values(totals), ledger.uncoveredRefund];
				for (const { cycleId: _, position: __, dueDate: ___, status: ____, ...figures } of installmentsOf(ledger)) {
					amounts.push(...Object.values(figures));
				}
				for (const { principal, interest, arrears, penalty } of ledger.allocations) amounts.push(principal, interest, arrears, penalty);
				expect(amounts.filter((amount) => amount < 0n)).toEqual([]);
			}
		});
	});

	it("owes what was charged less what was paid and waived, and explains and pays off exactly that sum", () => {
		forBooks(({ book, through }) => {
			const ledger = replay(book, through);
			const { totalCharged, totalPaid, totalWaived, totalOutstanding, breakdown, overpaid } = balanceOf(ledger);
			expect(totalCharged - totalPaid - totalWaived).toBe(totalOutstanding);
			expect(total(Object.values(breakdown))).toBe(totalOutstanding);
			const lines = explain(ledger);
			expect(total(lines.map(({ amount }) => amount))).toBe(totalOutstanding);
			for (const [component, part] of COMPONENTS) {
				const sumOf = (signed: readonly { component: string; amount: bigint }[]) =>
					total(signed.filter((line) => line.component === component).map(({ amount }) => amount));
				expect(sumOf(lines)).toBe(breakdown[part]);
				expect(sumOf(ledger.entries)).toBe(breakdown[part]);
			}
			for (const line of lines) if (line.amount < 0n) expect(line.transactionId).not.toBeNull();
			expect(total(obligationsOf(ledger).map(totalOf))).toBe(totalOutstanding - breakdown.refundUncovered);
			expect(total(ledger.entries.map(({ amount }) => amount))).toBe(totalOutstanding - overpaid);
			if (totalOutstanding === 0n) return;
			const amount = Number(totalOutstanding);
			if (ledger.settlement) return;
			const after = replay(withFact(book, { kind: "REPAYMENT", valueDate: through, amount }), through);
			expect([balanceOf(after).totalOutstanding, after.overpaid, after.uncoveredRefund]).toEqual([0n, overpaid, 0n]);
			if (amount === 1) return;
			const almost = replay(withFact(book, { kind: "REPAYMENT", valueDate: through, amount: amount - 1 }), through);
			expect(balanceOf(almost).totalOutstanding).toBe(1n);
		});
	});

	it("has installments in each cycle whose principal sums to exactly what was drawn", () => {
		forBooks(({ book, reading }) => {
			const ledger = replay(book, reading);
			const installments = installmentsOf(ledger);
			for (const { cycle, charged } of ledger.cycles) {
				expect(total(installments.filter(({ cycleId }) => cycleId === cycle.id).map(({ principal }) => principal))).toBe(charged.principal);
			}
		});
	});

	it("gives inputs from which each charge follows", () => {
		forBooks(({ book, through }) => {
			for (const { rule, amount, inputs } of replay(book, through).entries) {
				const of = (name: string) => BigInt(String(inputs[name]));
				if (rule === "INTEREST_EARNED") {
					const days = rational(of("days"), of("period_days"));
					const [top = "", bottom = ""] = String(inputs.rate ?? "1/1").split("/");
					const share = rational(BigInt(top) * days.numerator, BigInt(bottom) * days.denominator);
					const earned = portion("balance" in inputs ? of("balance") : of("period_interest"), share);
					expect(earned - of("charged_before") - of("carried_over") - of("over_cap")).toBe(amount);
				}
				if (rule === "ACCESS_FEE") expect(portion(of("drawn"), basisPoints(Number(inputs.fee_basis_points)))).toBe(amount);
				if (rule !== "PENALTY_CHARGED") continue;
				const full = portion(of("base"), basisPoints(Number(inputs.rate_basis_points)));
				expect(full - of("over_cap")).toBe(amount);
				expect(inputs.is_capped).toBe(amount < full);
			}
		});
	});
});

describe("posting", () => {
	it("records differences that sum to the result of a full replay", () => {
		forBooks(({ book, through }) => {
			const ledger = replay(book, through);
			const { allocations, penalties } = recordingOf(book, through);
			for (const row of allocations) {
				expect(row.allocatedAmount).toBe(row.principalAmount + row.interestAmount + row.arrearsAmount);
				expect(row.source === "REPLAY").toBe(row.causeId !== row.transactionId);
			}
			expect(new Set(allocations.map(({ transactionId, causeId, sequence }) => `${transactionId} ${causeId} ${sequence}`)).size).toBe(
				allocations.length,
			);
			// A transaction, what reverses it, and what undoes that.
			const withReversals = (id: string): string[] => [
				id,
				...book.facts.filter(({ reversesId }) => reversesId === id).flatMap((reversal) => withReversals(reversal.id)),
			];
			const allocatedOf = (ids: readonly string[]) => {
				const rows = allocations.filter(({ transactionId }) => ids.includes(transactionId));
				return rows.reduce((sum, { allocatedAmount }) => sum + allocatedAmount, 0);
			};
			const standing = new Map(factsInOrder(book.facts).map((fact) => [fact.id, fact]));
			for (const { id, kind } of book.facts) {
				const fact = standing.get(id);
				if (!fact && kind !== "REVERSAL") expect(allocatedOf(withReversals(id))).toBe(0);
				if (fact?.kind === "REPAYMENT") expect(allocatedOf(withReversals(id)) + Number(overpaidOf(fact, ledger))).toBe(fact.amount);
			}
			for (const { cycleId, position, paid, waived } of installmentsOf(ledger)) {
				const rows = allocations.filter((row) => row.cycleId === cycleId && row.installment === position);
				expect(rows.reduce((sum, { allocatedAmount }) => sum + allocatedAmount, 0)).toBe(Number(paid + waived));
			}
			const sums = new Map<string, number>();
			for (const { cycleId, installment, number, amount } of penalties) {
				const key = `${cycleId} ${installment} ${number}`;
				sums.set(key, (sums.get(key) ?? 0) + amount);
			}
			const charged = ledger.penalties.map(({ cycleId, installment, number, amount }) => [
				`${cycleId} ${installment} ${number}`,
				Number(amount),
			]);
			expect([...sums].filter(([, amount]) => amount !== 0).sort()).toEqual(charged.sort());
		});
	});

	it("does not depend on the order in which facts are handed in", () => {
		forBooks(({ book, through }) => {
			expect(replay({ ...book, facts: book.facts.toReversed() }, through)).toEqual(replay(book, through));
		});
	});

	it("changes no earlier row when a payment comes in time", () => {
		forBooks(({ book, through }) => {
			const before = replay(book, through);
			// The payment may complete a settlement, which then waives the rest.
			if (before.settlement) return;
			const posted = withFact(book, { kind: "REPAYMENT", valueDate: through, amount: 5_000 });
			const after = replay(posted, through);
			expect(after.entries.slice(0, before.entries.length)).toEqual(before.entries);
			expect(after.allocations.slice(0, before.allocations.length)).toEqual(before.allocations);
			expect(after.penalties).toEqual(before.penalties);
			const { allocations } = recordingOf(book, through);
			const rows = newAllocationRows(after, posted.facts, allocations, posted.facts.slice(-1));
			expect(rows.filter(({ transactionId }) => transactionId !== "new")).toEqual([]);
		});
	});

	it("is undone by a reversal, as if it had never happened", () => {
		forBooks(({ book, through, reading }) => {
			const valueDate = reading < through ? reading : through;
			const posted = withFact(book, { kind: "REPAYMENT", valueDate, amount: 70_000, id: "payment" });
			const undone = withFact(posted, { kind: "REVERSAL", valueDate: through, amount: 70_000, id: "reversal", reversesId: "payment" });
			expect(saidBy(replay(undone, through))).toEqual(saidBy(replay(book, through)));
		});
	});

	it("from the starting point that a replay names gives the same result", () => {
		forBooks(({ book, through }) => {
			const whole = replay(book, through);
			const facts = book.facts.filter(({ position }) => position >= whole.bookFrom);
			const part = replay({ ...book, facts }, through);
			const ids = new Set(part.cycles.map(({ cycle }) => cycle.id));
			expect(balanceOf(part)).toEqual(balanceOf(whole));
			expect(installmentsOf(part)).toEqual(installmentsOf(whole).filter(({ cycleId }) => ids.has(cycleId)));
			expect(part.penalties).toEqual(whole.penalties.filter(({ cycleId }) => ids.has(cycleId)));
			const apart = ({ overpaid, uncoveredRefund, refundDueOn, bookFrom }: typeof part) => ({
				overpaid,
				uncoveredRefund,
				refundDueOn,
				bookFrom,
			});
			expect(apart(part)).toEqual(apart(whole));
		}, 100);
	});
});

describe("reading", () => {
	it("changes nothing, on any day", () => {
		forBooks(({ book, through, reading }) => {
			const days = Array.from({ length: 120 }, (_, index) => addDays(reading, index - 60));
			expect(saidBy(replay(book, through, days))).toEqual(saidBy(replay(book, through)));
		});
	});

	it("gives a statement whose balances equal those of each day", () => {
		forBooks(({ book, through, reading }) => {
			const from = reading < through ? reading : through;
			const { opening, entries, closing } = statementOf(book, from, through);
			const net = (ledger: Ledger) => balanceOf(ledger).totalOutstanding - ledger.overpaid;
			expect(opening).toBe(net(replay(book, addDays(from, -1))));
			expect(closing).toBe(net(replay(book, through)));
			expect(entries.at(-1)?.runningBalance ?? opening).toBe(closing);
			expect(entries.filter(({ date }) => date < from || date > through)).toEqual([]);
		});
	});
});

describe("a cycle on which nothing is paid", () => {
	it("has the schedule of its draws", () => {
		const draws = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 89 }), fc.integer({ min: 1, max: 500_000 })), {
			maxLength: 5,
			selector: ([day]) => day,
		});
		const property = fc.property(
			fc.constantFrom("REDUCING_BALANCE" as const, "FLAT" as const),
			fc.constantFrom(0, 17, 500, 3_000),
			fc.integer({ min: 1, max: 500_000 }),
			draws,
			(productType, rate, first, more) => {
				const terms = { productType, interestRate: { basisPoints: rate, periodValue: 30, periodUnit: "DAYS" as const } };
				const cycle = cycleOf(terms, "2024-01-31");
				const drawn = [[0, first] as const, ...more].map(([day, amount]) => ({ date: addDays(cycle.startDate, day), amount }));
				const facts = factsOf(drawn.map(({ date, amount }) => ({ kind: "DRAW", valueDate: date, amount })));
				const periods = periodsOf(cycle.terms.tenure, cycle.terms.installmentEvery, cycle.startDate);
				const inOrder = [...drawn].sort((a, b) => (a.date < b.date ? -1 : 1)).map(({ date, amount }) => ({ date, amount: BigInt(amount) }));
				const rows = repaymentRows(productType, {
					openingBalance: 0n,
					periods: segmentsOf(periods, cycle.terms.interestRate, "THIRTY_360", inOrder),
				});
				const installments = installmentsOf(replay({ cycles: [cycle], facts, inDuplum: { sinceDefault: false } }, "2025-01-01"));
				expect(installments.map(({ principal, interest }) => ({ principal, interest }))).toEqual(
					rows.map(({ principal, interest }) => ({ principal, interest })),
				);
			},
		);
		void fc.assert(property, { seed: 7, numRuns: 300 });
	});
});
