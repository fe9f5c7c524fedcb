// Lists as tables: what is an amount in them, and that no cell becomes a formula.

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { headOf } from "../../src/console/pages/lending/csv-head.ts";
import { csvOf, isAmount } from "../../src/console/pages/rows.ts";

it("the head of a bank's file names its columns, below what the bank writes about the account", () => {
	const bank = [
		"Account;0123456789",
		"From;01.03.2026",
		"",
		'"Value Date";"Narrative";"Debit";"Credit";"Balance"',
		"02.03.2026;Fee;12,50;;987,50",
	];
	expect(headOf(bank.join("\r\n"))).toEqual({
		separator: "SEMICOLON",
		names: ["Value Date", "Narrative", "Debit", "Credit", "Balance"],
		guessed: { time: "Value Date", paid_in: "Credit", withdrawn: "Debit", details: "Narrative", balance: "Balance" },
	});
	expect(headOf("Date,Amount,Ref\n2026-03-02,-12.50,A1")).toMatchObject({
		separator: "COMMA",
		guessed: { amount: "Amount", receipt: "Ref" },
	});
	expect(headOf("")).toMatchObject({ names: [], guessed: {} });
});

type Schema = {
	$ref?: string;
	type?: string | string[];
	format?: string;
	properties?: Record<string, Schema>;
	items?: Schema;
	allOf?: Schema[];
	oneOf?: Schema[];
	anyOf?: Schema[];
};
type Operation = { operationId?: string; responses?: Record<string, { content?: Record<string, { schema?: Schema }> }> };
const document = JSON.parse(readFileSync(path.resolve(import.meta.dirname, "../../docs/openapi.json"), "utf8")) as {
	paths: Record<string, Record<string, Operation>>;
	components: { schemas: Record<string, Schema> };
};

const resolved = (schema: Schema | undefined): Schema | undefined =>
	schema?.$ref ? resolved(document.components.schemas[schema.$ref.split("/").at(-1) ?? ""]) : schema;

/** The whole numbers of rows that have a currency, by their names, and whether they are wide enough for money. */
function numbersIn(
	schema: Schema | undefined,
	names: readonly string[] = [],
	hasCurrency = false,
	above: readonly Schema[] = [],
): [string, boolean][] {
	const found = resolved(schema);
	if (!found || above.includes(found)) return [];
	const within = [...above, found];
	const has = hasCurrency || "currency" in (found.properties ?? {});
	const own: [string, boolean][] = [found.type].flat().includes("integer") && has ? [[names.join("."), found.format === "int64"]] : [];
	return [
		...own,
		...[found.allOf, found.oneOf, found.anyOf].flatMap((some) => (some ?? []).flatMap((one) => numbersIn(one, names, has, within))),
		...Object.entries(found.properties ?? {}).flatMap(([name, member]) => numbersIn(member, [...names, name], has, within)),
	];
}

/** Numbers of messages, accounts and lines: as wide as money, and none. */
const COUNTED = ["accounts", "delivered", "failed", "line", "sent"];

it("every amount of every list is written in the currency's own unit, and nothing else is", () => {
	const lists = Object.values(document.paths).flatMap(({ get }) => {
		const answer = resolved(get?.responses?.["200"]?.content?.["application/json"]?.schema);
		const rows = resolved(answer?.properties?.data ?? answer?.properties?.entries);
		return rows?.items ? [{ rows: rows.items, hasCurrency: "currency" in (answer?.properties ?? {}) }] : [];
	});
	expect(lists.length).toBeGreaterThan(30);
	const numbers = lists.flatMap(({ rows, hasCurrency }) => numbersIn(rows, [], hasCurrency));
	expect(numbers.length).toBeGreaterThan(80);
	const wrong = numbers.filter(([name, isWide]) => isAmount(name) !== (isWide && !COUNTED.includes(name.split(".").at(-1) ?? "")));
	expect(wrong).toEqual([]);
});

it("a list becomes lines of cells: amounts in three decimals or none, lists, objects, and texts that are no formula", () => {
	const rows = [
		{ id: "a", amount: { value: 125_050, currency: "KES" }, names: ["x", "y"], days_past_due: 3, currency: "BHD", principal: -1_500 },
		{ id: "=1+1", amount: { value: 5, currency: "UGX" }, names: [], note: 'Say "hi", please' },
	];
	expect(csvOf(rows).split("\r\n")).toEqual([
		"id,amount.value,amount.currency,names,days_past_due,currency,principal,note",
		'a,1250.50,KES,"x; y",3,BHD,-1.500,',
		`'=1+1,5,UGX,,,,,"Say ""hi"", please"`,
		"",
	]);
	expect(csvOf([{ principal: 150 }], "KES")).toBe("principal\r\n1.50\r\n");
});
