// `npm run restore`: the files of a backup that it refuses, the instant of which it makes a database, and the bucket that it reads them from.
// @module-tag thorough

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { migrationNames } from "../../src/dev/migrations.ts";
import { byDatabase, type Chain, chainUntil } from "../../tools/restore/chain.ts";
import { compare } from "../../tools/restore/copied.ts";
import { makeDatabase } from "../../tools/restore/database.ts";
import { type Files, inBucket } from "../../tools/restore/files.ts";
import { keysAfter } from "../../tools/restore/unfinished.ts";

const MIGRATION = Number.parseInt(migrationNames("migrations").at(-1) ?? "", 10);
const HEADING = JSON.stringify({ table: "names", columns: ["kind", "value", "id", "created_at"], blobs: [], key: ["kind", "value"] });
const name = (value: string, id: string) => JSON.stringify(["SLUG", value, id, 1]);
const gone = (value: string) => JSON.stringify({ gone: ["sSLUG", `s${value}`] });

const ATS = ["2026-11-27T10:00:00.000Z", "2026-11-27T11:00:00.000Z", "2026-11-27T12:00:00.000Z"] as const;
const [FIRST, SECOND, THIRD] = ATS;

type File = { readonly number: number; readonly previous: string; readonly hash: string; readonly bytes: Uint8Array };

function fileOf(number: number, previous: string, lines: readonly string[], whole = true): File {
	const opening = { format: 2, database: "DB", number, previous, at: ATS[number - 1], migration: MIGRATION, base: 1, whole };
	const bytes = gzipSync(`${[JSON.stringify(opening), HEADING, ...lines].join("\n")}\n`);
	return { number, previous, bytes, hash: createHash("sha256").update(bytes).digest("hex") };
}

/** Under the name by which the service puts it. */
const nameOf = ({ number, previous, hash }: File) =>
	`DB/${ATS[number - 1]?.replaceAll(":", "-")}_${number}_${previous.slice(0, 16) || "first"}_${hash.slice(0, 16)}.ndjson.gz`;

/** A copy of all rows, and two files of changes. */
function backedUp(): [File, File, File] {
	const first = fileOf(1, "", [name("a", "before")]);
	const second = fileOf(2, first.hash, [name("a", "after"), name("b", "b")]);
	return [first, second, fileOf(3, second.hash, [gone("a")])];
}

const inMemory = (all: ReadonlyMap<string, Uint8Array>) => ({
	names: async () => [...all.keys()],
	read: async (asked: string) => all.get(asked) ?? new Uint8Array(),
});
const named = (files: readonly File[]) => new Map(files.map((file) => [nameOf(file), file.bytes]));

const idsIn = (file: string) => {
	const database = new DatabaseSync(file, { readOnly: true });
	const rows = database.prepare("select value, id from names order by value").all();
	database.close();
	return rows.map(({ value, id }) => `${value} ${id}`);
};

async function madeOf(files: Files, chain: Chain, migrations = "migrations"): Promise<string> {
	const file = path.join(mkdtempSync(path.join(tmpdir(), "restored-")), "DB.sqlite");
	await makeDatabase(files, chain, { file, migrations });
	return file;
}

/** The table of these files alone, where a test asks for no other: all migrations take a quarter of a second. */
const ONE_TABLE = mkdtempSync(path.join(tmpdir(), "one-table-"));
writeFileSync(
	path.join(ONE_TABLE, `${String(MIGRATION).padStart(4, "0")}_names.sql`),
	"create table names (kind text, value text, id text, reserved_for text, reserved_at integer, created_at integer, primary key (kind, value))",
);

async function restored(all: ReadonlyMap<string, Uint8Array>, until: string = THIRD): Promise<string[]> {
	const files = inMemory(all);
	return idsIn(await madeOf(files, await chainUntil(files, byDatabase(await files.names()).get("DB") ?? [], until), ONE_TABLE));
}

it.each([
	["the last file until then", THIRD, ["b b"]],
	["an earlier instant", "2026-11-27T11:59:59.999Z", ["a after", "b b"]],
	["that of a file", SECOND, ["a after", "b b"]],
	["the copy alone", FIRST, ["a before"]],
])("makes the database as of %s", async (_, until, rows) => {
	expect(await restored(named(backedUp()), until)).toEqual(rows);
});

it("makes none from before the first file, or where no file leaves no change out", async () => {
	await expect(restored(named(backedUp()), "2026-11-27T09:00:00.000Z")).rejects.toThrow("No file until");
	await expect(restored(named([fileOf(1, "", [], false)]))).rejects.toThrow("No file until");
	const [first, second] = backedUp();
	expect(await restored(named([first, second, fileOf(3, second.hash, [gone("a")], false)]))).toEqual(["a after", "b b"]);
});

it.each([
	["explained by a change that the database notes", [], "c", []],
	["explained by a row of a file after the last complete one", [name("c", "c")], undefined, []],
	["explained by a row that such a file removes", [gone("a")], undefined, []],
	["that nothing explains", [name("d", "d")], undefined, ["names"]],
])("compares two databases with a difference %s", async (_, lines, noted, different) => {
	const [first, second] = backedUp();
	const files = inMemory(named([first, second, fileOf(3, second.hash, lines, false)]));
	const all = byDatabase(await files.names()).get("DB") ?? [];
	const chain = await chainUntil(files, all, THIRD);
	expect(chain.opening.number).toBe(2);
	const made = await madeOf(files, chain);
	const source = `${made}.source`;
	copyFileSync(made, source);
	const database = new DatabaseSync(source);
	database.exec("insert into names (kind, value, id, created_at) values ('SLUG', 'c', 'c', 1)");
	if (lines[0] === gone("a")) database.exec("delete from names where value in ('a', 'c')");
	if (noted)
		database.exec(
			`insert into changed_rows (relation, key1, key2, key3, key4, generation) values ('names', 'SLUG', '${noted}', '', '', 1)`,
		);
	database.close();
	expect(compare(source, made, await keysAfter(files, all, chain))).toMatchObject({ different });
});

it.each([0, 1, 2])("refuses file %i of three when it was changed", async (place) => {
	const files = backedUp();
	const all = named(files);
	const changed = files[place] as File;
	all.set(nameOf(changed), fileOf(changed.number, changed.previous, [name("c", "forged")]).bytes);
	await expect(restored(all)).rejects.toThrow(`${nameOf(changed)} has been changed`);
});

it.each([0, 1])("refuses when file %i of three is missing", async (place) => {
	const files = backedUp();
	const all = named(files);
	all.delete(nameOf(files[place] as File));
	await expect(restored(all)).rejects.toThrow(`The file before ${nameOf(files[place + 1] as File)} is missing`);
});

it("refuses a file in whose place another was put, also where the name of the next one was changed to it", async () => {
	const [first, second, third] = backedUp();
	const forged = fileOf(2, first.hash, [name("c", "forged")]);
	await expect(restored(named([first, forged, third]))).rejects.toThrow("is missing");
	const renamed = { ...third, previous: forged.hash };
	await expect(restored(named([first, forged, renamed]))).rejects.toThrow(`${nameOf(renamed)} does not follow the file before it`);
	await expect(restored(new Map([...named([first, third]), [nameOf(second), first.bytes]]))).rejects.toThrow("has been changed");
});

it("makes databases of a directory by the command, until the instant that it is given", () => {
	const directory = mkdtempSync(path.join(tmpdir(), "restored-"));
	mkdirSync(path.join(directory, "DB"));
	for (const [file, bytes] of named(backedUp())) writeFileSync(path.join(directory, file), bytes);
	const run = (until: string) =>
		spawnSync(process.execPath, ["tools/restore.ts", "--from", directory, "--until", until, "--to", path.join(directory, "made")], {
			encoding: "utf8",
		});
	const { stdout, stderr, status } = run("2026-11-27T13:30:00+02:00");
	expect([status, stderr]).toEqual([0, ""]);
	expect(stdout).toContain(`DB: as of ${SECOND}, of 2 files`);
	expect(idsIn(path.join(directory, "made", "DB.sqlite"))).toEqual(["a after", "b b"]);
	expect(run("2026-11-27T09:00:00Z")).toMatchObject({ status: 1, stderr: expect.stringContaining("No file until") });
});

it("lists a bucket over all its pages, and reads a file by its name", async () => {
	const pages = [
		["DB/1 & first.gz", "DB/2.gz"],
		["SHARD_0/3.gz", "keys/DB/4.gz"],
	];
	const asked: string[] = [];
	const server = createServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? "", "http://bucket");
		asked.push(`${pathname} ${searchParams.get("continuation-token")} ${/^AWS4-HMAC-SHA256 /.test(request.headers.authorization ?? "")}`);
		if (searchParams.get("list-type") !== "2") return response.end(decodeURIComponent(pathname));
		const page = searchParams.has("continuation-token") ? 1 : 0;
		const keys = pages[page]?.map((key) => `<Contents><Key>${key.replace("&", "&amp;")}</Key></Contents>`).join("");
		const next = page === 0 ? "<IsTruncated>true</IsTruncated><NextContinuationToken>a+b/c=&amp;d</NextContinuationToken>" : "";
		response.end(`<ListBucketResult>${next}${keys}</ListBucketResult>`);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/backup/`;
	const bucket = inBucket(url, { accessKeyId: "id", secretAccessKey: "secret" });
	expect(await bucket.names()).toEqual(pages.flat());
	expect(Buffer.from(await bucket.read("DB/1 & first.gz")).toString()).toBe("/backup/DB/1 & first.gz");
	expect(asked).toEqual(["/backup null true", "/backup a+b/c=&d true", "/backup/DB/1%20%26%20first.gz null true"]);
});
