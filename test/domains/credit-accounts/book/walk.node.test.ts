// Every table of docs/lending.md is what the book says of the facts that the page lists. `UPDATE_DOCS=1` rewrites them.

import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { balanceOf } from "../../../../src/domains/credit-accounts/book/balance.policy";
import { replay } from "../../../../src/domains/credit-accounts/book/book.policy";
import { render, type Walk } from "./walk";

const PAGE = "docs/lending.md";
const TABLE = /<!-- (?<caption>[^>]+) -->\n\n(?<table>(?:\|.*\n)*)/g;

const page = readFileSync(PAGE, "utf8");
const walk: Walk = JSON.parse(/```json\n(?<facts>[\s\S]+?)```/.exec(page)?.groups?.facts ?? "");
const withTables = page.replaceAll(TABLE, (_, caption: string) => `<!-- ${caption} -->\n\n${render(walk, caption)}\n`);

if (process.env.UPDATE_DOCS) writeFileSync(PAGE, withTables);

it("the walk shows the tables that the book computes from the page's own facts", () => {
	expect([...page.matchAll(TABLE)].length).toBeGreaterThan(8);
	expect(process.env.UPDATE_DOCS ? withTables : page).toBe(withTables);
});

it("the walk names only amounts that are in its tables or facts", () => {
	const amountsIn = (text: string) =>
		(text.match(/\b\d{1,3}(?:,\d{3})+\b|(?<![-\d])\b\d{3}\b(?![-\d])/g) ?? []).map((amount) => amount.replace(",", ""));
	const shown = new Set([
		...amountsIn([...page.matchAll(TABLE)].map(([table]) => table).join("")),
		...walk.facts.map(({ amount }) => `${amount}`),
	]);
	// The sections after the rules are about other books.
	const [loan = ""] = page.split("## The rules, in short");
	const text = loan.replaceAll(TABLE, "").replace(/```json[\s\S]+?```/, "");
	expect(amountsIn(text).length).toBeGreaterThan(10);
	expect(amountsIn(text).filter((amount) => !shown.has(amount))).toEqual([]);
});

it("the walk ends with nothing owed and nothing left over", () => {
	const last = walk.facts.at(-1)?.postedOn ?? "";
	expect(balanceOf(replay(walk, last))).toMatchObject({ totalOutstanding: 0n, overpaid: 0n });
});
