// The sums by which the console explains what is owed: a reader who does them with a pencil gets the amounts.

import { describe, expect, it } from "vitest";
import { explainLine } from "../../src/console/pages/lending/explanation.ts";
import { rateText } from "../../src/console/pages/lending/rate.ts";
import type { Explanation } from "../../src/console/typed.ts";
import { replay } from "../../src/domains/credit-accounts/book/book.policy";
import { EXPLAIN_RULES, explain } from "../../src/domains/credit-accounts/book/explain.policy";
import { divideHalfEven } from "../../src/shared/money";
import { forBooks } from "../domains/credit-accounts/book/random-books";

type Line = Explanation["lines"][number];

/** What the pencil finds: products of amounts, percentages and fractions, rounded to the nearest cent, less the amounts taken off. */
function calculated(sum: string): bigint {
	const [first = "", ...taken] = sum.replace(/^− /, "0.00 − ").split(" − ");
	return taken.reduce((left, text) => left - product(text), product(first));
}

function product(text: string): bigint {
	let [top, bottom] = [1n, 1n];
	for (const factor of text.split(" × ")) {
		const [, whole = "", places = "", unit = ""] = /^([\d,]+)(?:\.(\d+))?(.*)$/.exec(factor) ?? [];
		top *= BigInt(whole.replaceAll(",", "") + places);
		bottom *= 10n ** BigInt(places.length);
		if (/^\s%/.test(unit)) bottom *= 100n;
		const [, over] = /^ ⁄ (\d+)/.exec(unit) ?? [];
		if (over) bottom *= BigInt(over);
	}
	return divideHalfEven(top * 100n, bottom);
}

const onTheWire = (value: unknown) => (typeof value === "bigint" ? Number(value) : value);

describe("a line of what is owed", () => {
	it("has a sum that gives its amount, for every rule", () => {
		const rules = new Set<string>();
		const notes = new Set<string>();
		forBooks(({ book, through }) => {
			for (const { component, rule, amount, inputs } of explain(replay(book, through))) {
				const told = explainLine(
					{
						component,
						rule,
						amount: Number(amount),
						inputs: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, onTheWire(value)])) as Line["inputs"],
						installment_id: null,
						transaction_id: null,
					},
					"KES",
				);
				expect([told.sum, calculated(told.sum)]).toEqual([told.sum, amount]);
				expect(told.what).toMatch(/^[A-Z].*\b\d{1,2} [A-Z][a-z]{2,3} \d{4}/);
				expect(told.what + told.sum + (told.note ?? "")).not.toMatch(/NaN|undefined|Invalid/);
				rules.add(rule);
				if (told.note) notes.add(told.note.replaceAll(/[\d,.]+/g, "0"));
			}
		});
		expect([...rules].sort()).toEqual([...EXPLAIN_RULES].sort());
		expect([...notes].sort()).toEqual(["Due: 0 installment − 0 interest", "The last installment takes what the others leave"]);
	});

	it("says that an installment takes the rest only where there are other installments", () => {
		const inputs = { due_date: "2027-02-20", principal: 10_000, level_amount: 10_500, interest: 500, takes_rest: true };
		const line = {
			component: "PRINCIPAL",
			rule: "PRINCIPAL_DUE",
			amount: 10_000,
			inputs,
			installment_id: null,
			transaction_id: null,
		} as const;
		expect(explainLine(line, "KES").note).toBe("The last installment takes what the others leave");
		expect(explainLine(line, "KES", true).note).toBe("Due: 105.00 installment − 5.00 interest");
		expect(explainLine({ ...line, inputs: { ...inputs, interest: 400 } }, "KES", true).note).toBeUndefined();
	});

	it("says it as the account's page does", () => {
		const line = { component: "INTEREST", installment_id: null, transaction_id: null } as const;
		const inputs = { from: "2027-02-20", to: "2027-03-06", days: 14, balance: 6_218_446, rate: "1/40", period_days: 30 };
		expect(explainLine({ ...line, rule: "INTEREST_EARNED", amount: 72_549, inputs }, "KES")).toEqual({
			what: "Interest of 14 days, 20 Feb to 6 Mar 2027",
			sum: "62,184.46 × 2.5\u00a0% × 14 ⁄ 30\u00a0days",
		});
		const notDue = { drawn: 12_000_000, due: 5_781_554, paid_ahead: 0, final_due_date: "2027-05-21" };
		expect(explainLine({ ...line, component: "PRINCIPAL", rule: "PRINCIPAL_NOT_DUE", amount: 6_218_446, inputs: notDue }, "KES")).toEqual({
			what: "Borrowed and not yet due; the last part is due 21 May 2027",
			sum: "120,000.00 drawn − 57,815.54 fallen due",
		});
		expect([rateText(1n, 40n), rateText(7n, 365n), rateText(1n, 2_000_000n), rateText(3n, 2n)]).toEqual([
			"2.5\u00a0%",
			"7 ⁄ 365",
			"0.00005\u00a0%",
			"150\u00a0%",
		]);
	});
});
