// Stages of loans by days past due: how an account moves through them, which rules count, and the loss that is expected.

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	DEFAULT_RULES,
	expectedLossIn,
	isLastOfMonth,
	type RulesVersion,
	rulesOn,
	type StageRules,
	type Staging,
	stagingOn,
} from "../../../src/domains/portfolio/model/stages.policy";
import { addDays } from "../../../src/shared/time";

const BEGIN = "2026-01-01";

/** The stage at the end of each day of an account that is so many days past due; null: it owes nothing. */
function stagesOf(days: readonly (number | null)[], rules: StageRules): number[] {
	let staging: Staging | null = null;
	return days.map((pastDue, index) => {
		const day = addDays(BEGIN, index);
		const oldestDue = pastDue ? addDays(day, -pastDue) : null;
		staging = stagingOn(staging, { exposure: pastDue === null ? 0n : 100n, oldestDue }, day, rules);
		return staging.stage;
	});
}

const curing = (cureDays: number): StageRules => ({ ...DEFAULT_RULES, cureDays });

describe("the stage of an account", () => {
	it.each([
		[0, 1],
		[1, 1],
		[30, 1],
		[31, 2],
		[90, 2],
		[91, 3],
		[4_000, 3],
	])("that is first seen %i days past due is %i by the default rules", (pastDue, stage) => {
		expect(stagesOf([pastDue], DEFAULT_RULES)).toEqual([stage]);
	});

	it("rises at once, and goes back one stage after so many days with nothing overdue", () => {
		expect(stagesOf([90, 91, 0, 0, 0, 0, 0, 0, 0], curing(3))).toEqual([2, 3, 3, 3, 3, 2, 2, 2, 1]);
	});

	it("begins to count again after a day on which something is overdue", () => {
		expect(stagesOf([91, 0, 0, 1, 0, 0, 0, 0], curing(3))).toEqual([3, 3, 3, 3, 3, 3, 3, 2]);
		expect(stagesOf([91, 40, 40, 40, 40], curing(3))).toEqual([3, 3, 3, 3, 3]);
	});

	it("is that of its days where rules have no cure", () => {
		expect(stagesOf([91, 40, 0, 31, 0], curing(0))).toEqual([3, 2, 1, 2, 1]);
	});

	it("begins again once nothing is owed", () => {
		expect(stagesOf([91, null, 0], curing(90))).toEqual([3, 1, 1]);
	});

	it("is the last one of rules with fewer stages", () => {
		const one: StageRules = { stages: [{ upToDays: null, rateBasisPoints: 100, suspendsInterest: false }], cureDays: 90 };
		const before = stagingOn(null, { exposure: 1n, oldestDue: addDays(BEGIN, -200) }, BEGIN, DEFAULT_RULES);
		expect(stagingOn(before, { exposure: 1n, oldestDue: null }, addDays(BEGIN, 1), one).stage).toBe(1);
	});

	it("is never below that of its days, and goes back one stage at most a day", () => {
		const histories = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 120 })), { maxLength: 60 });
		void fc.assert(
			fc.property(histories, fc.integer({ min: 1, max: 10 }), (days, cure) => {
				const stages = stagesOf(days, curing(cure));
				for (const [index, stage] of stages.entries()) {
					expect(stage).toBeGreaterThanOrEqual(stagesOf([days[index] ?? 0], DEFAULT_RULES)[0] ?? 0);
					const fell = (stages[index - 1] ?? stage) - stage;
					expect(fell).toBeLessThanOrEqual(1);
					// Every one of the days before was one with nothing overdue.
					if (fell === 1) expect(days.slice(index - cure, index + 1)).toEqual(Array(cure + 1).fill(0));
				}
			}),
		);
	});
});

describe("the rules that count", () => {
	const version = (id: string, loanProductId: string, effectiveFrom: string): RulesVersion => ({
		...DEFAULT_RULES,
		id,
		loanProductId,
		effectiveFrom,
	});
	const versions = [version("c", "", "2026-03-01"), version("a", "", "2026-01-01"), version("p", "product", "2026-02-01")];

	it.each([
		["product", "2025-12-31", null],
		["product", "2026-01-31", "a"],
		["product", "2026-02-01", "p"],
		["product", "2026-03-05", "p"],
		["other", "2026-02-28", "a"],
		["other", "2026-03-01", "c"],
	])("for %s on %s are %s", (product, day, id) => {
		expect(rulesOn(versions, product, day).id).toBe(id);
	});
});

it("the loss of a stage is its rate of what is owed, half up, without the interest that is suspended", () => {
	const stage = { upToDays: null, rateBasisPoints: 250, suspendsInterest: false, exposure: 0, interest: 0 };
	expect(expectedLossIn({ ...stage, exposure: 20 })).toBe(1n);
	expect(expectedLossIn({ ...stage, exposure: 19 })).toBe(0n);
	expect(expectedLossIn({ ...stage, exposure: 10_000, interest: 2_000 })).toBe(250n);
	expect(expectedLossIn({ ...stage, exposure: 10_000, interest: 2_000, suspendsInterest: true })).toBe(200n);
	expect(expectedLossIn({ ...stage, rateBasisPoints: 10_000, exposure: Number.MAX_SAFE_INTEGER })).toBe(BigInt(Number.MAX_SAFE_INTEGER));
});

it("months end on their last day", () => {
	expect(["2026-01-31", "2026-02-28", "2028-02-29", "2026-12-31"].every(isLastOfMonth)).toBe(true);
	expect(["2026-01-30", "2028-02-28", "2026-12-01"].some(isLastOfMonth)).toBe(false);
});
