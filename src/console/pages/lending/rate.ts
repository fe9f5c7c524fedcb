// Rates, as percentages.

import type { InterestRate } from "../../typed.ts";

/** A fraction as a percentage, where that is exact within six places; else as a fraction. */
export function rateText(numerator: bigint, denominator: bigint): string {
	const millionths = numerator * 100_000_000n;
	if (millionths % denominator !== 0n) return `${numerator} ⁄ ${denominator}`;
	const digits = String(millionths / denominator).padStart(7, "0");
	const places = digits.slice(-6).replace(/0+$/, "");
	return `${digits.slice(0, -6)}${places ? `.${places}` : ""}\u00a0%`;
}

export function rateOf({ basis_points, period_value, period_unit }: InterestRate): string {
	const unit = period_unit.toLowerCase();
	return `${rateText(BigInt(basis_points), 10_000n)} ${period_value === 1 ? `a ${unit.slice(0, -1)}` : `per ${period_value} ${unit}`}`;
}
