// Data of version 0.1.0 under the present migrations and a further one, which exists only here: that the start and a deployment apply
// them, that no value is lost, and that the API reads it.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { bundle, configIn } from "../../src/dev/bundle.ts";
import { databaseFile } from "../../src/dev/databases.ts";
import { wranglerCommand } from "../../src/dev/deployment.ts";
import type { Edge } from "../../src/dev/edge.ts";
import { BATCH_WORKER, batchIn, migrationNames } from "../../src/dev/migrations.ts";
import { operatorOf, userOf } from "../../src/dev/own-service.ts";
import { applyPending, pendingIn } from "../../src/dev/remote-migrations.ts";
import { loadRuntime } from "../../src/dev/runtime.ts";
import { writeMigration } from "../../src/dev/schema.ts";
import { DATA_DIRECTORY, type Service, startService } from "../../src/dev/service.ts";

const repository = path.resolve(import.meta.dirname, "../..");
/** The key of the data's digests and secrets. */
const MASTER_KEY = Buffer.from("the master key of 0.1.0's fixtur").toString("base64");
const organization = "01a20279-ab12-700e-a005-b2a419037a72";

type Row = Readonly<Record<string, unknown>>;

/** What migrations change of a row on purpose. Nothing is lost of it. */
const MIGRATED: Readonly<Record<string, (row: Row) => Row>> = {
	payments(row) {
		const sent = String(row.mobile_money_transaction_id);
		const compared = sent.replaceAll(" ", "").toUpperCase();
		return { ...row, mobile_money_transaction_id: compared, transaction_id_sent: compared === sent ? null : sent };
	},
};

describe("data of version 0.1.0", { timeout: 180_000 }, () => {
	let checkout: string;
	/** The data as 0.1.0 left it. */
	let original: string;
	let later: string[];
	let service: Service | undefined;

	/** Wrangler on a database of this machine, which has no Time Travel. */
	const localEdge = (state: string): Edge => ({
		wrangler(command) {
			if (command.includes("time-travel")) return { status: 0, stdout: '{"bookmark":"none"}', stderr: "" };
			const words = command.map((word) => (word === "--remote" ? "--local" : word));
			const ran = spawnSync(process.execPath, [...wranglerCommand(), ...words, "--persist-to", state], {
				cwd: checkout,
				encoding: "utf8",
				env: {
					...process.env,
					WRANGLER_LOG: undefined,
					CI: "1",
					WRANGLER_SEND_METRICS: "false",
					XDG_CONFIG_HOME: path.join(state, "config"),
				},
			});
			return { status: ran.status ?? 1, stdout: ran.stdout, stderr: ran.stderr };
		},
		authorization: async () => ({}),
		build: async () => ({ core: "", edge: "" }),
		fetch,
		sleep: async () => {},
		say() {},
	});

	const copyOfData = (name: string): string => {
		const state = path.join(checkout, name);
		cpSync(original, state, { recursive: true });
		return state;
	};
	const start = async (state: string, directory = checkout): Promise<Service> => {
		service = await startService({ port: 0, statePath: state, directory, variables: { MASTER_KEY, RATE_LIMITS: "off" }, onLog: () => {} });
		return service;
	};
	/** Applies migrations as wrangler records them. */
	const apply = (state: string, names: readonly string[]): void => {
		const database = new DatabaseSync(databaseFile(state));
		for (const name of names) database.exec(`BEGIN; ${readFileSync(path.join(checkout, "migrations", name), "utf8")} COMMIT;`);
		const record = database.prepare("INSERT INTO d1_migrations (name) VALUES (?)");
		for (const name of names) record.run(name);
		database.close();
	};
	const rowsIn = <Row>(state: string, sql: string): Row[] => {
		const database = new DatabaseSync(databaseFile(state));
		try {
			return database.prepare(sql).all() as Row[];
		} finally {
			database.close();
		}
	};

	beforeAll(async () => {
		checkout = mkdtempSync(path.join(os.tmpdir(), "checkout-"));
		// A start trusts a certificate of its directory, in all of this process.
		vi.stubEnv("NODE_EXTRA_CA_CERTS", process.env.NODE_EXTRA_CA_CERTS);
		for (const name of [
			"src",
			"migrations",
			"docs/guides",
			"wrangler.edge.toml",
			"wrangler.toml",
			"package.json",
			"tsconfig.json",
			"drizzle.config.json",
			"vite.config.ts",
		])
			cpSync(path.join(repository, name), path.join(checkout, name), { recursive: true });
		symlinkSync(path.join(repository, "node_modules"), path.join(checkout, "node_modules"));
		// Without the pages of the API reference, which take longer than the rest of the build.
		writeFileSync(path.join(checkout, "src/wiring/reference-assets.ts"), "export const assets = {};");
		original = path.join(checkout, "original");

		// Rows come before triggers, which would do again what they have done.
		const baseline = "0000_baseline.sql";
		const statements = readFileSync(path.join(repository, "migrations", baseline), "utf8").split("--> statement-breakpoint\n");
		const isTrigger = (statement: string) => statement.startsWith("CREATE TRIGGER");
		const script = [
			"CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL);",
			`INSERT INTO d1_migrations (name) VALUES ('${baseline}');`,
			...statements.filter((statement) => !isTrigger(statement)),
			readFileSync(path.join(import.meta.dirname, "data-of-0.1.0.sql"), "utf8"),
			...statements.filter(isTrigger),
		].join("\n");
		const id = /^database_id = "(.+)"$/m.exec(readFileSync(path.join(checkout, "wrangler.toml"), "utf8"))?.[1] ?? "";
		const { run, splitSql } = await loadRuntime();
		const runtime = run([{ modules: true, script: BATCH_WORKER, d1Databases: { DB: id } }], {
			resourcePersistencePath: path.join(original, DATA_DIRECTORY),
		});
		await batchIn(runtime, "DB")(splitSql(script)).finally(() => runtime.dispose());

		// A further version: a new table with a trigger, a column more, and a table that must be made again.
		const edit = (file: string, from: string, to: string): void => {
			const text = readFileSync(path.join(checkout, file), "utf8");
			expect(text).toContain(from);
			writeFileSync(path.join(checkout, file), text.replace(from, to));
		};
		edit(
			"src/events/table.ts",
			"purgedTo: integer().notNull().default(0)",
			"purgedTo: integer().default(1),\n\taddedLater: text().notNull().default('as ever')",
		);
		mkdirSync(path.join(checkout, "src/domains/made-up"));
		writeFileSync(
			path.join(checkout, "src/domains/made-up/table.ts"),
			'import { sqliteTable, text } from "drizzle-orm/sqlite-core";\nexport const madeUp = sqliteTable("made_up", { id: text().primaryKey() });\n',
		);
		writeFileSync(
			path.join(checkout, "src/domains/made-up/made-up.triggers.sql"),
			"CREATE TRIGGER `made_up_kept` BEFORE DELETE ON `made_up` BEGIN SELECT RAISE(ABORT, 'kept'); END;\n",
		);
		writeMigration(checkout, "further", { statements: "INSERT INTO `made_up` SELECT `id` FROM `organizations`;" });
		later = migrationNames(path.join(checkout, "migrations")).slice(1);
	}, 120_000);
	afterEach(async () => {
		await service?.stop();
		service = undefined;
	});
	afterAll(() => {
		vi.unstubAllEnvs();
		rmSync(checkout, { recursive: true, force: true });
	});

	/** What the API answers about the data: nothing that depends on the day on which the test runs. */
	async function expectRead({ url }: Service): Promise<void> {
		const manager = await operatorOf({ url }, "seed", organization);
		const only = <Row>({ data }: { data: readonly Row[] }): Row | undefined => {
			expect(data).toHaveLength(1);
			return data[0];
		};
		expect((await manager.getHealth()).status).toBe("ok");

		const borrower = await userOf({ url }, "user-4", "story");
		expect(await borrower.getMe()).toMatchObject({ id: "01a20279-b100-7026-9005-9eb4f95b84f8", status: "ACTIVE" });
		const account = "01a20279-b16d-7037-a005-580675fbd0bb";
		expect(only(await borrower.listAccounts())).toMatchObject({ id: account, type: "CREDIT", credit_limit: -100_000 });
		const application = { account_id: account, status: "DISBURSED", loan_amount: 60_000 };
		expect(only(await borrower.listLoanApplications())).toMatchObject(application);
		const { data: installments } = await borrower.listInstallments({ path: { accountId: account } });
		expect(installments).toHaveLength(3);

		const saver = await userOf({ url }, "user-6", "story");
		expect(only(await saver.listAccounts())).toMatchObject({ type: "CURRENT", status: "ACTIVE", available_balance: 380_000 });
		expect(only(await saver.listPayees())).toMatchObject({ label: "Rent" });
		const sent = { status: "COMPLETED", amount: { value: 120_000, currency: "KES" } };
		expect(only(await saver.listTransfers())).toMatchObject(sent);

		expect(only(await manager.listInvoices())).toMatchObject({ amount_minor_units: 90_000 });
		expect(await manager.listWebhooks()).toMatchObject([{ name: "All events", status: "ACTIVE" }]);
		const { data: trail } = await manager.listAudit();
		expect(trail.map(({ operation }) => operation)).toEqual(["decideInvoice", "uploadInvoice", "createWebhook"]);
	}

	it("is brought up to date and read by the start of a later version, and refused by the earlier one afterwards", async () => {
		const state = copyOfData("started");
		const first = await start(state);
		expect(first.migrated).toEqual(later);
		await expectRead(first);
		await first.stop();
		expect((await start(state)).migrated).toEqual([]);
		await service?.stop();
		await expect(start(state, repository)).rejects.toThrow("made by a later or another version of the service");
		// It recognizes what a service has left as its own.
		const { status, stderr } = spawnSync(process.execPath, ["src/dev/reset.ts", "--persist-to", state], {
			cwd: checkout,
			encoding: "utf8",
		});
		expect({ status, stderr, left: existsSync(state) }).toEqual({ status: 0, stderr: "", left: false });
	});

	it("is brought up to date by a deployment, which keeps every value of every row", async () => {
		const state = copyOfData("deployed");
		const tables = rowsIn<{ name: string }>(state, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '*_cf_*'")
			.map(({ name }) => name)
			.filter((name) => !["d1_migrations", "schema_version", "sqlite_sequence"].includes(name));
		const rows = (): Map<string, Row[]> => new Map(tables.map((table) => [table, rowsIn<Row>(state, `SELECT * FROM "${table}"`)]));
		const before = rows();
		expect([...before.values()].flat().length).toBeGreaterThan(220);

		// wrangler takes almost a second for each migration, so it gets only the last of them to apply.
		apply(state, later.slice(0, -3));
		const config = configIn(await bundle(checkout));
		const migrations = path.join(checkout, "migrations");
		const here = localEdge(state);
		const pending = pendingIn(here, migrations, "DB", ["--config", config]);
		expect(pending.names).toHaveLength(3);
		applyPending(here, migrations, pending, ["--config", config]);
		const after = rows();
		for (const [table, kept] of before) {
			expect(after.get(table), table).toHaveLength(kept.length);
			const migrated = MIGRATED[table] ?? ((row) => row);
			for (const [index, row] of kept.entries()) expect(after.get(table)?.[index], table).toMatchObject(migrated(row));
		}
		expect(rowsIn(state, "SELECT DISTINCT added_later FROM event_purges")).toEqual([{ added_later: "as ever" }]);
		expect(rowsIn(state, "SELECT count(*) AS n FROM made_up")).toEqual([{ n: before.get("organizations")?.length }]);
		expect(() => rowsIn(state, "DELETE FROM made_up")).toThrow("kept");
		expect(() => rowsIn(state, "UPDATE account_transactions SET amount = 1")).toThrow("append only");

		const deployed = await start(state);
		expect(deployed.migrated).toEqual([]);
		await expectRead(deployed);
	});
});
