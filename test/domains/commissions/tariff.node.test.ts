// What an event earns by its tariff, to the unit.

import { describe, expect, it } from "vitest";
import {
	commissionOf,
	faultsOf,
	inOrder,
	type Rule,
	supervisorShareOf,
	type Tariff,
	tariffAt,
} from "../../../src/domains/commissions/tariff.policy.ts";

const tier = (changes: object = {}) => ({ from: 0, to: null, flat: 0, basisPoints: 0, cap: null, ...changes });
const rule = (tiers: object[], share = 0): Rule => ({
	eventType: "TRANSACTION",
	tiers: tiers.map(tier),
	supervisorShareBasisPoints: share,
});
const tariff = (rules: Rule[], changes: Partial<Tariff> = {}): Tariff => ({
	id: "a",
	modelId: "m",
	effectiveFrom: 0,
	createdAt: 0,
	rules,
	...changes,
});
const event = (amount: number) => ({ eventType: "TRANSACTION" as const, amount });

describe("a commission", () => {
	const tiered = tariff([
		rule([
			{ from: 0, to: 1_000, flat: 10 },
			{ from: 1_000, to: 10_000, flat: 5, basisPoints: 50 },
			{ from: 20_000, basisPoints: 33, cap: 100 },
		]),
	]);

	it.each([
		[0, 100_000n],
		[999, 100_000n],
		[1_000, 50_000n + 50_000n],
		[9_999, 50_000n + 499_950n],
		[10_000, 0n],
		[20_000, 660_000n],
		[30_303, 999_999n],
		[30_304, 1_000_000n],
		[9_007_199_254_740_991, 1_000_000n],
	])("for %d follows its tier, from inclusive to exclusive, up to the cap", (amount, units) => {
		expect(commissionOf(event(amount), tiered)).toBe(units);
	});

	it("is zero without a rule for the event or without a tariff", () => {
		expect(commissionOf({ eventType: "SIGN_UP", amount: 1 }, tiered)).toBe(0n);
		expect(commissionOf(event(1), undefined)).toBe(0n);
	});

	it("is exact beyond what a double holds", () => {
		const whole = tariff([rule([{ basisPoints: 9_999 }])]);
		expect(commissionOf(event(9_007_199_254_740_991), whole)).toBe(9_007_199_254_740_991n * 9_999n);
	});
});

describe("a supervisor's share", () => {
	it.each([
		[1, 5_000, 0n],
		[3, 5_000, 2n],
		[5, 5_000, 2n],
		[7, 5_000, 4n],
		[7, 10_000, 7n],
		[7, 0, 0n],
	])("of %d ten-thousandths at %d basis points is rounded half to even", (amount, share, units) => {
		expect(supervisorShareOf(event(amount), tariff([rule([{ basisPoints: 1 }], share)]))).toBe(units);
	});
});

describe("the tariff of an instant", () => {
	const [first, second, again] = [
		tariff([], { id: "1", effectiveFrom: 100 }),
		tariff([], { id: "2", effectiveFrom: 200 }),
		tariff([], { id: "3", effectiveFrom: 200, createdAt: 1 }),
	];
	const ordered = inOrder([again, second, first]);

	it("is the version that took effect last; of two that took effect together, the later created version", () => {
		expect(tariffAt(ordered, 99, false)).toBeUndefined();
		expect(tariffAt(ordered, 100, false)).toBe(first);
		expect(tariffAt(ordered, 199, false)).toBe(first);
		expect(tariffAt(ordered, 200, false)).toBe(again);
	});

	it("in a what-if report is the first one even before it takes effect", () => {
		expect(tariffAt(ordered, 99, true)).toBe(first);
		expect(tariffAt([], 99, true)).toBeUndefined();
	});
});

describe("rules", () => {
	it("must be one for each event type, with tiers that ascend and do not overlap", () => {
		expect(faultsOf([rule([{ to: 10 }, { from: 10, to: 20 }, { from: 30 }])])).toEqual([]);
		expect(faultsOf([rule([{ from: 10, to: 10 }]), rule([{}, { from: 5 }])])).toMatchObject([
			{ path: "rules[0].tiers[0].to", sub_code: "OUT_OF_RANGE" },
			{ path: "rules[1].event_type", sub_code: "DUPLICATE" },
			{ path: "rules[1].tiers[1].from", sub_code: "OUT_OF_RANGE" },
		]);
	});
});
