// Several databases on this machine: the real Worker, bundled and served as `npm start` does it.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { countShards, readDatabases, withShards } from "../../src/dev/databases.ts";
import { type Service, startService } from "../../src/dev/service.ts";

const statePath = mkdtempSync(path.join(tmpdir(), "databases-"));
let service: Service | undefined;
const logged: string[] = [];

async function start(databases?: number): Promise<Service> {
	const onLog = ({ level, message }: { level: string; message: string }) => void (level === "error" && logged.push(message));
	service = await startService({ port: 0, statePath, onLog, ...(databases !== undefined && { databases }) });
	return service;
}

async function stop(): Promise<void> {
	await service?.stop();
	service = undefined;
}

/** Runs this statement in each database that has the service's tables, and returns the first rows. Only while the service is stopped. */
function inEach(sql: string): unknown[] {
	const directory = path.join(statePath, "v3", "d1", "miniflare-D1DatabaseObject");
	return readdirSync(directory)
		.filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite")
		.map((name) => {
			const database = new DatabaseSync(path.join(directory, name));
			try {
				return database.prepare(sql).get();
			} finally {
				database.close();
			}
		});
}

describe("npm start -- --databases", () => {
	// Data in two databases beside the directory.
	beforeAll(async () => {
		const first = await start(2);
		expect(first.databases).toBe(2);
		expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
		await stop();
	});
	afterEach(stop);
	afterAll(() => rmSync(statePath, { recursive: true, force: true }));

	it("migrates and sweeps each database, and uses the same number when it starts again on the data", async () => {
		inEach("insert into idempotency_records (scope, fingerprint, status, expires_at) values ('s', 'f', 200, 1)");
		const records = "select (select count(*) from idempotency_records) as records, (select count(*) > 0 from d1_migrations) as migrated";
		expect(inEach(records)).toEqual(Array(3).fill({ records: 1, migrated: 1 }));
		const second = await start();
		expect({ databases: second.databases, migrated: second.migrated }).toEqual({ databases: 2, migrated: [] });
		await second.sweep();
		await stop();
		expect(inEach(records)).toEqual(Array(3).fill({ records: 0, migrated: 1 }));
		expect(logged).toEqual([]);
	});

	it("refuses fewer databases than hold homes, and accepts more", async () => {
		await expect(start(1)).rejects.toThrow(/lies in 2 databases .* Start with --databases 2 or more, or on other data/);
		expect((await start(3)).databases).toBe(3);
	});

	it.each(["-1", "64", "four", "1.5", ""])("refuses %j as a number of databases", (text) => {
		expect(() => readDatabases(text)).toThrow("Not a number of databases from 0 to 63");
	});
});

describe("the bindings", () => {
	const directory = { binding: "DB", migrations_dir: "tables" };

	it("of further databases have the directory's migrations", () => {
		expect(withShards([directory], 2)).toEqual([directory, { ...directory, binding: "SHARD_0" }, { ...directory, binding: "SHARD_1" }]);
	});

	it("in wrangler.toml stay as they are, and count towards the number", () => {
		const named = [directory, { binding: "SHARD_1", migrations_dir: "other" }];
		expect(withShards(named, 0)).toEqual(named);
		expect(withShards(named, 2)).toEqual([...named, { ...directory, binding: "SHARD_0" }]);
		expect(countShards(named)).toBe(1);
	});
});
