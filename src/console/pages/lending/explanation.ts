// Why an amount is owed: each line of `explain` as a sentence, and as a sum that can be checked with a pencil.

import { day, money } from "../../format.ts";
import type { Explanation } from "../../typed.ts";
import { rateText } from "./rate.ts";

export type Line = Explanation["lines"][number];
type Inputs = Line["inputs"];

export interface ExplainedLine {
	readonly what: string;
	/** Amounts, rates and days, as in `62,184.46 × 2.5 % × 14 ⁄ 30 days − 10.00 charged before`. */
	readonly sum: string;
	/** Where a figure of the sum comes from. */
	readonly note?: string;
}

const PARTS: Readonly<Record<Line["component"], string>> = {
	PRINCIPAL: "the principal",
	INTEREST: "the interest",
	ARREARS: "the interest",
	PENALTY: "the penalty",
	REFUND_UNCOVERED: "the refund",
};

const figure = (inputs: Inputs, name: string): number => Number(inputs[name] ?? 0);
const date = (inputs: Inputs, name: string): string => day(String(inputs[name]));

/** `20 Feb to 6 Mar 2027`: the year once, where both days have it. */
function stretch(from: string, to: string): string {
	const [first, last] = [day(from), day(to)];
	return first.slice(-4) === last.slice(-4) ? `${first.slice(0, -5)} to ${last}` : `${first} to ${last}`;
}

const basisPoints = (count: number): string => rateText(BigInt(count), 10_000n);

function interestSum(inputs: Inputs, amount: (minor: number) => string): string {
	const { days, period_days, rate, balance, period_interest } = inputs;
	const [numerator = "1", denominator = "1"] = String(rate ?? "").split("/");
	const charged =
		balance === undefined ? [amount(Number(period_interest))] : [amount(Number(balance)), rateText(BigInt(numerator), BigInt(denominator))];
	return [...charged, ...(days === period_days ? [] : [`${days} ⁄ ${period_days}\u00a0days`])].join(" × ");
}

/** Takes off what is not zero: ` − 10.00 charged before`. */
const less = (inputs: Inputs, taken: Readonly<Record<string, string>>, amount: (minor: number) => string): string =>
	Object.entries(taken)
		.filter(([name]) => figure(inputs, name) !== 0)
		.map(([name, words]) => ` − ${amount(figure(inputs, name))} ${words}`)
		.join("");

const CAPPED = { over_cap: "over what may be charged" };

/** `isOnly`: the installment that the line is of is its loan's only one. */
export function explainLine(line: Line, currency: string, isOnly = false): ExplainedLine {
	const { inputs, rule, component } = line;
	const amount = (minor: number) => money(minor, currency);
	const taken = `− ${amount(-line.amount)}`;
	switch (rule) {
		case "PRINCIPAL_NOT_DUE":
			return {
				what: `Borrowed and not yet due; the last part is due ${date(inputs, "final_due_date")}`,
				sum: `${amount(figure(inputs, "drawn"))} drawn${less(inputs, { due: "fallen due", paid_ahead: "paid ahead" }, amount)}`,
			};
		case "PRINCIPAL_DUE":
			return {
				what: `Principal that was due ${date(inputs, "due_date")}`,
				sum: `${amount(figure(inputs, "principal"))} due${less(inputs, { paid: "paid", waived: "waived" }, amount)}`,
				...noteOnPrincipal(inputs, amount, isOnly),
			};
		case "ACCESS_FEE":
			return {
				what: `Fee on what was drawn ${date(inputs, "date")}`,
				sum: `${amount(figure(inputs, "drawn"))} × ${basisPoints(figure(inputs, "fee_basis_points"))}`,
			};
		case "INTEREST_EARNED": {
			const taken = { charged_before: "charged before", carried_over: "charged to a later installment", ...CAPPED };
			const days = figure(inputs, "days");
			return {
				what: `Interest of ${days === 1 ? "one day" : `${days} days`}, ${stretch(String(inputs.from), String(inputs.to))}`,
				sum: interestSum(inputs, amount) + less(inputs, taken, amount),
			};
		}
		case "PENALTY_CHARGED": {
			const number = figure(inputs, "number");
			return {
				what: `Penalty of ${date(inputs, "date")}${number > 1 ? `, the ${number}${ordinal(number)}` : ""}`,
				sum: `${amount(figure(inputs, "base"))} × ${basisPoints(figure(inputs, "rate_basis_points"))}${less(inputs, CAPPED, amount)}`,
			};
		}
		case "REFUNDED":
			return { what: `Refunded ${date(inputs, "date")} of a payment that was undone later`, sum: `${amount(line.amount)} refunded` };
		case "PAID":
			return { what: `Paid ${date(inputs, "date")}, of ${PARTS[component]}`, sum: `${taken} paid` };
		case "WAIVED":
			return { what: `Waived ${date(inputs, "date")}, of ${PARTS[component]}`, sum: `${taken} waived` };
	}
}

/** How the principal of an installment came about. */
function noteOnPrincipal(inputs: Inputs, amount: (minor: number) => string, isOnly: boolean): Pick<ExplainedLine, "note"> {
	const [level, interest, principal] = ["level_amount", "interest", "principal"].map((name) => figure(inputs, name)) as [
		number,
		number,
		number,
	];
	if (inputs.takes_rest === true && !isOnly) return { note: "The last installment takes what the others leave" };
	if (level - interest !== principal) return {};
	return { note: `Due: ${amount(level)} installment − ${amount(interest)} interest` };
}

const ordinal = (count: number): string => {
	if (count % 100 > 10 && count % 100 < 14) return "th";
	return ["th", "st", "nd", "rd"][count % 10] ?? "th";
};

/** Whether the line is of what should have been paid before this day. */
export const isOverdue = ({ component, rule, inputs }: Line, on: string): boolean =>
	component === "ARREARS" || component === "PENALTY" || (rule === "PRINCIPAL_DUE" && String(inputs.due_date) < on);
