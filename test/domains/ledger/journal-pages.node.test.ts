// The pages of journals: whole journals of at most 300 lines, over periods of any length; and the accounts that products have to themselves.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Position, Window } from "../../../src/db/keyset";
import { type DaySums, daysOf, journalsOf, pageOfJournals, periodOf } from "../../../src/domains/ledger/journals.plan";
import { CHART_ACCOUNTS } from "../../../src/domains/ledger/model/chart.policy";
import { isByProduct, mappingOn } from "../../../src/domains/ledger/model/mapping.policy";
import { addDays } from "../../../src/shared/time";

const FIRST = "2030-01-01";
/** The accounts that products have to themselves. */
const OWN = CHART_ACCOUNTS.map(({ number }) => number).filter(isByProduct);

/** Each day moves 10 accounts of each product by 1; no day of the second month moves anything. */
function rowsOf(days: number, products: number): DaySums[] {
	return Array.from({ length: days }, (_, index) => index).flatMap((index) =>
		Array.from({ length: products }, (_, product) => ({
			...{ organizationId: "x", day: addDays(FIRST, index), loanProductId: `p${product}`, currency: "KES", productName: null },
			balances: Object.fromEntries(
				OWN.slice(0, 10).map((account) => [account, Math.min(index + 1, 31) + Math.max(0, index - 58)] as const),
			),
		})),
	);
}

function walk(rows: readonly DaySums[], from: string, to: string, size = 31) {
	const period = periodOf({ first: FIRST, last: to }, from, to);
	if (!period) throw new Error("expected a period");
	const page = (window: Window) => {
		const read = daysOf(period, window);
		const found = rows.filter(({ day }) => day >= addDays(read.from, -1) && day <= read.to);
		return pageOfJournals(journalsOf(found, read.from), period, read, window);
	};
	const pages = [];
	for (let after: Position | null | undefined; after !== null; ) {
		const { rows: own, next } = page({ size, ...(after && { after }) });
		pages.push(own);
		after = next;
	}
	return { pages, page };
}

it("a page has whole journals of at most 300 lines, or a single longer journal", () => {
	expect(walk(rowsOf(31, 7), FIRST, "2030-01-31").pages.map(({ length }) => length)).toEqual([4, 4, 4, 4, 4, 4, 4, 3]);
	expect(walk(rowsOf(3, 40), FIRST, "2030-01-03").pages.map(([own, ...others]) => [own?.lines.length, others.length])).toEqual([
		[400, 0],
		[400, 0],
		[400, 0],
	]);
});

it("pages lead on over days that have moved nothing, and back", () => {
	const rows = rowsOf(100, 1);
	const { pages, page } = walk(rows, "2000-01-01", "2030-04-10", 20);
	const days = pages.flat().map(({ day }) => day);
	expect(days).toEqual([...new Set(days)].sort());
	expect(days).toHaveLength(31 + 41);
	const back: string[] = [];
	for (let before: Position | null = [Date.parse("2030-04-11"), ""]; before !== null; ) {
		const { rows: own, prev }: ReturnType<typeof page> = page({ size: 20, before });
		back.unshift(...own.map(({ day }) => day));
		before = prev;
	}
	expect(back).toEqual(days);
});

it("no trigger and no source without a product posts to an account that a product has to itself", () => {
	expect(OWN).toHaveLength(16);
	const triggers = readFileSync("src/domains/ledger/model/journal.triggers.sql", "utf8");
	expect(OWN.filter((number) => triggers.includes(`'${number}'`))).toEqual([]);
});

it("an account has its product's number, else that of all products, else the chart's; by the version of the day", () => {
	const version = (loanProductId: string, effectiveFrom: string, number: string, account = "1210") => ({
		...{ loanProductId, effectiveFrom, accounts: [{ account, number, name: null }] },
	});
	const versions = [
		version("", "2030-02-01", "7"),
		version("", "2030-01-02", "6"),
		version("a", "2030-01-10", "6a"),
		version("a", "2030-03-01", "x", "1220"),
	];
	const numberOn = (day: string, product = "") => mappingOn(versions, day)("1210", product)?.number;
	expect(["2030-01-01", "2030-01-02", "2030-01-31", "2030-02-01"].map((day) => numberOn(day))).toEqual(["1210", "6", "6", "7"]);
	expect(["2030-01-09", "2030-01-10", "2030-02-28", "2030-03-01"].map((day) => numberOn(day, "a"))).toEqual(["6", "6a", "6a", "7"]);
	expect(numberOn("2030-01-10", "b")).toBe("6");
	const firsts = [{ accounts: [{ account: "1210", number: "5", name: null }] }];
	expect(mappingOn(versions, "2030-01-01", firsts)("1210", "a")?.number).toBe("5");
	expect(mappingOn(versions, "2030-01-02", firsts)("1210", "a")?.number).toBe("6");
	expect(mappingOn(versions, "2030-01-10", firsts)("1110", "a")).toBeUndefined();
	expect(mappingOn(versions, "2030-01-10")("1110", "a")).toEqual({ account: "1110", number: "1110", name: "M-Pesa" });
});
