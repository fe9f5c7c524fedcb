// What the console draws and how it judges colours, without a browser.

import { describe, expect, it } from "vitest";
import { barsOf, heightOf, stepFor, ticksFor } from "../../src/console/charts/schedule-bars.ts";
import { isPenalty, placeOf } from "../../src/console/installment.ts";
import { contrast, pairsOf, textOn } from "../../src/console/pages/organization/contrast.ts";
import type { Installment } from "../../src/console/typed.ts";

const installments = (count: number, daysApart: number): Installment[] =>
	Array.from({ length: count }, (_, index) => {
		const due_date = new Date(Date.UTC(2026, 10, 22) + index * daysApart * 86_400_000).toISOString().slice(0, 10);
		const isPaid = due_date < "2027-02-01";
		return {
			id: `${index}`,
			cycle_id: "cycle",
			position: index + 1,
			due_date,
			status: isPaid ? "SETTLED" : due_date < "2027-03-06" ? "OVERDUE" : "UPCOMING",
			principal: 1_000,
			interest: 100,
			arrears: 0,
			penalty: 10,
			paid: isPaid ? 1_110 : 0,
			waived: 0,
			outstanding: isPaid ? 0 : 1_110,
		};
	});

describe("a schedule's bars", () => {
	it("are installments up to 36, then quarters, then years, and always add up", () => {
		const cases = [
			[6, 30, "installment"],
			[36, 30, "installment"],
			[37, 30, "quarter"],
			[1_200, 1, "quarter"],
			[1_200, 30, "year"],
		] as const;
		for (const [count, daysApart, step] of cases) {
			const of = installments(count, daysApart);
			expect([count, stepFor(of)]).toEqual([count, step]);
			const bars = barsOf(of.toReversed(), "2027-03-06");
			expect(bars.length).toBeLessThanOrEqual(100);
			expect(bars.reduce((sum, bar) => sum + heightOf(bar), 0)).toBe(count * 1_110);
			for (const bar of bars) expect(bar.settled + bar.owed).toBe(heightOf(bar));
			expect(bars.map(({ isPast }) => isPast)).toEqual(bars.map(({ isPast }) => isPast).toSorted((a, b) => Number(b) - Number(a)));
		}
	});

	it("are named by their days and quarters", () => {
		expect(barsOf(installments(2, 30), "2027-03-06").map(({ label, name }) => [label, name])).toEqual([
			["22 Nov", "Installment 1, 22 Nov 2026"],
			["22 Dec", "Installment 2, 22 Dec 2026"],
		]);
		expect(barsOf(installments(200, 1), "2027-03-06").map(({ label, name, isOverdue }) => [label, name, isOverdue])).toEqual([
			["2026 Q4", "40 installments of 2026 Q4", false],
			["2027 Q1", "90 installments of 2027 Q1", true],
			["2027 Q2", "70 installments of 2027 Q2", false],
		]);
	});

	it("call the penalties after the end of a loan what they are", () => {
		const [first, last] = installments(2, 30) as [Installment, Installment];
		const penalty = { ...last, principal: 0, interest: 0, penalty: 4_200, outstanding: 4_200 };
		expect([first, penalty].map(placeOf)).toEqual(["Installment 1", "Penalty"]);
		expect(barsOf([first, penalty], "2027-03-06").map(({ name }) => name)).toEqual(["Installment 1, 22 Nov 2026", "Penalty, 22 Dec 2026"]);
		// Nothing was ever owed of an installment of a loan that was paid off before.
		expect(isPenalty({ ...penalty, penalty: 0, outstanding: 0 })).toBe(false);
	});

	it("stand against round figures", () => {
		for (const greatest of [1, 3, 7, 99, 2_178_600, 10 ** 12]) {
			const ticks = ticksFor(greatest);
			expect(ticks.at(-1)).toBeGreaterThanOrEqual(greatest);
			expect(ticks.length).toBeLessThanOrEqual(5);
		}
		expect(ticksFor(2_358_600)).toEqual([0, 1_000_000, 2_000_000, 3_000_000]);
		expect(ticksFor(0)).toEqual([0, 1]);
	});
});

it("judges a brand's colours as WCAG does", () => {
	expect(contrast("#ffffff", "#000000")).toBeCloseTo(21, 5);
	expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
	expect([textOn("#0f5132"), textOn("#f2b705")]).toEqual(["#ffffff", "#000000"]);
	expect(pairsOf("#0f5132", "#f2b705").map(({ name, ratio, verdict }) => `${name} ${ratio.toFixed(1)} ${verdict}`)).toEqual([
		"Button text on primary 9.4 good",
		"Primary as text on white 9.4 good",
		"Primary as text on black 2.0 too little",
		"Mark on secondary 11.6 good",
	]);
});
