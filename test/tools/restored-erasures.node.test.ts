// `npm run restore`: who was erased after the instant of a restore is erased again.

import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { migrationNames } from "../../src/dev/migrations.ts";
import { byDatabase } from "../../tools/restore/chain.ts";
import { eraseAgainIn, erasedAfter } from "../../tools/restore/erasures.ts";

const COLUMNS = ["user_id", "organization_id", "requested_at", "begins_at", "sealed", "place", "cursor", "finished_at", "erased_at"];
const HEADING = JSON.stringify({ table: "erasures", columns: COLUMNS, blobs: [], key: ["user_id"] });
const OTHER = JSON.stringify({ table: "users", columns: ["id"], blobs: [], key: ["id"] });

/** Files with these lines, by their names. */
const filesOf = (written: readonly (readonly [database: string, at: string, lines: readonly string[]])[]) => {
	const all = new Map<string, Uint8Array>(
		written.map(([database, at, lines], index) => {
			const bytes = gzipSync(`${[JSON.stringify({ database, at, number: index + 1 }), ...lines].join("\n")}\n`);
			const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
			return [`${database}/${at.replaceAll(":", "-")}_${index + 1}_first_${hash}.ndjson.gz`, bytes] as const;
		}),
	);
	return { names: async () => [...all.keys()], read: async (name: string) => all.get(name) ?? new Uint8Array() };
};

const row = (userId: string, erasedAt: number | null) => JSON.stringify([userId, "org", 5, 6, null, 36, null, 7, erasedAt]);

it("adds those whom later files of any database name, once and with nothing done", async () => {
	const files = filesOf([
		["DB", "2026-11-27T10:00:00.000Z", [HEADING, row("before", 8)]],
		["DB", "2026-11-27T11:00:00.000Z", [HEADING, row("after", null), OTHER, '["nobody"]']],
		["SHARD_0", "2026-11-27T12:00:00.000Z", [HEADING, row("after", 9), row("elsewhere", null)]],
	]);
	const all = [...byDatabase(await files.names()).values()].flat();
	const later = await erasedAfter(files, all, "2026-11-27T10:00:00.000Z");
	expect(later.map(({ user_id }) => user_id)).toEqual(["after", "elsewhere"]);

	const file = path.join(mkdtempSync(path.join(tmpdir(), "restored-")), "DB.sqlite");
	const database = new DatabaseSync(file);
	expect(eraseAgainIn(file, later)).toBeUndefined();
	for (const name of migrationNames("migrations")) database.exec(readFileSync(path.join("migrations", name), "utf8"));
	expect([eraseAgainIn(file, later), eraseAgainIn(file, later)]).toEqual([2, 0]);
	expect(database.prepare("select user_id, begins_at, sealed, place, finished_at, erased_at from erasures order by user_id").all()).toEqual(
		[
			{ user_id: "after", begins_at: 0, sealed: null, place: 0, finished_at: null, erased_at: 9 },
			{ user_id: "elsewhere", begins_at: 0, sealed: null, place: 0, finished_at: null, erased_at: 5 },
		],
	);
	database.close();
});
