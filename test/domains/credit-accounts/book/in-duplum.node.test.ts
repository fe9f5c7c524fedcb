// What the law allows to be charged in default, over defaults that run and defaults that were cured.

import { describe, expect, it } from "vitest";
import { balanceOf } from "../../../../src/domains/credit-accounts/book/balance.policy";
import { replay } from "../../../../src/domains/credit-accounts/book/book.policy";
import { explain } from "../../../../src/domains/credit-accounts/book/explain.policy";
import { installmentsOf } from "../../../../src/domains/credit-accounts/book/installments.policy";
import type { Ledger } from "../../../../src/domains/credit-accounts/book/ledger.policy";
import { capReachedOn } from "../../../../src/domains/credit-accounts/book/standing.policy";
import { capOfNewLoan } from "../../../../src/domains/loan-products/model/policy";
import { addDays } from "../../../../src/shared/time";
import { loan, noPenalty } from "./books";
import { forAllBooks } from "./random-books";

const START = "2025-01-01";
/** As loans are offered now. */
const lawful = (...of: Parameters<typeof loan>) => ({ ...loan(...of), inDuplum: capOfNewLoan({ inDuplum: { sinceDefault: true } }) });
const pay = (valueDate: string, amount: number) => ({ kind: "REPAYMENT" as const, valueDate, amount });

describe("what is charged in default", () => {
	// 10,000 without interest in two installments of 5,000, due on 31 January and 2 March; half of what is late again every 10 days.
	const harsh = { ...noPenalty, rateBasisPoints: 5_000, periodDays: 10, trigger: "AFTER_INSTALLMENT_DUE" } as const;
	const terms = {
		tenure: { duration: 60, unit: "DAYS" },
		interestRate: { basisPoints: 0, periodValue: 30, periodUnit: "DAYS" },
		penaltyTerms: harsh,
	} as const;
	const penaltiesOf = (ledger: Ledger) => ledger.penalties.map(({ installment, date, amount }) => [installment, date, Number(amount)]);
	// A borrower who pays each penalty at once never owes more than the principal in penalties.
	const prompt = ["2025-02-01", "2025-02-11", "2025-02-21"].map((day) => pay(day, 2_500));

	it("stays within the principal outstanding on the first overdue day, although it was paid", () => {
		const book = loan(terms, 10_000, START, [...prompt, pay("2025-03-03", 5_000)]);
		const ledger = replay(book, "2025-12-31");
		expect(penaltiesOf(ledger)).toEqual([
			[1, "2025-02-01", 2_500],
			[1, "2025-02-11", 2_500],
			[1, "2025-02-21", 2_500],
			[1, "2025-03-03", 2_500],
		]);
		expect(ledger.inDuplum).toEqual({ since: "2025-02-01", principal: 10_000n, cap: 10_000n, left: 0n, reachedOn: "2025-03-03" });
		const unlimited = replay({ ...book, inDuplum: { sinceDefault: false } }, "2025-12-31");
		expect(balanceOf(unlimited).breakdown.penalty).toBeGreaterThan(5_000n);
	});

	// Banking Act, section 44A(2)(b): "interest … not exceeding the principal owing when the loan becomes non-performing".
	it("lets no more interest be recovered than the principal that was owing, whether it was unpaid before or charged since", () => {
		const flat = { productType: "FLAT", interestRate: { basisPoints: 9_000, periodValue: 30, periodUnit: "DAYS" } } as const;
		const late = lawful({ ...flat, tenure: { duration: 120, unit: "DAYS" } }, 10_000, START);
		const { breakdown } = balanceOf(replay(late, "2025-12-31"));
		expect(breakdown).toMatchObject({ principal: 10_000n, arrears: 10_000n, interest: 0n, penalty: 0n });
		// Paid before the default, the first 9,000 are not recovered after it: 10,000 may be charged again.
		const paid = replay(
			lawful({ ...flat, tenure: { duration: 120, unit: "DAYS" } }, 10_000, START, [pay("2025-01-31", 9_000)]),
			"2025-12-31",
		);
		expect(paid.inDuplum).toMatchObject({ since: "2025-02-01", principal: 10_000n, cap: 10_000n, left: 0n });
	});

	it("charges nothing more where as much as the principal is unpaid already", () => {
		const dear = { productType: "FLAT", interestRate: { basisPoints: 12_000, periodValue: 30, periodUnit: "DAYS" } } as const;
		const ledger = replay(lawful({ ...dear, tenure: { duration: 60, unit: "DAYS" } }, 10_000, START), "2025-12-31");
		expect(ledger.inDuplum).toEqual({ since: "2025-02-01", principal: 10_000n, cap: 0n, left: 0n, reachedOn: "2025-02-01" });
		expect(installmentsOf(ledger).map(({ interest }) => interest)).toEqual([12_000n, 0n]);
	});

	it("starts again once nothing is overdue any more", () => {
		const cured = loan(terms, 10_000, START, [...prompt, pay("2025-02-28", 5_000)]);
		const ledger = replay(cured, "2025-12-31");
		expect(ledger.inDuplum).toMatchObject({ since: "2025-03-03", cap: 5_000n, left: 0n });
		expect(penaltiesOf(ledger).slice(3)).toEqual([
			[2, "2025-03-03", 2_500],
			[2, "2025-03-13", 2_500],
		]);
	});

	it("counts interest of installments to come, and trims the charge that crosses the cap", () => {
		// A flat loan earns 9,000 in each period, 300 a day. When it falls into default, 10,000 of its principal and the 9,000 are unpaid, so
		// that 1,000 more may be recovered: 300 on each of three days, and 100 on the fourth.
		const flat = { productType: "FLAT", interestRate: { basisPoints: 9_000, periodValue: 30, periodUnit: "DAYS" } } as const;
		const book = lawful({ ...flat, tenure: { duration: 120, unit: "DAYS" } }, 10_000, START);
		const ledger = replay(book, "2025-12-31");
		expect(ledger.inDuplum).toMatchObject({ since: "2025-02-01", principal: 10_000n, cap: 1_000n, left: 0n, reachedOn: "2025-02-04" });
		expect(installmentsOf(ledger).map(({ interest }) => interest)).toEqual([9_000n, 1_000n, 0n, 0n]);
		expect(explain(ledger).filter(({ inputs }) => inputs.over_cap)).toMatchObject([
			{ installment: 2, amount: 1_000n, inputs: { over_cap: 200n } },
		]);
	});

	it("does not count what was unpaid before, in loans whose terms are from before that rule", () => {
		const flat = { productType: "FLAT", interestRate: { basisPoints: 9_000, periodValue: 30, periodUnit: "DAYS" } } as const;
		const old = loan({ ...flat, tenure: { duration: 120, unit: "DAYS" } }, 10_000, START);
		for (const inDuplum of [undefined, { sinceDefault: true }])
			expect(replay({ ...old, inDuplum }, "2025-12-31").inDuplum).toMatchObject({ principal: 10_000n, cap: 10_000n, left: 0n });
	});

	it("has its day foretold where interest alone reaches the cap, in any book", { timeout: 1_800_000 }, () => {
		let foretold = 0;
		forAllBooks(100, ({ knownOn, reading }) => {
			const book = knownOn(reading);
			if (book.facts.length === 0) return;
			const ledger = replay(book, reading);
			const day = capReachedOn(book, ledger);
			if (day === null) return;
			foretold++;
			expect(replay(book, day).inDuplum?.reachedOn).toBe(day);
			expect(replay(book, addDays(day, -1)).inDuplum?.reachedOn).toBeNull();
		});
		expect(foretold).toBeGreaterThan(0);
	});

	it("never exceeds the cap of its default, in any book on any day", { timeout: 1_800_000 }, () => {
		forAllBooks(200, ({ book, through }) => {
			const { inDuplum, entries } = replay(book, through);
			if (!inDuplum) return;
			const charged = entries.filter(
				({ rule, date }) => (rule === "INTEREST_EARNED" || rule === "PENALTY_CHARGED") && date >= inDuplum.since,
			);
			expect(charged.reduce((sum, { amount }) => sum + amount, 0n)).toBe(inDuplum.cap - inDuplum.left);
			expect(inDuplum.left).toBeGreaterThanOrEqual(0n);
			const before = balanceOf(replay({ ...book, facts: book.facts }, addDays(inDuplum.since, -1)));
			const { principal, interest, arrears, penalty } = before.breakdown;
			const room = principal - (book.inDuplum?.countsUnpaid ? interest + arrears + penalty : 0n);
			expect(inDuplum.principal).toBe(principal);
			expect(inDuplum.cap).toBe(room > 0n ? room : 0n);
		});
	});
});
