// Lists as CSV and NDJSON: which of them an `Accept` header asks for, and that no cell can break out of its place or run as a formula.

import { describe, expect, it } from "vitest";
import * as z from "zod";
import { PRINTED_TYPE, preferred, TABULAR_TYPES, tableOf } from "../../../src/http/answers/tables";

const Row = z.object({
	id: z.string(),
	note: z.string().nullable(),
	amount: z.int(),
	parts: z.object({ paid: z.int(), owed: z.int() }),
	over: z.array(z.object({ days: z.int() })).length(2),
});
const schema = z.object({ data: z.array(Row), links: z.object({}) });
const bodyOf = (...data: z.output<typeof Row>[]) => JSON.stringify({ data, links: {} });
const row = { id: "a", note: null, amount: -5, parts: { paid: 1, owed: 2 }, over: [{ days: 0 }, { days: 30 }] };

describe("the type of a table or a file", () => {
	it.each([
		[undefined, undefined],
		["*/*", undefined],
		["application/json, text/csv;q=0.5", undefined],
		["text/csv", "text/csv"],
		["text/csv, application/json;q=0.9", "text/csv"],
		["Application/X-NDJSON, */*;q=0.1", "application/x-ndjson"],
		["text/csv, */*", "text/csv"],
		["text/csv, application/json", undefined],
		["text/csv;q=0.5, application/json;q=0.5, */*", undefined],
		["text/csv;q=0", undefined],
		["text/csv;q=0.2, application/x-ndjson;q=0.8", "application/x-ndjson"],
		["image/png", undefined],
		["application/pdf", "application/pdf"],
		["application/pdf;q=0.4, text/csv", "text/csv"],
		["application/pdf, application/json", undefined],
	])("of %s is %s", (accept, type) => expect(preferred(accept, [...TABULAR_TYPES, PRINTED_TYPE])).toBe(type));
});

describe("CSV", () => {
	it("has a column for each value, also without rows", () => {
		const head = "id,note,amount,parts.paid,parts.owed,over.0.days,over.1.days\r\n";
		expect(tableOf("text/csv", schema, bodyOf())).toBe(head);
		expect(tableOf("text/csv", schema, bodyOf(row))).toBe(`${head}a,,-5,1,2,0,30\r\n`);
	});

	it("may have a form of its own, which NDJSON has not", () => {
		const countOf = (rows: readonly unknown[]) => `${rows.length} of them\r\n`;
		expect(tableOf("text/csv", schema, bodyOf(row, row), countOf)).toBe("2 of them\r\n");
		expect(tableOf("application/x-ndjson", schema, bodyOf(row), countOf)).toBe(`${JSON.stringify(row)}\n`);
	});

	it.each([
		["=1+1", "'=1+1"],
		["+1", "'+1"],
		["-1", "'-1"],
		["@a", "'@a"],
		["\ta", `"'\ta"`],
		['say "no"', '"say ""no"""'],
		["a,b", '"a,b"'],
		["two\r\nlines", '"two\r\nlines"'],
		['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
		["it's", "it's"],
		// Where semicolons part cells, the quotes keep it whole.
		["x;=1+1", '"x;=1+1"'],
		["\uff1d1+1", "'\uff1d1+1"],
		["\uff0b1", "'\uff0b1"],
	])("writes %j as %j", (note, cell) => {
		expect(tableOf("text/csv", schema, bodyOf({ ...row, note }))).toContain(`a,${cell},-5,`);
	});
});

it("a table writes a row of NDJSON as it is in the list", () => {
	const lines = tableOf("application/x-ndjson", schema, bodyOf(row, { ...row, id: "b" })).split("\n");
	expect(lines.slice(0, 2).map((line) => JSON.parse(line) as unknown)).toEqual([row, { ...row, id: "b" }]);
	expect(lines[2]).toBe("");
});
