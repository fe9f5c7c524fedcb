// What D1 refuses, and in which words: the service recognizes by them why a commit was refused. Runs in workerd, and in Node over what
// stands there for D1.

import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const database = env.SECOND_DB;
const run = (sql: string, ...params: unknown[]) =>
	database
		.prepare(sql)
		.bind(...params)
		.run();

beforeEach(async () => {
	await database.batch(
		[
			"create table parents (id text primary key, amount integer check (amount > 0), name text not null default 'x', place text, unique (name, place), constraint known_place check (place <> 'nowhere'))",
			"create table children (id integer primary key, parent text references parents (id))",
			"create table strict_ones (amount integer) strict",
			"create trigger no_changes before update on parents begin select raise(abort, 'parents never change'); end",
			"insert into parents (id, amount, name, place) values ('a', 1, 'anna', 'here')",
		].map((sql) => database.prepare(sql)),
	);
});

afterEach(async () => {
	await database.batch(["children", "parents", "strict_ones"].map((table) => database.prepare(`drop table ${table}`)));
});

describe("a constraint refuses with", () => {
	it.each([
		["the columns of a primary key", "insert into parents (id) values ('a')", "UNIQUE constraint failed: parents.id", "PRIMARYKEY"],
		["the columns of a rowid", "insert into children (id) values (1), (1)", "UNIQUE constraint failed: children.id", "PRIMARYKEY"],
		[
			"the columns of a UNIQUE index",
			"insert into parents (id, name, place) values ('b', 'anna', 'here')",
			"UNIQUE constraint failed: parents.name, parents.place",
			"UNIQUE",
		],
		["the text of a CHECK", "insert into parents (id, amount) values ('b', 0)", "CHECK constraint failed: amount > 0", "CHECK"],
		["the name of a CHECK", "insert into parents (id, place) values ('b', 'nowhere')", "CHECK constraint failed: known_place", "CHECK"],
		[
			"the column that must not be null",
			"insert into parents (id, name) values ('b', null)",
			"NOT NULL constraint failed: parents.name",
			"NOTNULL",
		],
		["no name of a foreign key", "insert into children (parent) values ('nobody')", "FOREIGN KEY constraint failed", "FOREIGNKEY"],
		["the words of a trigger", "update parents set amount = 2", "parents never change", "TRIGGER"],
		[
			"the type of a strict column",
			"insert into strict_ones values ('x')",
			"cannot store TEXT value in INTEGER column strict_ones.amount",
			"DATATYPE",
		],
	])("%s", async (_, sql, words, kind) => {
		const error = await run(sql).catch((thrown: Error) => thrown);
		const told = `${words}: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_${kind})`;
		expect(error).toBeInstanceOf(Error);
		expect(error).toMatchObject({ message: `D1_ERROR: ${told}`, cause: { message: told } });
	});
});

describe("a statement is refused with", () => {
	it.each([
		[
			"the table that is missing",
			"select * from nowhere",
			/^D1_ERROR: no such table: nowhere(: SQLITE_ERROR| at offset \d+: SQLITE_ERROR)$/,
		],
		["the column that is missing", "select nil from parents", /^D1_ERROR: no such column: nil( at offset \d+)?: SQLITE_ERROR$/],
		["the column that an insert lacks", "insert into parents (nil) values (1)", /^D1_ERROR: table parents has no column named nil/],
		["where its syntax is wrong", "selec 1", /^D1_ERROR: near "selec": syntax error( at offset 0)?: SQLITE_ERROR$/],
		["what is no JSON", "select json('{')", /^D1_ERROR: malformed JSON: SQLITE_ERROR$/],
		[
			"a path that is none, in its own words",
			"select json_extract('{}', 'my reason')",
			/^D1_ERROR: bad JSON path: 'my reason': SQLITE_ERROR$/,
		],
		["a type that does not fit", "insert into children (id) values ('one')", /^D1_ERROR: datatype mismatch: SQLITE_MISMATCH$/],
		["nothing in it", "", /^D1_ERROR: No SQL statements detected\.$/],
		["only a comment in it", "-- nothing", /^D1_ERROR: SQL code did not contain a statement\.$/],
		["a transaction of its own", "begin", /^D1_ERROR: To execute a transaction, please use/],
		["a savepoint of its own", "savepoint mine", /^D1_ERROR: To execute a transaction, please use/],
		["a pragma that is not allowed", "pragma journal_mode", /^D1_ERROR: not authorized: SQLITE_AUTH$/],
		["another database", "attach ':memory:' as other", /^D1_ERROR: not authorized: SQLITE_AUTH$/],
		["a temporary table", "create temp table mine (id)", /^D1_ERROR: not authorized: SQLITE_AUTH$/],
		["a clean-up", "vacuum", /^D1_ERROR: cannot VACUUM from within a transaction: SQLITE_ERROR$/],
		["too few values", "select ?, ?", /^D1_ERROR: Wrong number of parameter bindings for SQL query\.$/],
	])("%s", async (_, sql, words) => {
		await expect(database.prepare(sql).all()).rejects.toThrow(words);
	});

	it("too many values, and with a value too few", async () => {
		for (const values of [[], [1], [1, 2, 3]])
			await expect(
				database
					.prepare("select ? + ?2")
					.bind(...values)
					.all(),
			).rejects.toThrow("D1_ERROR: Wrong number of parameter bindings for SQL query.");
		expect(await database.prepare("select ?1 + ?1 as sum, '?' as text -- ?").bind(2).first()).toEqual({ sum: 4, text: "?" });
	});
});

describe("a batch", () => {
	it("writes all of its statements, and each sees those before it", async () => {
		const results = await database.batch([
			database.prepare("insert into children (id) values (7)"),
			database.prepare("select count(*) as n from children"),
			database.prepare("delete from children"),
			database.prepare("select count(*) as n from children"),
		]);
		expect(results.map(({ results }) => results)).toEqual([[], [{ n: 1 }], [], [{ n: 0 }]]);
	});

	it("writes nothing where one of its statements is refused, whether before it or behind it", async () => {
		const good = database.prepare("insert into children (id) values (7)");
		for (const bad of ["insert into parents (id) values ('a')", "select json('{')", "select * from nowhere"]) {
			await expect(database.batch([good, database.prepare(bad)])).rejects.toThrow(/^D1_ERROR: /);
			await expect(database.batch([database.prepare(bad), good])).rejects.toThrow(/^D1_ERROR: /);
		}
		expect(await database.prepare("select count(*) as n from children").first("n")).toBe(0);
	});

	it("of one statement writes all of its rows or none", async () => {
		const rows = database.prepare("insert into children (id) values (8), (9), (8)");
		await expect(database.batch([rows])).rejects.toThrow("UNIQUE constraint failed");
		await expect(rows.run()).rejects.toThrow("UNIQUE constraint failed");
		expect(await database.prepare("select count(*) as n from children").first("n")).toBe(0);
	});

	it("defers foreign keys to its own end, and not to that of the next one", async () => {
		const [defers, orphan, parent] = [
			"pragma defer_foreign_keys = on",
			"insert into children (parent) values ('late')",
			"insert into parents (id) values ('late')",
		].map((sql) => database.prepare(sql)) as [D1PreparedStatement, D1PreparedStatement, D1PreparedStatement];
		for (const before of [[defers], [defers, database.prepare("select 1")]]) {
			await database.batch(before);
			await expect(database.batch([orphan, parent])).rejects.toThrow("FOREIGN KEY constraint failed");
		}
		await database.batch([defers, orphan, parent]);
		expect(await database.prepare("select parent from children").first("parent")).toBe("late");
	});

	it("is refused without a statement", async () => {
		await expect(database.batch([])).rejects.toThrow("D1_ERROR: No SQL statements detected.");
	});

	it("takes its turn: what is sent at once runs one after the other", async () => {
		const add = "insert into children (id) select coalesce(max(id), 0) + 1 from children";
		await Promise.all(Array.from({ length: 8 }, () => database.batch([database.prepare(add), database.prepare(add)])));
		expect(await database.prepare("select count(*) as n, max(id) as last from children").first()).toEqual({ n: 16, last: 16 });
	});
});

describe("exec", () => {
	it("runs a statement a line, or several of a line, and counts the lines", async () => {
		expect(
			await database.exec(
				"insert into children (id) values (1)\ninsert into children (id) values (2);insert into children (id) values (3)",
			),
		).toMatchObject({
			count: 2,
		});
		expect(await database.prepare("select count(*) as n from children").first("n")).toBe(3);
	});

	it("names the line that it stops at, and keeps what the lines before it wrote", async () => {
		const lines = ["insert into children (id) values (1)", "insert into children (id) values (1)"];
		await expect(database.exec(lines[0] as string)).resolves.toMatchObject({ count: 1 });
		await expect(database.exec(lines[1] as string)).rejects.toThrow(
			/^D1_EXEC_ERROR: Error in line 1: insert into children .*UNIQUE constraint failed/,
		);
		await expect(database.exec("insert into children (id)\nvalues (4)")).rejects.toThrow(
			/^D1_EXEC_ERROR: Error in line 1: .*incomplete input/,
		);
		expect(await database.prepare("select count(*) as n from children").first("n")).toBe(1);
	});
});
