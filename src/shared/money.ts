// Exact arithmetic on amounts and rates. An amount is a bigint in minor units, because intermediate products exceed what a
// double holds. JavaScript numbers appear only at the edges, where toBigInt and toNumber demand safe integers.

/** A fraction in lowest terms with a positive denominator, so that equal fractions have equal members. */
export type Rational = { readonly numerator: bigint; readonly denominator: bigint };

const BASIS_POINTS_IN_ONE = 10_000n;

export function magnitude(value: bigint): bigint {
	return value < 0n ? -value : value;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
	let [larger, smaller] = [magnitude(a), magnitude(b)];
	while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
	return larger;
}

export function leastCommonMultiple(a: bigint, b: bigint): bigint {
	return a === 0n || b === 0n ? 0n : magnitude((a / greatestCommonDivisor(a, b)) * b);
}

/** Throws RangeError when the denominator is zero. */
export function rational(numerator: bigint, denominator = 1n): Rational {
	if (denominator === 0n) throw new RangeError("a fraction needs a denominator other than zero");
	const divisor = greatestCommonDivisor(numerator, denominator) * (denominator < 0n ? -1n : 1n);
	return { numerator: numerator / divisor, denominator: denominator / divisor };
}

export const ZERO: Rational = rational(0n);

export function add(a: Rational, b: Rational): Rational {
	return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function multiply(a: Rational, b: Rational): Rational {
	return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function sum(fractions: readonly Rational[]): Rational {
	return fractions.reduce(add, ZERO);
}

/** Divides and rounds towards negative infinity; the denominator must be positive. */
function floorDivide(numerator: bigint, denominator: bigint): bigint {
	const quotient = numerator / denominator;
	return numerator % denominator < 0n ? quotient - 1n : quotient;
}

/** Divides and rounds to the nearest integer, ties to the even one. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
	if (denominator === 0n) throw new RangeError("division by zero");
	const [top, bottom] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
	const floor = floorDivide(top, bottom);
	const twiceRest = (top - floor * bottom) * 2n;
	if (twiceRest < bottom) return floor;
	if (twiceRest > bottom) return floor + 1n;
	return floor % 2n === 0n ? floor : floor + 1n;
}

/** A share of an amount, rounded half to even. */
export function portion(amount: bigint, share: Rational): bigint {
	return divideHalfEven(amount * share.numerator, share.denominator);
}

export function basisPoints(count: number): Rational {
	return rational(toBigInt(count), BASIS_POINTS_IN_ONE);
}

/** The largest multiple of the step up to the amount. */
export function floorToStep(amount: bigint, step: bigint): bigint {
	if (step <= 0n) throw new RangeError("a step must be positive");
	return floorDivide(amount, step) * step;
}

/** Converts a number from outside; throws RangeError unless it is a safe integer. */
export function toBigInt(value: number): bigint {
	if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer: ${value}`);
	return BigInt(value);
}

export function smallest(first: bigint, ...others: readonly bigint[]): bigint {
	let least = first;
	for (const other of others) if (other < least) least = other;
	return least;
}

export function isSafe(value: bigint): boolean {
	return magnitude(value) <= BigInt(Number.MAX_SAFE_INTEGER);
}

/** Converts an amount for storage or output; throws RangeError beyond 2^53-1, where a number would lose precision. */
export function toNumber(value: bigint): number {
	if (!isSafe(value)) throw new RangeError(`beyond the safe integers: ${value}`);
	return Number(value);
}
