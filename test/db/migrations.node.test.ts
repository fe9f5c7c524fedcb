import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changesOfReleased, differences, writeMigration } from "../../src/dev/schema.ts";
import recorded from "./released-migrations.json" with { type: "json" };

const repository = path.resolve(import.meta.dirname, "../..");

describe("the migrations", { timeout: 90_000 }, () => {
	let checkout: string;
	beforeAll(() => {
		checkout = mkdtempSync(path.join(os.tmpdir(), "checkout-"));
		for (const name of ["src", "migrations", "package.json", "drizzle.config.json", "tsconfig.json"])
			cpSync(path.join(repository, name), path.join(checkout, name), { recursive: true });
		symlinkSync(path.join(repository, "node_modules"), path.join(checkout, "node_modules"));
	});
	afterAll(() => rmSync(checkout, { recursive: true, force: true }));

	it("create exactly the tables of the table files", () => {
		expect(differences(repository)).toEqual([]);
	});

	it("differ when a table file at any depth has a table or a column that no migration makes, until they are generated again", () => {
		const deep = path.join(checkout, "src/domains/made-up/one/two/three");
		mkdirSync(deep, { recursive: true });
		const table = (columns: string) =>
			writeFileSync(
				path.join(deep, "table.ts"),
				`import { sqliteTable, text } from "drizzle-orm/sqlite-core";\nexport const madeUp = sqliteTable("made_up", { ${columns} });\n`,
			);
		table("id: text().primaryKey()");
		expect(differences(checkout)).toEqual(["table made_up is in no migration"]);
		writeMigration(checkout, undefined);
		expect(readdirSync(path.join(checkout, "migrations")).sort()).toEqual(["0000_init.sql", "meta"]);

		table("id: text().primaryKey(), addedLater: text()");
		expect(differences(checkout)).toEqual(["table made_up differs from the migrations"]);
		rmSync(deep, { recursive: true });
		expect(differences(checkout)).toEqual(["table made_up is in the migrations, but in no table file"]);
		writeMigration(checkout, undefined);
		expect(differences(checkout)).toEqual([]);
	});

	it("contain the triggers beside the tables", () => {
		const file = path.join(checkout, "src/db/made-up.triggers.sql");
		const trigger = "CREATE TRIGGER `made_up` BEFORE DELETE ON `users` BEGIN SELECT RAISE(ABORT, 'kept'); END;";
		writeFileSync(file, `-- Comments stay behind.\n\n${trigger}\n`);
		expect(differences(checkout)).toEqual([`in no migration: ${trigger}`]);
		writeMigration(checkout, undefined);
		expect(readFileSync(path.join(checkout, "migrations/0000_init.sql"), "utf8").split("\n")).toContain(trigger);
		expect(differences(checkout)).toEqual([]);
		rmSync(file);
		expect(differences(checkout)).toEqual([`in no .triggers.sql: ${trigger}`]);
		writeMigration(checkout, undefined);
		expect(differences(checkout)).toEqual([]);
	});

	it("are refused when one is edited by hand", () => {
		const file = path.join(checkout, "migrations/0000_init.sql");
		const before = readFileSync(file, "utf8");
		writeFileSync(file, before.replace("`fingerprint` text NOT NULL", "`fingerprint` text"));
		expect(differences(checkout)).toEqual([
			"the last migration does not write the hash of the migrations",
			"src/db/schema-hash.ts is not the hash of the migrations",
		]);
		writeFileSync(file, before);
	});

	it("are only added from release 1.0.0 on", () => {
		const packageFile = path.join(checkout, "package.json");
		const before = readFileSync(packageFile, "utf8");
		writeFileSync(packageFile, before.replace(/"version": ".*?"/, '"version": "1.2.0"'));
		const first = readFileSync(path.join(checkout, "migrations/0000_init.sql"), "utf8");
		writeFileSync(
			path.join(checkout, "src/db/made-up.table.ts"),
			'import { sqliteTable, text } from "drizzle-orm/sqlite-core";\nexport const madeUp = sqliteTable("made_up", { id: text().primaryKey() });\n',
		);
		expect(() => writeMigration(checkout, undefined)).toThrow("Name the migration");
		writeMigration(checkout, "made_up");
		expect(readdirSync(path.join(checkout, "migrations")).sort()).toEqual(["0000_init.sql", "0001_made_up.sql", "meta"]);
		expect(readFileSync(path.join(checkout, "migrations/0000_init.sql"), "utf8")).toBe(first);
		expect(differences(checkout)).toEqual([]);
	});

	it("of a release are unchanged and recorded", () => {
		const { version } = JSON.parse(readFileSync(path.join(repository, "package.json"), "utf8"));
		const directory = path.join(repository, "migrations");
		const names = readdirSync(directory).filter((name) => name.endsWith(".sql"));
		const files = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(directory, name), "utf8")]));
		expect(changesOfReleased(version, files, recorded)).toEqual([]);
	});

	it("of a release may not be changed, removed or left out of the record", () => {
		const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
		const record = { "0000_init.sql": sha256("a"), "0001_more.sql": sha256("b") };
		const files = { "0000_init.sql": "a", "0001_more.sql": "b" };
		expect(changesOfReleased("1.0.0", files, record)).toEqual([]);
		expect(changesOfReleased("1.0.0", { ...files, "0000_init.sql": "c" }, record)).toEqual(["0000_init.sql was changed"]);
		expect(changesOfReleased("2.1.0", { "0000_init.sql": "a" }, record)).toEqual(["0001_more.sql was removed"]);
		expect(changesOfReleased("1.0.0", { ...files, "0002_new.sql": "d" }, record)).toEqual(["0002_new.sql is not recorded"]);
		expect(changesOfReleased("0.9.0", { "0000_init.sql": "anything" }, record)).toEqual([]);
	});
});
