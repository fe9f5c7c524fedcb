// The rules of the book, one by one, on small loans whose figures can be checked by hand.

import { describe, expect, it } from "vitest";
import { balanceOf } from "../../../../src/domains/credit-accounts/book/balance.policy";
import { replay } from "../../../../src/domains/credit-accounts/book/book.policy";
import { explain } from "../../../../src/domains/credit-accounts/book/explain.policy";
import type { Book } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { installmentsOf, waivableOf } from "../../../../src/domains/credit-accounts/book/installments.policy";
import { standingOf } from "../../../../src/domains/credit-accounts/book/standing.policy";
import { statementOf } from "../../../../src/domains/credit-accounts/book/statement.policy";
import { cycleOf, factsOf, loan, noPenalty } from "./books";

// 100,000 at 5 percent for 30 days from 1 January 2025: installments of 36,721 due on 31 January, 2 March and 1 April.
const START = "2025-01-01";
const pay = (valueDate: string, amount: number) => ({ kind: "REPAYMENT" as const, valueDate, amount });
const rowsOf = (book: Book, day: string) =>
	installmentsOf(replay(book, day)).map(({ status, principal, interest, arrears, penalty, paid, outstanding }) => [
		status,
		...[principal, interest, arrears, penalty, paid, outstanding].map(Number),
	]);

describe("an installment", () => {
	it("is upcoming, due on its due date, overdue the day after, and settled once it is paid", () => {
		const book = loan({}, 100_000, START);
		const first = (of: Book, day: string) => rowsOf(of, day)[0];
		expect(first(book, "2025-01-30")).toEqual(["UPCOMING", 31_721, 5_000, 0, 0, 0, 36_721]);
		expect(first(book, "2025-01-31")).toEqual(["DUE", 31_721, 5_000, 0, 0, 0, 36_721]);
		expect(first(book, "2025-02-01")).toEqual(["OVERDUE", 31_721, 5_000, 5_000, 0, 0, 36_721]);
		const paid = loan({}, 100_000, START, [pay("2025-02-01", 36_721)]);
		expect(first(paid, "2025-02-01")).toEqual(["SETTLED", 31_721, 5_000, 0, 0, 36_721, 0]);
	});

	it("with nothing due is settled from the beginning and never overdue", () => {
		const book = loan({ interestRate: { basisPoints: 0, periodValue: 30, periodUnit: "DAYS" } }, 1, START);
		expect(rowsOf(book, "2025-03-15").map(([status]) => status)).toEqual(["SETTLED", "SETTLED", "UPCOMING"]);
		expect(standingOf(replay(book, "2025-03-15"))).toMatchObject({ status: "ACTIVE", dueDate: "2025-04-01", daysOverdue: 0 });
	});

	it("keeps its amount when it is paid ahead, and interest earned afterwards goes to the next one", () => {
		// Ten of thirty days cost 1,667; the rest of the 36,721 repays principal, so that the other twenty cost 2,165 instead of 3,333.
		const book = loan({}, 100_000, START, [pay("2025-01-11", 36_721)]);
		expect(rowsOf(book, "2025-01-11")[0]).toEqual(["SETTLED", 35_054, 1_667, 0, 0, 36_721, 0]);
		expect(replay(book, "2025-01-31").entries.at(-1)).toMatchObject({
			installment: 2,
			component: "INTEREST",
			amount: 2_165n,
			inputs: { balance: 64_946n, days: 20, period_days: 30, rate: "1/20" },
		});
		expect(rowsOf(book, "2025-01-31").map(([, , , , , , outstanding]) => outstanding)).toEqual([0, 36_721, 35_319]);
	});

	it("keeps its amount when all but one unit of it is paid ahead", () => {
		const almost = loan({}, 100_000, START, [pay(START, 36_720)]);
		expect(rowsOf(almost, "2025-01-31").map(([, , , , , , outstanding]) => outstanding)).toEqual([1, 36_721, 34_530]);
		const whole = loan({}, 100_000, START, [pay(START, 36_721)]);
		expect(rowsOf(whole, "2025-01-31").map(([, , , , , , outstanding]) => outstanding)).toEqual([0, 36_721, 34_530]);
		const flat = { productType: "FLAT" } as const;
		const onFlat = loan(flat, 30_000, START, [pay(START, 11_499)]);
		expect(rowsOf(onFlat, "2025-01-31").map(([, principal, interest, , , , outstanding]) => [principal, interest, outstanding])).toEqual([
			[11_499, 1, 1],
			[8_501, 2_999, 11_500],
			[10_000, 1_500, 11_500],
		]);
	});

	it("costs no more interest for being late", () => {
		expect(rowsOf(loan({}, 100_000, START), "2026-01-01").map(([, , interest]) => interest)).toEqual([5_000, 3_414, 1_749]);
	});

	it("of a flat loan earns its interest evenly, and none once all principal is repaid", () => {
		const flat = { productType: "FLAT", interestRate: { basisPoints: 300, periodValue: 30, periodUnit: "DAYS" } } as const;
		expect(rowsOf(loan(flat, 90_000, START), START).map(([, principal, interest]) => [principal, interest])).toEqual([
			[30_000, 2_700],
			[30_000, 2_700],
			[30_000, 2_700],
		]);
		expect(balanceOf(replay(loan(flat, 90_000, START), "2025-01-11")).breakdown.interest).toBe(900n);
		const early = loan(flat, 90_000, START, [pay("2025-01-11", 90_900)]);
		expect(balanceOf(replay(early, "2025-12-31"))).toMatchObject({ totalOutstanding: 0n, overpaid: 0n });
	});

	it("has the fee of a draw as interest that is earned immediately", () => {
		const book = loan({ feeBasisPoints: 250 }, 100_000, START);
		expect(balanceOf(replay(book, START)).breakdown).toMatchObject({ principal: 100_000n, interest: 2_500n, arrears: 0n, penalty: 0n });
		expect(rowsOf(book, START).map(([, principal, interest]) => [principal, interest])).toEqual([
			[31_721, 7_500],
			[33_307, 3_414],
			[34_972, 1_749],
		]);
	});
});

describe("a penalty", () => {
	const late = { ...noPenalty, rateBasisPoints: 100, periodDays: 10, gracePeriodDays: 2 };
	const chargedBy = (day: string, terms: object, postings: Parameters<typeof loan>[3] = []) =>
		replay(loan({ penaltyTerms: { ...late, ...terms } }, 100_000, START, postings), day).penalties.map(
			({ installment, number, date, amount }) => [installment, number, date, Number(amount)],
		);

	it("after the loan's end is charged to an installment of its own, in every period until the loan is paid", () => {
		expect(chargedBy("2025-04-14", {})).toEqual([
			[4, 1, "2025-04-04", 1_102],
			[4, 2, "2025-04-14", 1_102],
		]);
		expect(chargedBy("2025-06-30", {}, [pay("2025-04-14", 110_163 + 2 * 1_102)])).toHaveLength(2);
	});

	it("is charged once where its terms say so", () => {
		expect(chargedBy("2025-12-31", { type: "ONE_TIME" })).toEqual([[4, 1, "2025-04-04", 1_102]]);
	});

	it.each([
		["PRINCIPAL_AND_ARREARS", 1_102],
		["PRINCIPAL", 1_000],
		["ARREARS", 102],
		["TOTAL_OUTSTANDING", 1_102],
	] as const)("on %s is %i", (calculationBasis, amount) => {
		expect(chargedBy("2025-04-04", { calculationBasis })).toEqual([[4, 1, "2025-04-04", amount]]);
	});

	it("after an installment's due date is charged to that installment, on its own base", () => {
		const terms = { trigger: "AFTER_INSTALLMENT_DUE", type: "ONE_TIME" };
		expect(chargedBy("2025-04-04", terms)).toEqual([
			[1, 1, "2025-02-03", 367],
			[2, 1, "2025-03-05", 367],
			[3, 1, "2025-04-04", 367],
		]);
		expect(chargedBy("2025-04-04", terms, [pay("2025-02-02", 36_721)])).toEqual([
			[2, 1, "2025-03-05", 367],
			[3, 1, "2025-04-04", 367],
		]);
	});

	it("takes payments valued before its day into account, but not those valued on it", () => {
		expect(chargedBy("2025-04-04", {}, [pay("2025-04-03", 50_163)])).toEqual([[4, 1, "2025-04-04", 600]]);
		expect(chargedBy("2025-04-04", {}, [pay("2025-04-04", 50_163)])).toEqual([[4, 1, "2025-04-04", 1_102]]);
	});

	it("is not charged when it is zero, and the next one keeps its number", () => {
		const paidToThirty = [pay("2025-04-02", 110_163 - 30)];
		expect(chargedBy("2025-12-31", {}, paidToThirty)).toEqual([]);
		expect(
			chargedBy("2025-04-14", {}, [...paidToThirty, { kind: "REVERSAL", valueDate: "2025-05-01", amount: 110_133, reversesId: "f2" }]),
		).toEqual(chargedBy("2025-04-14", {}));
	});

	it("is trimmed where unpaid interest, arrears and penalties reach the principal", () => {
		const ledger = replay(loan({ penaltyTerms: { ...late, rateBasisPoints: 5_000 } }, 100_000, START), "2025-06-30");
		expect(ledger.penalties.map(({ amount }) => Number(amount))).toEqual([55_082, 100_000 - 10_163 - 55_082]);
		expect(ledger.entries.filter(({ inputs }) => inputs.is_capped)).toHaveLength(1);
	});
});

describe("an overpayment", () => {
	const overpaid: Parameters<typeof loan>[3] = [pay("2025-01-31", 105_500)];

	it("stays on the account, pays the next draw first and is allocated to it", () => {
		const book: Book = {
			cycles: [cycleOf({}, START), cycleOf({}, "2025-02-10", { number: 2, id: "cycle-2" })],
			facts: factsOf([
				{ kind: "DRAW", valueDate: START, amount: 100_000 },
				...overpaid,
				{ kind: "DRAW", valueDate: "2025-02-10", amount: 300, cycleId: "cycle-2" },
			]),
		};
		expect(balanceOf(replay(book, "2025-02-09"))).toMatchObject({ totalOutstanding: 0n, overpaid: 500n });
		const ledger = replay(book, "2025-02-10");
		expect(balanceOf(ledger)).toMatchObject({ totalOutstanding: 0n, overpaid: 200n });
		expect(ledger.allocations.filter(({ cycleId }) => cycleId === "cycle-2").every(({ transactionId }) => transactionId === "f2")).toBe(
			true,
		);
	});

	it("can be refunded, and a reversal of the refunded payment shows the uncovered refund", () => {
		const refund = { kind: "REFUND", valueDate: "2025-02-01", amount: 500 } as const;
		const reversal = { kind: "REVERSAL", valueDate: "2025-02-02", amount: 105_500, reversesId: "f2" } as const;
		const refunded = loan({}, 100_000, START, [...overpaid, refund]);
		expect(replay(refunded, "2025-02-01")).toMatchObject({ overpaid: 0n, uncoveredRefund: 0n });
		const reversed = loan({}, 100_000, START, [...overpaid, refund, reversal]);
		expect(replay(reversed, "2025-02-02")).toMatchObject({ overpaid: 0n, uncoveredRefund: 500n });
	});

	it("that was refunded before its payment bounced is owed, and paid before anything else", () => {
		const refund = { kind: "REFUND", valueDate: "2025-02-01", amount: 500 } as const;
		const reversal = { kind: "REVERSAL", valueDate: "2025-02-02", amount: 105_500, reversesId: "f2" } as const;
		const bounced = loan({}, 100_000, START, [...overpaid, refund, reversal]);
		const owed = { principal: 100_000n, interest: 228n, arrears: 5_000n };
		expect(balanceOf(replay(bounced, "2025-02-02"))).toMatchObject({
			breakdown: { ...owed, refundUncovered: 500n },
			totalCharged: 105_728n,
			totalOutstanding: 105_728n,
		});
		const paid = loan({}, 100_000, START, [...overpaid, refund, reversal, pay("2025-02-02", 300)]);
		const ledger = replay(paid, "2025-02-02");
		expect(balanceOf(ledger).breakdown).toMatchObject({ ...owed, refundUncovered: 200n });
		expect(explain(ledger).slice(0, 2)).toMatchObject([
			{ component: "REFUND_UNCOVERED", rule: "REFUNDED", amount: 500n, transactionId: "f3" },
			{ component: "REFUND_UNCOVERED", rule: "PAID", amount: -300n, transactionId: "f5" },
		]);
	});
});

describe("a waiver", () => {
	it("reduces what the installment owes, in the order of payment, and never below zero", () => {
		const waiver = { kind: "WAIVER", valueDate: "2025-02-01", amount: 6_000, cycleId: "cycle-1", installment: 1 } as const;
		const book = loan({}, 100_000, START, [waiver]);
		expect(waivableOf(replay(loan({}, 100_000, START), "2025-02-01"), "cycle-1", 1)).toBe(36_721n);
		expect(replay(book, "2025-02-01").allocations).toMatchObject([{ arrears: 5_000n, principal: 1_000n, isWaiver: true, settles: false }]);
		expect(balanceOf(replay(book, "2025-02-01"))).toMatchObject({ totalWaived: 6_000n, totalPaid: 0n });
		const whole = loan({}, 100_000, START, [{ ...waiver, amount: 50_000 }]);
		expect(rowsOf(whole, "2025-02-01")[0]?.[0]).toBe("WAIVED");
		expect(replay(whole, "2025-02-01").overpaid).toBe(0n);
	});
});

describe("a write-off", () => {
	it("stops interest and penalties, leaves the claim, and takes later payments", () => {
		const penaltyTerms = { ...noPenalty, rateBasisPoints: 100 };
		const book = loan({ penaltyTerms }, 100_000, START, [
			{ kind: "WRITE_OFF", valueDate: "2025-01-16", amount: 102_500 },
			pay("2025-09-01", 2_500),
		]);
		expect(balanceOf(replay(book, "2025-08-31")).totalOutstanding).toBe(102_500n);
		const ledger = replay(book, "2025-09-01");
		expect(balanceOf(ledger).totalOutstanding).toBe(100_000n);
		expect(ledger.penalties).toEqual([]);
		expect(standingOf(ledger)).toMatchObject({ status: "WRITTEN_OFF", nextWorkOn: null });
	});
});

describe("a balance", () => {
	const penaltyTerms = { ...noPenalty, rateBasisPoints: 100, trigger: "AFTER_INSTALLMENT_DUE" } as const;
	const book = loan({ penaltyTerms }, 100_000, START, [pay("2025-01-31", 30_000), pay("2025-02-10", 1_000)]);

	it("is explained line by line", () => {
		const lines = explain(replay(book, "2025-02-15")).map(({ component, installment, amount, rule }) => [
			component,
			installment,
			Number(amount),
			rule,
		]);
		expect(lines).toEqual([
			["PRINCIPAL", null, 68_279, "PRINCIPAL_NOT_DUE"],
			["PRINCIPAL", 1, 5_788, "PRINCIPAL_DUE"],
			["INTEREST", 2, 1_707, "INTEREST_EARNED"],
		]);
	});

	it("has a statement with the balance after each entry", () => {
		const { opening, entries, closing } = statementOf(book, "2025-01-31", "2025-02-10");
		expect(opening).toBe(104_833n);
		expect(
			entries.map(({ date, component, amount, rule, runningBalance }) => [date, component, Number(amount), rule, Number(runningBalance)]),
		).toEqual([
			["2025-01-31", "INTEREST", 167, "INTEREST_EARNED", 105_000],
			["2025-01-31", "INTEREST", -5_000, "PAID", 100_000],
			["2025-01-31", "PRINCIPAL", -25_000, "PAID", 75_000],
			["2025-02-01", "INTEREST", 114, "INTEREST_EARNED", 75_114],
			["2025-02-01", "PENALTY", 67, "PENALTY_CHARGED", 75_181],
			["2025-02-10", "INTEREST", 1_024, "INTEREST_EARNED", 76_205],
			["2025-02-10", "PENALTY", -67, "PAID", 76_138],
			["2025-02-10", "PRINCIPAL", -933, "PAID", 75_205],
		]);
		expect(closing).toBe(75_205n);
	});
});

describe("the work of a replay", () => {
	// Installments every day, each paid on its due date.
	const daily = (count: number): Book => {
		const terms = { tenure: { duration: count, unit: "DAYS" }, installmentEvery: { duration: 1, unit: "DAYS" } } as const;
		const plan = installmentsOf(replay(loan(terms, 10_000_000, START), START));
		return loan(
			terms,
			10_000_000,
			START,
			plan.map(({ dueDate, outstanding }) => pay(dueDate, Number(outstanding))),
		);
	};

	it("grows in proportion to installments and payments", () => {
		for (const count of [3, 1_200]) {
			const ledger = replay(daily(count), "2030-01-01");
			expect(balanceOf(ledger).totalOutstanding).toBe(0n);
			// One entry for the draw; for each installment interest earned, interest paid and principal paid.
			expect(ledger.entries).toHaveLength(1 + 3 * count);
			expect(ledger.allocations).toHaveLength(count);
		}
	});
});
