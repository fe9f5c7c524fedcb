// Exact arithmetic and its rounding.

import { describe, expect, it } from "vitest";
import {
	add,
	basisPoints,
	divideHalfEven,
	floorToStep,
	isSafe,
	leastCommonMultiple,
	multiply,
	portion,
	rational,
	smallest,
	sum,
	toBigInt,
	toNumber,
	ZERO,
} from "../../src/shared/money";

describe("rational", () => {
	it("keeps fractions in lowest terms with a positive denominator", () => {
		expect(rational(6n, -8n)).toEqual({ numerator: -3n, denominator: 4n });
		expect(rational(0n, -5n)).toEqual(ZERO);
	});

	it("adds and multiplies exactly", () => {
		expect(add(rational(1n, 10n), rational(2n, 10n))).toEqual(rational(3n, 10n));
		expect(multiply(rational(2n, 3n), rational(9n, 4n))).toEqual(rational(3n, 2n));
		expect(sum([rational(1n, 3n), rational(1n, 3n), rational(1n, 3n)])).toEqual(rational(1n));
		expect(sum([])).toEqual(ZERO);
	});

	it("rejects a denominator of zero", () => {
		expect(() => rational(1n, 0n)).toThrow(RangeError);
		expect(() => divideHalfEven(1n, 0n)).toThrow(RangeError);
	});

	it("finds common denominators", () => {
		expect(leastCommonMultiple(4n, 6n)).toBe(12n);
		expect(leastCommonMultiple(-4n, 6n)).toBe(12n);
		expect(leastCommonMultiple(0n, 6n)).toBe(0n);
	});
});

describe("divideHalfEven", () => {
	it.each([
		[5n, 2n, 2n],
		[7n, 2n, 4n],
		[1n, 2n, 0n],
		[3n, 2n, 2n],
		[-1n, 2n, 0n],
		[-3n, 2n, -2n],
		[-5n, 2n, -2n],
		[5n, -2n, -2n],
		[-5n, -2n, 2n],
		[249n, 100n, 2n],
		[251n, 100n, 3n],
		[-249n, 100n, -2n],
		[-251n, 100n, -3n],
		[6n, 3n, 2n],
		[0n, 7n, 0n],
	])("%s / %s is %s", (numerator, denominator, expected) => {
		expect(divideHalfEven(numerator, denominator)).toBe(expected);
	});

	it("rounds negative amounts like positive ones", () => {
		for (let numerator = -50n; numerator <= 50n; numerator++) {
			for (let denominator = 1n; denominator <= 12n; denominator++) {
				expect(divideHalfEven(-numerator, denominator)).toBe(-divideHalfEven(numerator, denominator) + 0n);
			}
		}
	});

	it("takes a share of the largest safe amount without losing a unit", () => {
		expect(portion(9007199254740991n, basisPoints(500))).toBe(450359962737050n);
	});
});

describe("floorToStep", () => {
	it.each([
		[156250n, 500n, 156000n],
		[500n, 500n, 500n],
		[499n, 500n, 0n],
		[-1n, 500n, -500n],
	])("%s in steps of %s is %s", (amount, step, expected) => {
		expect(floorToStep(amount, step)).toBe(expected);
	});

	it("rejects a step that is not positive", () => {
		expect(() => floorToStep(1n, 0n)).toThrow(RangeError);
	});
});

describe("smallest", () => {
	it("compares amounts beyond the safe integers", () => {
		expect(smallest(9007199254740993n, 9007199254740992n, 9007199254740994n)).toBe(9007199254740992n);
		expect(smallest(-1n)).toBe(-1n);
	});
});

describe("conversion", () => {
	it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("rejects the number %s", (value) => {
		expect(() => toBigInt(value)).toThrow(RangeError);
	});

	it("rejects amounts beyond the safe integers", () => {
		expect(toNumber(9007199254740991n)).toBe(Number.MAX_SAFE_INTEGER);
		expect(() => toNumber(9007199254740992n)).toThrow(RangeError);
		expect(() => toNumber(-9007199254740992n)).toThrow(RangeError);
		expect(isSafe(9007199254740992n)).toBe(false);
	});
});
