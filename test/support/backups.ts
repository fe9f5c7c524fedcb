// Backups into the tests' bucket, and what their files say.

import { env } from "cloudflare:workers";
import { triggerNames } from "../../src/db/backup";
import { toHex } from "../../src/shared/bytes";
import { backUp } from "../../src/wiring/backup";
import { Keys, openedRow } from "../../tools/restore/keys";
import { runDueWork } from "./loans";

export async function emptyBucket(): Promise<void> {
	for (const { key } of (await env.BUCKET.list()).objects) await env.BUCKET.delete(key);
}

/** As a migration leaves the database that has made this table again. */
export async function migrated(table: string): Promise<void> {
	for (const trigger of triggerNames(table)) await env.DB.prepare(`drop trigger ${trigger}`).run();
	await env.DB.prepare("insert into schema_version (id, hash) select max(id) + 1, 'x' from schema_version").run();
}

type Put = (name: string, bytes: Uint8Array) => Promise<unknown>;

/** Writes files until nothing is left. @param put instead of the bucket's own */
export async function backedUp(put?: Put, aheadMs = 0): Promise<void> {
	const BACKUP = put ? ({ put } as unknown as R2Bucket) : env.BUCKET;
	await runDueWork(
		async (services) => {
			while (await backUp({ ...services, realNow: services.realNow + aheadMs }));
		},
		{ BACKUP },
	);
}

type Opening = { number: number; previous: string; at: string; base: number; whole: boolean };
export type File = { name: string; hash: string; opening: Opening; lines: string[] };

const digest = async (bytes: ArrayBuffer): Promise<string> => toHex(await crypto.subtle.digest("SHA-256", bytes));

export async function readBytes(name: string): Promise<ArrayBuffer> {
	const bytes = await (await env.BUCKET.get(name))?.arrayBuffer();
	if (!bytes) throw new Error(`no ${name}`);
	return bytes;
}

export const unzipped = (bytes: ArrayBuffer): Promise<string> =>
	new Response(new Response(bytes).body?.pipeThrough(new DecompressionStream("gzip"))).text();

/** The files that later ones name, oldest first, from the file that the last names. */
export async function chain(): Promise<File[]> {
	const names = (await env.BUCKET.list()).objects.filter(({ key }) => !key.startsWith("keys/"));
	const files = await Promise.all(
		names.map(async ({ key: name }): Promise<File> => {
			const bytes = await readBytes(name);
			const text = await unzipped(bytes);
			const [opening = "", ...lines] = text.trimEnd().split("\n");
			return { name, hash: await digest(bytes), opening: JSON.parse(opening) as Opening, lines };
		}),
	);
	const found: File[] = [];
	for (let one = files.at(-1); one; one = files.find(({ hash }) => hash === found[0]?.opening.previous)) found.unshift(one);
	return found;
}

type Heading = { table: string; columns: string[]; blobs: string[]; key: string[]; sealed?: string[][]; removed?: true; anew?: true };

/** The rows of each table, by their keys, as the files say. */
export async function replayed(files: readonly File[]): Promise<Map<string, Map<string, string>>> {
	const keys = new Keys(async (name) => JSON.parse(await unzipped(await readBytes(`keys/DB/${name}.json.gz`))));
	const tables = new Map<string, Map<string, string>>();
	let heading: Heading | undefined;
	for (const line of files.flatMap(({ lines }) => lines)) await read(line);
	return tables;

	async function read(line: string): Promise<void> {
		if (line.startsWith('{"table"')) {
			heading = JSON.parse(line) as Heading;
			if (heading.anew || !tables.has(heading.table)) tables.set(heading.table, new Map());
			return;
		}
		if (!heading) throw new Error("a row without its table");
		const { table, columns, blobs, key } = heading;
		const rows = tables.get(table);
		if (line.startsWith("[")) {
			const values = await openedRow(JSON.parse(line) as (string | number | null)[], heading, keys);
			if (!values) return;
			// Keys have a letter before texts; in rows only columns of blobs have.
			const lettered = (name: string) => {
				const value = values[columns.indexOf(name)];
				return typeof value === "string" && !blobs.includes(name) ? `t${value}` : value;
			};
			rows?.set(JSON.stringify(key.map(lettered)), JSON.stringify(values));
		} else {
			const { gone } = JSON.parse(line) as { gone: (string | number)[] };
			const begins = gone.slice(0, key.length);
			for (const id of rows?.keys() ?? [])
				if (JSON.stringify((JSON.parse(id) as unknown[]).slice(0, begins.length)) === JSON.stringify(begins)) rows?.delete(id);
		}
	}
}
