// That tables, triggers and migrations agree, that migrations are only added, and what the generator writes for a change of a table that
// holds rows. That is tried in a small checkout of two tables, because drizzle-kit reads every table each time.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { migrationNames } from "../../src/dev/migrations.ts";
import { differences, WITHOUT_ROWID, writeMigration } from "../../src/dev/schema.ts";

const repository = path.resolve(import.meta.dirname, "../..");
const versionsFile = "src/db/schema-versions.ts";

/** A table that is one of those WITHOUT ROWID, and another. */
const purges = "src/events/table.ts";
const PURGES = `import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
export const eventPurges = sqliteTable("event_purges", {
	organizationId: text().primaryKey(),
	sequence: integer().notNull().default(0),
	purgedTo: integer().notNull().default(0),
});
export const users = sqliteTable("users", { id: text().primaryKey(), fingerprint: text().notNull() });
`;
const kept = "src/events/kept.triggers.sql";
const KEPT = `CREATE TRIGGER \`users_same\` BEFORE UPDATE ON \`users\` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER \`users_there\` BEFORE DELETE ON \`users\` BEGIN SELECT RAISE(ABORT, 'append only'); END;
`;

describe("the migrations", { timeout: 120_000 }, () => {
	let checkout: string;
	const inCheckout = (name: string): string => path.join(checkout, name);
	const read = (name: string): string => readFileSync(inCheckout(name), "utf8");
	const write = (name: string, text: string): void => {
		mkdirSync(path.dirname(inCheckout(name)), { recursive: true });
		writeFileSync(inCheckout(name), text);
	};
	const scripts = (): string[] =>
		readdirSync(inCheckout("migrations"))
			.filter((name) => name.endsWith(".sql"))
			.sort();
	const table = (columns: string): void =>
		write(
			"src/domains/made-up/one/two/table.ts",
			`import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";\nexport const madeUp = sqliteTable("made_up", { ${columns} });\n`,
		);
	const triggers = (...lines: string[]): void =>
		write("src/domains/made-up/made-up.triggers.sql", `-- A comment.\n\n${lines.join("\n")}\n`);

	const released = 1;
	const numbered = (index: number, name: string): string => `${String(released + index).padStart(4, "0")}_${name}.sql`;

	beforeAll(() => {
		checkout = mkdtempSync(path.join(os.tmpdir(), "checkout-"));
		for (const name of ["src/dev", "src/db/schema-version.table.ts", "package.json", "drizzle.config.json", "tsconfig.json"])
			cpSync(path.join(repository, name), inCheckout(name), { recursive: true });
		symlinkSync(path.join(repository, "node_modules"), inCheckout("node_modules"));
		write(purges, PURGES);
		write(kept, KEPT);
		write(versionsFile, "");
		write("migrations/meta/_journal.json", JSON.stringify({ version: "7", dialect: "sqlite", entries: [] }));
		writeMigration(checkout, "init");
		cpSync(inCheckout("migrations"), inCheckout("released/migrations"), { recursive: true });
		cpSync(inCheckout(versionsFile), inCheckout(`released/${versionsFile}`));
	});
	beforeEach(() => {
		for (const name of ["migrations", "src/domains/made-up"]) rmSync(inCheckout(name), { recursive: true, force: true });
		cpSync(inCheckout("released"), checkout, { recursive: true });
	});
	afterAll(() => rmSync(checkout, { recursive: true, force: true }));

	it("create exactly the tables and triggers of the sources", () => {
		expect(differences(repository)).toEqual([]);
		const names = migrationNames(path.join(repository, "migrations"));
		const all = names.map((name) => readFileSync(path.join(repository, "migrations", name), "utf8")).join("");
		expect(WITHOUT_ROWID.filter((table) => !new RegExp(`CREATE TABLE \`(__new_)?${table}\``).test(all))).toEqual([]);
	});

	it("differ when a table file at any depth has a table or a column that none makes, until one is added", () => {
		const first = read("migrations/0000_init.sql");
		table("id: text().primaryKey()");
		expect(differences(checkout)).toEqual(["table made_up is in no migration"]);
		expect(writeMigration(checkout, "made_up")).toBe(numbered(0, "made_up"));
		table("id: text().primaryKey(), addedLater: text()");
		expect(differences(checkout)).toEqual(["table made_up differs from the migrations"]);
		rmSync(inCheckout("src/domains/made-up"), { recursive: true });
		expect(differences(checkout)).toEqual(["table made_up is in the migrations, but in no table file"]);
		expect(writeMigration(checkout, "less")).toBe(numbered(1, "less"));
		expect(differences(checkout)).toEqual([]);
		expect(writeMigration(checkout, "nothing")).toBeUndefined();
		expect(scripts().slice(released)).toEqual([numbered(0, "made_up"), numbered(1, "less")]);
		expect(read("migrations/0000_init.sql")).toBe(first);
	});

	it("keep drizzle-kit's last snapshot alone, with which it compares", () => {
		const snapshots = () => readdirSync(inCheckout("migrations/meta")).filter((name) => name.endsWith("_snapshot.json"));
		expect(snapshots()).toEqual(["0000_snapshot.json"]);
		table("id: text().primaryKey()");
		writeMigration(checkout, "made_up");
		expect(snapshots()).toEqual(["0001_snapshot.json"]);
		expect(differences(checkout)).toEqual([]);
	});

	it("follow triggers that are added, changed or removed without their tables", () => {
		const file = kept;
		const before = read(file);
		const [changed = "", removed = ""] = before.split("\n").filter((line) => line.startsWith("CREATE"));
		const added = "CREATE TRIGGER `users_kept` BEFORE DELETE ON `users` BEGIN SELECT RAISE(ABORT, 'kept'); END;";
		const after = changed.replace("append only", "kept for ever");
		try {
			write(file, `-- A comment.\n\n${[after, added].join("\n")}\n`);
			expect(differences(checkout)).toEqual([`in no migration: ${after}`, `in no migration: ${added}`, `in no .triggers.sql: ${removed}`]);
			writeMigration(checkout, "triggers");
			expect(differences(checkout)).toEqual([]);
		} finally {
			write(file, before);
		}
	});

	it("are refused where a trigger says CASE, whose END may be taken for the trigger's own", () => {
		const trigger =
			"CREATE TRIGGER `users_case` AFTER INSERT ON `users` BEGIN UPDATE `event_purges` SET `sequence` = CASE WHEN NEW.id = 'a' THEN 1 ELSE 2 END; END;";
		triggers(trigger);
		writeMigration(checkout, "with_case");
		expect(differences(checkout)).toEqual([`iif() instead of CASE: ${trigger}`]);
		triggers(trigger.replace("CASE WHEN NEW.id = 'a' THEN 1 ELSE 2 END", "iif(NEW.id = 'a', 1, 2)"));
		writeMigration(checkout, "with_iif");
		expect(differences(checkout)).toEqual([]);
	});

	it("keep the rows and the triggers of a table that must be made again, and its being without a row number", () => {
		const file = purges;
		const before = read(file);
		const database = new DatabaseSync(":memory:");
		const apply = (name: string | undefined): void => database.exec(`BEGIN; ${read(`migrations/${name}`)} COMMIT;`);
		triggers(
			"CREATE TRIGGER `event_purges_kept` BEFORE DELETE ON `event_purges` BEGIN SELECT RAISE(ABORT, 'kept'); END;",
			"CREATE TRIGGER `users_purged` AFTER INSERT ON `users` BEGIN UPDATE `event_purges` SET `sequence` = 1; END;",
		);
		try {
			writeMigration(checkout, "triggers");
			for (const name of scripts()) apply(name);
			database.exec("INSERT INTO event_purges (organization_id, sequence) VALUES ('a', 7), ('b', 8)");
			write(file, before.replace("purgedTo: integer().notNull().default(0)", "purgedTo: integer().default(3)"));
			const name = writeMigration(checkout, "purged_to_may_be_null");
			expect(read(`migrations/${name}`)).toContain("CREATE TABLE `__new_event_purges`");
			apply(name);
			expect(differences(checkout)).toEqual([]);
		} finally {
			write(file, before);
		}
		expect(database.prepare("SELECT organization_id, sequence, purged_to FROM event_purges").all()).toEqual([
			{ organization_id: "a", sequence: 7, purged_to: 0 },
			{ organization_id: "b", sequence: 8, purged_to: 0 },
		]);
		expect(() => database.exec("DELETE FROM event_purges")).toThrow("kept");
		database.close();
	});

	it("have statements of one's own after the tables' and before the triggers'", () => {
		table("id: text().primaryKey(), amount: integer()");
		triggers("CREATE TRIGGER `made_up_kept` BEFORE DELETE ON `made_up` BEGIN SELECT RAISE(ABORT, 'kept'); END;");
		const file = writeMigration(checkout, "made_up", { statements: "INSERT INTO `made_up` VALUES ('a', 1);\nDELETE FROM `made_up`;\n" });
		const script = read(`migrations/${file}`);
		const places = ["CREATE TABLE `made_up`", "INSERT INTO `made_up`", "DELETE FROM", "CREATE TRIGGER", "`schema_version`"];
		expect(places.toSorted((a, b) => script.indexOf(a) - script.indexOf(b))).toEqual(places);
		expect(script.indexOf("CREATE TABLE")).toBe(0);
		// Under its own number, where it stays when later ones are applied.
		expect(script).toMatch(new RegExp(`VALUES \\(${Number.parseInt(file ?? "", 10)}, '\\w{64}'\\);\n$`));
		expect(writeMigration(checkout, "only_by_hand", { statements: "UPDATE `made_up` SET `amount` = 2;" })).toBe(
			numbered(1, "only_by_hand"),
		);
		expect(differences(checkout)).toEqual([]);
	});

	it("are left alone when what was asked for cannot be applied, or would fail on rows", () => {
		const state = () => [scripts(), read(versionsFile), read("migrations/meta/_journal.json")];
		const before = state();
		expect(() => writeMigration(checkout, "bad", { statements: "UPDATE `no_such_table` SET a = 1;" })).toThrow("no such table");
		expect(state()).toEqual(before);
		const file = purges;
		const text = read(file);
		// Added to the table as it is, and while the table is made again.
		for (const other of [".notNull().default(0)", ""]) {
			write(
				file,
				text.replace("purgedTo: integer().notNull().default(0)", `purgedAt: integer().notNull(),\n\tpurgedTo: integer()${other}`),
			);
			expect(() => writeMigration(checkout, "bad")).toThrow("event_purges.purged_at is NOT NULL without a default");
		}
		write(file, text);
		expect(state()).toEqual(before);
	});

	it.each(["migrations/0000_init.sql", versionsFile])("are refused, and no further one is written, after an edit of %s", (name) => {
		write(
			name,
			read(name).replace(/`fingerprint` text NOT NULL|"[0-9a-f]{8}/, (found) =>
				found.startsWith('"') ? '"00000000' : "`fingerprint` text",
			),
		);
		const changed = "0000_init.sql, or the one before it, was changed: migrations are only added";
		expect(differences(checkout)).toEqual([changed]);
		table("id: text().primaryKey()");
		expect(() => writeMigration(checkout, "more")).toThrow(changed);
	});

	it("are refused when one was removed, or is of another branch", () => {
		const file = scripts().at(-1) ?? "";
		const script = read(`migrations/${file}`);
		rmSync(inCheckout(`migrations/${file}`));
		expect(differences(checkout)).toEqual([`${file} was removed: migrations are only added`]);
		write(`migrations/${file}`, script);
		const other = numbered(0, "of_another_branch");
		write(`migrations/${other}`, "SELECT 1;");
		expect(differences(checkout)).toEqual([`${other} is not of this sequence of migrations: begin again with --onto`]);
	});

	it("of two branches come one after the other when the merge makes the second again", () => {
		const git = (...args: string[]): string =>
			execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
				cwd: checkout,
				encoding: "utf8",
				stdio: "pipe",
			});
		const command = (...args: string[]): string =>
			execFileSync(process.execPath, ["src/dev/generate-migration.ts", ...args], { cwd: checkout, encoding: "utf8", stdio: "pipe" });
		const commit = (): string => git("add", "src", "migrations") + git("commit", "-qm", "a change");
		const column = (file: string, name: string): void =>
			write(`src/domains/made-up/${file}/table.ts`, read("src/domains/made-up/one/two/table.ts").replaceAll("made_up", name));
		try {
			git("init", "-q", "-b", "main");
			commit();
			git("switch", "-qc", "mine");
			table("id: text().primaryKey()");
			column("mine", "mine");
			rmSync(inCheckout("src/domains/made-up/one"), { recursive: true });
			command("mine");
			commit();
			git("switch", "-q", "main");
			table("id: text().primaryKey()");
			command("theirs");
			commit();
			git("switch", "-q", "mine");
			expect(() => git("merge", "-q", "main")).toThrow();
			expect(command("mine", "--onto", "main")).toContain(`Wrote migrations/${numbered(1, "mine")}`);
			expect(scripts().slice(released)).toEqual([numbered(0, "theirs"), numbered(1, "mine")]);
			expect(differences(checkout)).toEqual([]);
			commit();
			expect(git("status", "--porcelain", "migrations", "src")).toBe("");
		} finally {
			rmSync(inCheckout(".git"), { recursive: true, force: true });
		}
	});
});
