// What the book says on a given day: standing, roll-overs, draws, and the terms of the next cycle.

import { describe, expect, it } from "vitest";
import { balanceOf, limitsOf } from "../../../../src/domains/credit-accounts/book/balance.policy";
import { replay } from "../../../../src/domains/credit-accounts/book/book.policy";
import type { Book } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { dueOf, installmentsOf } from "../../../../src/domains/credit-accounts/book/installments.policy";
import { cycleForDraw, drawFault, dueRollOver, nextCycleTerms } from "../../../../src/domains/credit-accounts/book/renewal.policy";
import { canTransact, settledCycles, standingOf } from "../../../../src/domains/credit-accounts/book/standing.policy";
import { standOf } from "../../../../src/domains/portfolio/stand.policy";
import { cycleOf, factsOf, loan, monthly, noPenalty } from "./books";

// 100,000 at 5 percent for 30 days from 1 January 2025: installments of 36,721 due on 31 January, 2 March and 1 April.
const START = "2025-01-01";
const pay = (valueDate: string, amount: number) => ({ kind: "REPAYMENT" as const, valueDate, amount });

describe("a roll-over", () => {
	// One installment of 105,000 on 31 January.
	const single = { tenure: { duration: 30, unit: "DAYS" }, installmentEvery: { duration: 30, unit: "DAYS" } } as const;

	it("is due the day after the final due date when only principal is unpaid", () => {
		const book = loan(single, 100_000, START, [pay("2025-01-31", 5_000)]);
		expect(dueRollOver(book, replay(book, "2025-01-31"))).toBeUndefined();
		const due = { fromCycleId: "cycle-1", amount: 100_000n, valueDate: "2025-02-01" };
		expect(dueRollOver(book, replay(book, "2025-02-01"))).toEqual(due);
		expect(dueRollOver(book, replay(book, "2025-02-09"))).toEqual(due);
	});

	it("is not due while interest is unpaid, nor once everything is paid", () => {
		for (const amount of [4_999, 105_000]) {
			const book = loan(single, 100_000, START, [pay("2025-01-31", amount)]);
			expect(dueRollOver(book, replay(book, "2025-02-01"))).toBeUndefined();
		}
	});

	it("is not due on an account that is written off", () => {
		const book = loan(single, 100_000, START, [pay("2025-01-31", 5_000), { kind: "WRITE_OFF", valueDate: "2025-01-31", amount: 100_000 }]);
		expect(dueRollOver(book, replay(book, "2025-02-01"))).toBeUndefined();
	});

	const rolled = (...postings: NonNullable<Parameters<typeof loan>[3]>): Book => ({
		cycles: [
			cycleOf({ ...single, feeBasisPoints: 100 }, START),
			cycleOf({}, "2025-02-01", { id: "cycle-2", number: 2, rolledFromId: "cycle-1" }),
		],
		facts: factsOf([
			{ kind: "DRAW", valueDate: START, amount: 100_000 },
			pay("2025-01-31", 6_000),
			{ kind: "ROLL_OVER", valueDate: "2025-02-01", amount: 100_000, cycleId: "cycle-2" },
			...postings,
		]),
	});

	it("moves the principal into the next cycle, without a fee, and leaves nothing overdue", () => {
		const ledger = replay(rolled(), "2025-02-01");
		expect(standingOf(ledger)).toMatchObject({ status: "ACTIVE", dueDate: "2025-03-03", finalDueDate: "2025-05-02" });
		expect(balanceOf(ledger)).toMatchObject({ totalOutstanding: 100_000n, totalCharged: 100_000n });
		expect(settledCycles(ledger)).toEqual([{ cycleId: "cycle-1", transactionId: "f3", on: "2025-02-01" }]);
		expect(ledger.bookFrom).toBe(3);
		expect(dueRollOver(rolled(), ledger)).toBeUndefined();
	});

	it("stays when an earlier payment is reversed: the old cycle owes its interest again", () => {
		const book = rolled({ kind: "REVERSAL", valueDate: "2025-02-05", amount: 6_000, reversesId: "f2" });
		expect(balanceOf(replay(book, "2025-02-01")).breakdown).toMatchObject({ principal: 100_000n, arrears: 6_000n });
	});

	it("counts once in what was charged and paid, where the old cycle owes something again", () => {
		const book = rolled({ kind: "REVERSAL", valueDate: "2025-02-05", amount: 6_000, reversesId: "f2" });
		expect(balanceOf(replay(book, "2025-02-01"))).toMatchObject({ totalCharged: 106_000n, totalPaid: 0n, totalOutstanding: 106_000n });
	});

	it("stays when a payment is backdated before it: the excess principal that it moved is paid in the new cycle", () => {
		const book = rolled(pay("2025-01-31", 40_000));
		expect(balanceOf(replay(book, "2025-02-01")).breakdown.principal).toBe(60_000n);
	});
});

describe("the standing of an account", () => {
	it("is in arrears from the first overdue day, in default after 90, and active again when settled", () => {
		const book = loan({}, 100_000, START);
		const on = (day: string, of = book) => standingOf(replay(of, day));
		expect(on("2025-01-31")).toMatchObject({ status: "ACTIVE", overdueSince: null, daysOverdue: 0 });
		expect(on("2025-02-01")).toMatchObject({ status: "IN_ARREARS", overdueSince: "2025-01-31", daysOverdue: 1 });
		expect(on("2025-05-01")).toMatchObject({ status: "IN_ARREARS", daysOverdue: 90 });
		expect(on("2025-05-02")).toMatchObject({ status: "DEFAULTED", daysOverdue: 91 });
		expect(on("2025-05-02", loan({}, 100_000, START, [pay("2025-05-02", 110_163)]))).toMatchObject({ status: "ACTIVE", dueDate: null });
	});

	it("names the first penalty after the loan's end, also where the last installment is settled ahead and others are overdue", () => {
		const penaltyTerms = { ...noPenalty, rateBasisPoints: 100, gracePeriodDays: 4 };
		const waived = { kind: "WAIVER" as const, cycleId: "cycle-1", installment: 3, valueDate: START, amount: 1_000_000 };
		const book = loan({ penaltyTerms }, 100_000, START, [waived]);
		// The last installment is due on 1 April: nothing else happens between the second one's first overdue day and the penalty.
		const before = replay(book, "2025-03-15");
		const charged = ["2025-04-05", "2025-04-06", "2025-04-07"].find((day) => balanceOf(replay(book, day)).breakdown.penalty > 0n);
		expect(charged).toBeDefined();
		expect([before.nextPenaltyOn, standingOf(before).nextWorkOn]).toEqual([charged, charged]);
	});

	it("names the next day that changes something", () => {
		// Notice and overdue day of three installments, the first penalty and its own installment overdue, default, later penalties.
		const penaltyTerms = { ...noPenalty, rateBasisPoints: 100, gracePeriodDays: 4 };
		const workDays = (book: Book, until: string) => {
			const days: string[] = [];
			for (let day = standingOf(replay(book, START)).nextWorkOn; day !== null && day <= until; ) {
				days.push(day);
				day = standingOf(replay(book, day)).nextWorkOn;
			}
			return days;
		};
		expect(workDays(loan({ penaltyTerms }, 100_000, START), "2025-06-30")).toEqual([
			...["2025-01-28", "2025-02-01", "2025-02-27", "2025-03-03", "2025-03-29", "2025-04-02"],
			...["2025-04-06", "2025-04-07", "2025-05-02", "2025-05-06", "2025-06-05"],
		]);
		expect(workDays(loan({}, 100_000, START, [pay(START, 100_000)]), "2026-01-01")).toEqual([]);
	});

	describe("with an uncovered refund", () => {
		// The whole loan and 500 more are paid on 1 January, and the 500 are refunded on the 12th.
		const refunded = (...postings: NonNullable<Parameters<typeof loan>[3]>) =>
			loan({}, 100_000, START, [pay(START, 100_500), { kind: "REFUND", valueDate: "2025-01-12", amount: 500 }, ...postings]);
		const bounce = (valueDate: string, amount: number, reversesId = "f2") => ({ kind: "REVERSAL" as const, valueDate, amount, reversesId });
		const on = (day: string, book: Book) => {
			const ledger = replay(book, day);
			const { status, overdueSince, dueDate, daysOverdue } = standingOf(ledger);
			return { status, overdueSince, dueDate, daysOverdue, may: canTransact("ACTIVE", standingOf(ledger), false), due: dueOf(ledger) };
		};

		it("is due on the day of the bounce, in arrears from the next day on, and in default after 90", () => {
			const book = refunded(bounce("2025-01-20", 100));
			const owed = { dueDate: "2025-01-20", due: 100n, may: false };
			expect(on("2025-01-20", book)).toEqual({ ...owed, status: "ACTIVE", overdueSince: null, daysOverdue: 0 });
			expect(on("2025-01-21", book)).toEqual({ ...owed, status: "IN_ARREARS", overdueSince: "2025-01-20", daysOverdue: 1 });
			expect(on("2025-04-21", book)).toMatchObject({ status: "DEFAULTED", daysOverdue: 91 });
			expect(standingOf(replay(book, "2025-01-20")).nextWorkOn).toBe("2025-01-21");
			expect(standingOf(replay(book, "2025-01-21")).nextWorkOn).toBe("2025-04-21");
			const stand = standOf(replay(book, "2025-01-21"));
			expect([stand.overdue, stand.oldestDue]).toEqual([100n, "2025-01-20"]);
			const paid = refunded(bounce("2025-01-20", 100), pay("2025-01-22", 100));
			expect(on("2025-01-22", paid)).toMatchObject({ status: "ACTIVE", dueDate: null, due: 0n, may: true });
		});

		it("is not late yet on an earlier day, as the book shows it now", () => {
			expect(on("2025-01-15", refunded(bounce("2025-01-20", 100)))).toMatchObject({ status: "ACTIVE", dueDate: "2025-01-20" });
		});

		it("is due on the first of two bounces that uncover parts of it, and not on a bounce that left it covered", () => {
			const [first, second] = [bounce("2025-01-20", 100), bounce("2025-01-25", 200)];
			expect(replay(refunded(first, second), "2025-02-01").refundDueOn).toBe("2025-01-20");
			const other = loan({}, 100_000, START, [
				pay(START, 100_000),
				pay(START, 700),
				{ kind: "REFUND", valueDate: "2025-01-12", amount: 500 },
				bounce("2025-01-14", 200, "f3"),
				bounce("2025-01-20", 100, "f3"),
			]);
			expect(replay(other, "2025-02-01").refundDueOn).toBe("2025-01-20");
		});

		it("is due on the bounce of the payment that had covered it", () => {
			const book = refunded(bounce("2025-01-20", 100), pay("2025-01-25", 100), bounce("2025-01-30", 100, "f5"));
			expect(replay(book, "2025-02-01").refundDueOn).toBe("2025-01-30");
		});

		it("is due on the day of the refund where no reversal uncovered it", () => {
			const draw = { kind: "DRAW" as const, valueDate: "2025-01-11", amount: 300, cycleId: "cycle-1" };
			expect(replay(refunded(draw), "2025-01-20")).toMatchObject({ uncoveredRefund: 300n, refundDueOn: "2025-01-12" });
		});

		it("is not explained by other due dates that were taken back, with which a later draw would be too late", () => {
			const book = loan({}, 100_000, START, [
				{ kind: "REFUND", valueDate: "2025-01-12", amount: 500 },
				{
					kind: "RESCHEDULE",
					valueDate: "2025-01-13",
					amount: 1,
					cycleId: "cycle-1",
					dueDates: ["2025-01-20", "2025-01-25", "2025-01-30"],
				},
				{ kind: "REVERSAL", valueDate: "2025-01-14", amount: 1, reversesId: "f3" },
				{ kind: "DRAW", valueDate: "2025-02-10", amount: 300, cycleId: "cycle-1" },
			]);
			expect(replay(book, "2025-02-20")).toMatchObject({ uncoveredRefund: 500n, refundDueOn: "2025-01-12" });
		});

		it("keeps in its book what was paid before its cycle and bounced afterwards", () => {
			const cycles = [cycleOf({}, START), cycleOf({}, "2025-01-12", { id: "cycle-2", number: 2 })];
			const facts = factsOf([
				{ kind: "DRAW", valueDate: START, amount: 100_000 },
				pay(START, 100_000),
				pay(START, 50_000),
				{ kind: "DRAW", valueDate: "2025-01-12", amount: 20_000, cycleId: "cycle-2" },
				{ kind: "REFUND", valueDate: "2025-01-13", amount: 30_000 },
				bounce("2025-01-20", 50_000, "f3"),
			]);
			// Without the payment nothing was owed or overpaid as the second cycle began.
			const ledger = replay({ cycles, facts }, "2025-02-01");
			expect(ledger).toMatchObject({ uncoveredRefund: 30_000n, refundDueOn: "2025-01-20", bookFrom: 1 });
		});
	});

	it("lets money be drawn while nothing is overdue", () => {
		const [fine, late] = ["2025-01-31", "2025-02-01"].map((day) => standingOf(replay(loan({}, 100_000, START), day)));
		if (!fine || !late) throw new Error("two standings");
		expect(canTransact("ACTIVE", fine, false)).toBe(true);
		expect(canTransact("ACTIVE", fine, true)).toBe(false);
		expect(canTransact("SUSPENDED", fine, false)).toBe(false);
		expect(canTransact("ACTIVE", late, false)).toBe(false);
	});

	it("has limits that add up, and never a negative amount available", () => {
		const { breakdown } = balanceOf(replay(loan({}, 100_000, START), START));
		expect(limitsOf(150_000n, { breakdown, overpaid: 0n })).toEqual({
			creditLimit: -150_000n,
			availableLimit: -50_000n,
			availableBalance: -100_000n,
		});
		expect(limitsOf(80_000n, { breakdown, overpaid: 0n }).availableLimit).toBe(0n);
		expect(limitsOf(150_000n, { breakdown: { ...breakdown, principal: 0n }, overpaid: 70n })).toEqual({
			creditLimit: -150_000n,
			availableLimit: -150_070n,
			availableBalance: 70n,
		});
	});
});

describe("a draw", () => {
	it("goes into the newest open cycle until its final due date", () => {
		const book = loan({}, 100_000, START);
		expect(cycleForDraw(replay(book, "2025-03-31"))).toBe("cycle-1");
		expect(cycleForDraw(replay(book, "2025-04-01"))).toBeUndefined();
		expect(cycleForDraw(replay(loan({}, 100_000, START, [pay(START, 100_000)]), START))).toBeUndefined();
	});

	it("is a multiple of the step within what is available, while the account may transact", () => {
		const limits = limitsOf(150_000n, balanceOf(replay(loan({}, 100_000, START), START)));
		expect(drawFault(50_000n, 500n, limits, true)).toBeUndefined();
		expect(drawFault(50_500n, 500n, limits, true)).toBe("OVER_AVAILABLE_LIMIT");
		expect(drawFault(49_999n, 500n, limits, true)).toBe("AMOUNT_NOT_A_STEP");
		expect(drawFault(0n, 500n, limits, true)).toBe("AMOUNT_NOT_A_STEP");
		expect(drawFault(500n, 500n, limits, false)).toBe("CANNOT_TRANSACT");
	});

	it("spreads what is owed over the remaining installments, and adds its fee to the current one", () => {
		const book = loan({ feeBasisPoints: 100 }, 100_000, START, [
			pay("2025-01-31", 37_721),
			{ kind: "DRAW", valueDate: "2025-02-15", amount: 50_000, cycleId: "cycle-1" },
		]);
		// 68,279 for 15 days and 118,279 for the other 15, then equal installments of 63,613 and a fee of 500.
		const [first, second, third] = installmentsOf(replay(book, "2025-02-15"));
		expect(first).toMatchObject({ status: "SETTLED" });
		expect(second).toMatchObject({ interest: 1_707n + 2_957n + 500n, fee: 500n });
		expect((second?.outstanding ?? 0n) - 500n - (third?.outstanding ?? 0n)).toBeLessThanOrEqual(1n);
		expect((second?.principal ?? 0n) + (third?.principal ?? 0n)).toBe(118_279n);
	});

	it("starts a cycle on the terms chosen for it, at the rate of the account's schedule", () => {
		const weekly = { basisPoints: 100, periodValue: 1, periodUnit: "WEEKS" } as const;
		expect(nextCycleTerms(monthly, null, () => weekly)).toBe(monthly);
		const tenure = { duration: 2, unit: "WEEKS" } as const;
		expect(nextCycleTerms(monthly, tenure, () => weekly)).toEqual({ ...monthly, tenure, interestRate: weekly });
		expect(nextCycleTerms(monthly, tenure, () => undefined)).toBeUndefined();
	});
});
