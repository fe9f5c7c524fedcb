// The chart of accounts, as code posts to it, as triggers do, and as it is documented.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CHART_ACCOUNTS, normalSideOf } from "../../../src/domains/ledger/model/chart.policy";

it("the documented chart is the chart of the code", () => {
	const rows = CHART_ACCOUNTS.map(
		(account) =>
			`| ${account.number} | ${account.name} | ${account.class.toLowerCase()} | ${normalSideOf(account).toLowerCase()} | ${account.posts} |`,
	);
	const documented = readFileSync("docs/chart-of-accounts.md", "utf8")
		.split("\n")
		.filter((line) => /^\| \d/.test(line));
	expect(documented).toEqual(rows);
});

it("numbers ascend, and triggers post to accounts of the chart alone", () => {
	const numbers = CHART_ACCOUNTS.map(({ number }) => number);
	expect(numbers).toEqual([...new Set(numbers)].sort());
	const triggers = readFileSync("src/domains/ledger/model/journal.triggers.sql", "utf8");
	const posted = Array.from(triggers.matchAll(/'(\d{4})'/g), ([, number = ""]) => number);
	expect(posted.length).toBeGreaterThan(0);
	for (const number of posted) expect(numbers).toContain(number);
});
