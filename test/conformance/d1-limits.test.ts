// How much D1 takes. Runs in workerd, and in Node over what stands there for D1.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

const database = env.SECOND_DB;
const rows = async (sql: string, ...params: unknown[]) =>
	(
		await database
			.prepare(sql)
			.bind(...params)
			.all()
	).results;
const times = (count: number, text: string | ((index: number) => string), between = ", ") =>
	Array.from({ length: count }, (_, index) => (typeof text === "string" ? text : text(index))).join(between);

describe("D1 takes", () => {
	it("a hundred values for a statement", async () => {
		const ones = (count: number) => Array(count).fill(1);
		expect(await rows(`select 1 where 1 in (${times(100, "?")})`, ...ones(100))).toHaveLength(1);
		await expect(rows(`select 1 where 1 in (${times(101, "?")})`, ...ones(101))).rejects.toThrow(/^D1_ERROR: too many SQL variables/);
		await expect(rows("select ?101", ...ones(101))).rejects.toThrow(/^D1_ERROR: variable number must be between \?1 and \?100/);
	});

	it("a hundred columns of a result, and of a table", async () => {
		const select = (count: number) => `select ${times(count, (index) => `1 as c${index}`)}`;
		expect(await rows(select(100))).toHaveLength(1);
		await expect(rows(select(101))).rejects.toThrow("D1_ERROR: too many columns in result set: SQLITE_ERROR");
		await expect(rows(`create table wide (${times(101, (index) => `c${index}`)})`)).rejects.toThrow(
			"D1_ERROR: too many columns on wide: SQLITE_ERROR",
		);
	});

	it("a statement of 100,000 bytes", async () => {
		const statement = (bytes: number) => `select '${"x".repeat(bytes - "select ''".length)}'`;
		expect(await rows(statement(100_000))).toHaveLength(1);
		await expect(rows(statement(100_001))).rejects.toThrow("D1_ERROR: statement too long: SQLITE_TOOBIG");
	});

	it("five selects in one, and more rows of values", async () => {
		const union = (count: number) => times(count, "select 1 as one", " union all ");
		expect(await rows(union(5))).toHaveLength(5);
		await expect(rows(union(6))).rejects.toThrow("D1_ERROR: too many terms in compound SELECT: SQLITE_ERROR");
		expect(await rows(`values ${times(600, "(1)")}`)).toHaveLength(600);
	});

	it("expressions a hundred deep", async () => {
		expect(await rows(`select ${times(99, "1", " + ")}`)).toHaveLength(1);
		await expect(rows(`select ${times(102, "1", " + ")}`)).rejects.toThrow(
			"D1_ERROR: Expression tree is too large (maximum depth 100): SQLITE_ERROR",
		);
	});

	it("patterns of fifty bytes", async () => {
		const like = (bytes: number, operator: string) => `select 'x' ${operator} '${"x".repeat(bytes)}'`;
		expect(await rows(like(50, "like"))).toHaveLength(1);
		for (const operator of ["like", "glob"])
			await expect(rows(like(51, operator))).rejects.toThrow("D1_ERROR: LIKE or GLOB pattern too complex: SQLITE_ERROR");
	});

	it("a value of two megabytes", async () => {
		expect(await rows("select length(?) as length", "x".repeat(2_000_000))).toEqual([{ length: 2_000_000 }]);
	});

	it("what it knows of a table and its indexes, by the pragmas that it allows", async () => {
		expect(await rows("pragma table_info(names)")).toContainEqual(expect.objectContaining({ name: "kind" }));
		expect(await rows("pragma foreign_keys")).toEqual([{ foreign_keys: 1 }]);
	});
});
