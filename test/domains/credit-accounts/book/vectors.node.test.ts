// The published cases of schedules, allocations, pay-offs and penalties, replayed. Expected figures come from the file of vectors.

import { describe, expect, it } from "vitest";
import { balanceOf } from "../../../../src/domains/credit-accounts/book/balance.policy";
import { replay } from "../../../../src/domains/credit-accounts/book/book.policy";
import type { Book, CycleTerms } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { installmentsOf } from "../../../../src/domains/credit-accounts/book/installments.policy";
import { type AllocationTerms, allocate, DEFAULT_ALLOCATION } from "../../../../src/domains/loan-terms/allocation.policy";
import { addDays } from "../../../../src/shared/time";
import vectors from "../../../vectors/loans.json";
import { loan, noPenalty } from "./books";

const months = (count: number) => ({ duration: count, unit: "MONTHS" as const });
const days = (count: number) => ({ duration: count, unit: "DAYS" as const });

/** What the vectors' `api_input` says, as a product would: principal, start date and terms. */
const LOANS: Record<string, readonly [number, string, Partial<CycleTerms>]> = {
	F6: [100_000, "2024-01-01", { tenure: months(4), installmentEvery: months(1), interestRate: rate(0, 1, "MONTHS") }],
	F10: [1_200_000, "2011-09-20", { tenure: months(4), installmentEvery: months(1), interestRate: rate(200, 1, "MONTHS") }],
	F12: [7_500, "2024-01-01", { tenure: months(5), installmentEvery: months(1), interestRate: rate(1230, 12, "MONTHS") }],
	F13: [100_000, "2024-01-01", { tenure: days(45), installmentEvery: days(15), interestRate: rate(0, 1, "DAYS") }],
	F16: [10_000, "2024-01-01", { tenure: months(6), installmentEvery: months(1), interestRate: rate(700, 12, "MONTHS") }],
	C1: [100_000, "2025-01-31", { tenure: days(30) }],
	C2: [100_000, "2025-01-31", {}],
	C3: [
		50_000,
		"2025-01-31",
		{
			tenure: { duration: 4, unit: "WEEKS" },
			installmentEvery: { duration: 1, unit: "WEEKS" },
			interestRate: rate(125, 1, "WEEKS"),
		},
	],
	C7: [250, "2025-01-31", { tenure: days(30), interestRate: rate(100, 30, "DAYS") }],
	C12: [100_000, "2025-01-31", { tenure: months(3), installmentEvery: months(1), interestRate: rate(300, 1, "MONTHS") }],
};

function rate(basisPoints: number, periodValue: number, periodUnit: "DAYS" | "WEEKS" | "MONTHS") {
	return { basisPoints, periodValue, periodUnit };
}

const loanOf = (id: string, postings: Parameters<typeof loan>[3] = []): Book => {
	const [principal, startDate, terms] = LOANS[id] ?? [];
	if (principal === undefined || startDate === undefined) throw new Error(`no loan ${id}`);
	return loan(terms ?? {}, principal, startDate, postings);
};

const numbersIn = (text: string | undefined): number[] => (text?.match(/\d+/g) ?? []).map(Number);

describe("replay of the vectors' schedules", () => {
	it.each(vectors.schedules)("$id", ({ id, expected, total_interest }) => {
		const book = loanOf(id);
		const [, startDate = ""] = LOANS[id] ?? [];
		const planned = installmentsOf(replay(book, startDate));
		const rows = planned.map(({ position, principal, interest, outstanding }) => ({ position, due: outstanding, principal, interest }));
		expect(rows.map((row) => ({ ...row, due: Number(row.due), principal: Number(row.principal), interest: Number(row.interest) }))).toEqual(
			expected.map(({ balance_after: _, ...row }) => row),
		);
		const finalDueDate = planned.at(-1)?.dueDate ?? "";
		const afterAll = installmentsOf(replay(book, addDays(finalDueDate, 200)));
		expect(afterAll.map(({ principal, interest }) => [principal, interest])).toEqual(
			planned.map(({ principal, interest }) => [principal, interest]),
		);
		expect(afterAll.reduce((sum, { interest }) => sum + Number(interest), 0)).toBe(total_interest);
	});

	it("charges what the schedule says if the installments are paid on their due dates", () => {
		for (const { id, expected } of vectors.schedules) {
			const dueDates = installmentsOf(replay(loanOf(id), LOANS[id]?.[1] ?? "")).map(({ dueDate }) => dueDate);
			const payments = expected
				.map(({ due }, index) => ({ kind: "REPAYMENT" as const, valueDate: dueDates[index] ?? "", amount: due }))
				.filter(({ amount }) => amount > 0);
			const ledger = replay(loanOf(id, payments), addDays(dueDates.at(-1) ?? "", 100));
			expect(balanceOf(ledger).totalOutstanding).toBe(0n);
			expect(ledger.overpaid).toBe(0n);
			const parts = ledger.allocations.map(({ principal, interest, arrears }) => [Number(principal), Number(interest), Number(arrears)]);
			expect(parts).toEqual(expected.map(({ principal, interest }) => [principal, interest, 0]));
		}
	});
});

/** A loan without interest, in installments 15 days apart. */
const freeLoan = (count: number, each: number, startDate: string): readonly [Partial<CycleTerms>, number, string] => [
	{ tenure: days(15 * count), installmentEvery: days(15), interestRate: rate(0, 1, "DAYS") },
	each * count,
	startDate,
];

const allocation = (id: string) => {
	const vector = vectors.allocations.find((candidate) => candidate.id === id);
	if (!vector) throw new Error(`no vector ${id}`);
	return vector;
};

describe("replay of the vectors' allocations", () => {
	/** How much each installment got of each transaction, in order. */
	const sharesOf = (book: Book, through: string) =>
		replay(book, through).allocations.map(({ transactionId, installment, principal }) => [transactionId, installment, Number(principal)]);
	const pay = (valueDate: string, amount: number) => ({ kind: "REPAYMENT" as const, valueDate, amount });

	it("A1: the next installment is paid ahead", () => {
		const [p1 = 0, , a1, n1, a2, n2, p2 = 0, , b1, m1, b2, m2, p3 = 0, , c1, k1, overpaid] = numbersIn(allocation("A1").expected);
		const book = loan(...freeLoan(3, 125, "2024-01-01"), [pay("2024-01-16", p1), pay("2024-01-31", p2), pay("2024-02-15", p3)]);
		expect(sharesOf(book, "2024-02-15")).toEqual([
			["f2", n1, a1],
			["f2", n2, a2],
			["f3", m1, b1],
			["f3", m2, b2],
			["f4", k1, c1],
		]);
		expect(replay(book, "2024-02-15").overpaid).toBe(BigInt(overpaid ?? -1));
	});

	it("A2: the last installment is paid ahead", () => {
		const [paid = 0] = numbersIn(allocation("A2").case.split(", ")[1]);
		const [a1, n1, a2, n2] = numbersIn(allocation("A2").expected);
		const book = { ...loan(...freeLoan(3, 125, "2024-01-01"), [pay("2024-01-16", paid)]), allocation: last };
		expect(sharesOf(book, "2024-01-16")).toEqual([
			["f2", n1, a1],
			["f2", n2, a2],
		]);
	});

	it("A3: overdue installments are paid from the oldest", () => {
		const [p1 = 0, , a1, n1, p2 = 0, , b1, m1, b2, m2, p3 = 0, , ...third] = numbersIn(allocation("A3").expected);
		const book = loan(...freeLoan(4, 125, "2023-12-17"), [pay("2024-01-20", p1), pay("2024-01-31", p2), pay("2024-02-15", p3)]);
		expect(sharesOf(book, "2024-02-15")).toEqual([
			["f2", n1, a1],
			["f3", m1, b1],
			["f3", m2, b2],
			...third.map((amount, index) => ["f4", index + 2, amount]),
		]);
	});

	/** Four installments past due with penalties on the last two; what the payments leave of them. */
	const claimsOf = () =>
		[1, 2, 3, 4].map((position) => ({
			position,
			isDue: true,
			penalty: position > 2 ? 25n : 0n,
			arrears: 0n,
			interest: 0n,
			principal: 125n,
		}));

	const payInTurn = (amounts: readonly number[], terms: AllocationTerms) => {
		let claims = claimsOf();
		return amounts.map((amount) => {
			const { shares } = allocate(BigInt(amount), claims, terms);
			claims = claims.map((claim) => {
				const share = shares.find(({ claim: { position } }) => position === claim.position);
				return share ? { ...claim, penalty: claim.penalty - share.penalty, principal: claim.principal - share.principal } : claim;
			});
			return shares.flatMap(({ claim: { position }, penalty, principal }) => [
				...(penalty > 0n ? [{ position, penalty: Number(penalty) }] : []),
				...(principal > 0n ? [{ position, principal: Number(principal) }] : []),
			]);
		});
	};

	it("A4: installment by installment", () => {
		const [p1 = 0, n1, a1, n2, a2, n3, penalty, p2 = 0, m1, rest, principal] = numbersIn(allocation("A4").expected);
		expect(payInTurn([p1, p2], DEFAULT_ALLOCATION)).toEqual([
			[
				{ position: n1, principal: a1 },
				{ position: n2, principal: a2 },
				{ position: n3, penalty },
			],
			[
				{ position: m1, penalty: rest },
				{ position: m1, principal },
			],
		]);
	});

	it("A5: component by component", () => {
		const [p1 = 0, n1, a1, n2, a2, p2 = 0, m1, b1, m2, b2] = numbersIn(allocation("A5").expected);
		const [first, second] = payInTurn([p1, p2], { order: "VERTICAL", future: "NEXT_INSTALLMENT" });
		expect(first).toEqual([
			{ position: n1, penalty: a1 },
			{ position: n2, penalty: a2 },
		]);
		expect(second).toEqual([
			{ position: m2, principal: b2 },
			{ position: m1, penalty: b1 },
		]);
	});
});

const last: AllocationTerms = { order: "HORIZONTAL", future: "LAST_INSTALLMENT" };

const other = (id: string) => {
	const vector = vectors.other.find((candidate) => candidate.id === id);
	if (!vector) throw new Error(`no vector ${id}`);
	return vector;
};

describe("replay of the vectors' pay-offs and penalties", () => {
	const firstPaid = loanOf("F16", [{ kind: "REPAYMENT", valueDate: "2024-02-01", amount: 1701 }]);

	it("P1: pays off with the interest of the days that have passed", () => {
		const [total, principal, interest] = numbersIn(other("P1").expected);
		const { totalOutstanding, breakdown } = balanceOf(replay(firstPaid, "2024-02-15"));
		expect([totalOutstanding, breakdown.principal, breakdown.interest].map(Number)).toEqual([total, principal, interest]);
	});

	it("P2: at the end of the period its whole interest is owed", () => {
		const [total, principal, interest] = numbersIn(other("P2").expected);
		const { totalOutstanding, breakdown } = balanceOf(replay(firstPaid, "2024-03-01"));
		expect([totalOutstanding, breakdown.principal, breakdown.interest].map(Number)).toEqual([total, principal, interest]);
	});

	const perInstallment = { ...noPenalty, type: "ONE_TIME", trigger: "AFTER_INSTALLMENT_DUE" } as const;

	it.each([0, 1])("L1: one penalty for each overdue installment, the day after its due date and %i days of grace", (gracePeriodDays) => {
		const terms = {
			tenure: months(4),
			installmentEvery: months(1),
			interestRate: rate(200, 1, "MONTHS"),
			penaltyTerms: { ...perInstallment, rateBasisPoints: 100, gracePeriodDays },
		};
		const [installment = 0] = numbersIn(other("L1").case.split("EMI")[1]);
		const [penalty] = numbersIn(other("L1").expected);
		const book = loan(terms, 1_500_000, "2024-01-01");
		expect(
			installmentsOf(replay(book, "2024-01-01"))
				.map(({ outstanding }) => Number(outstanding))
				.slice(0, 3),
		).toEqual(Array(3).fill(installment));
		expect(replay(book, addDays("2024-02-01", gracePeriodDays)).penalties).toEqual([]);
		const charged = replay(book, "2024-04-15").penalties.map(({ installment: position, date, amount }) => [position, date, Number(amount)]);
		expect(charged).toEqual(
			["2024-02-01", "2024-03-01", "2024-04-01"].map((dueDate, index) => [index + 1, addDays(dueDate, gracePeriodDays + 1), penalty]),
		);
	});

	it("L3: penalties of three overdue installments", () => {
		const [each, total] = numbersIn(other("L3").expected);
		const terms = {
			productType: "FLAT" as const,
			tenure: months(3),
			installmentEvery: months(1),
			interestRate: rate(100, 1, "MONTHS"),
			penaltyTerms: { ...perInstallment, rateBasisPoints: 150 },
		};
		const ledger = replay(loan(terms, 300_000, "2024-01-01"), "2024-05-01");
		expect(installmentsOf(ledger).map(({ principal, interest }) => [principal, interest])).toEqual(Array(3).fill([100_000n, 3_000n]));
		expect(ledger.penalties.map(({ amount }) => Number(amount))).toEqual([each, each, each]);
		expect(Number(balanceOf(ledger).breakdown.penalty)).toBe(total);
	});
});
