// Erases users again who were erased after the instant of a restore: the later files name them, and the sweep of the restored database erases them.

import { DatabaseSync } from "node:sqlite";
import { type byDatabase, linesOf } from "./chain.ts";
import { keyFile } from "./database.ts";
import type { Files } from "./files.ts";

const READ_AT_ONCE = 16;

type Named = ReturnType<typeof byDatabase> extends ReadonlyMap<string, readonly (infer N)[]> ? N : never;
type Row = Readonly<Record<string, string | number | null>>;

/** The rows of the table `erasures` in files that were written after the instant, of all databases. */
export async function erasedAfter(files: Files, all: readonly Named[], at: string): Promise<readonly Row[]> {
	const limit = at.replaceAll(":", "-");
	const found = new Map<string, Row>();
	for (const { name } of all.filter((one) => one.at > limit)) {
		let columns: readonly string[] | undefined;
		for (const line of (await linesOf(files, name)).lines) {
			if (line.startsWith('{"table"')) {
				const heading = JSON.parse(line) as { table: string; columns: readonly string[] };
				columns = heading.table === "erasures" ? heading.columns : undefined;
			} else if (columns && line.startsWith("[")) {
				const values = JSON.parse(line) as (string | number | null)[];
				const row: Row = Object.fromEntries(columns.map((column, place) => [column, values[place] ?? null]));
				found.set(String(row.user_id), row);
			}
		}
	}
	return [...found.values()];
}

/** Adds those that the database does not know, with nothing done yet. Returns how many; undefined where it is older than all erasures. */
export function eraseAgainIn(file: string, erased: readonly Row[]): number | undefined {
	const database = new DatabaseSync(file);
	try {
		if (!database.prepare("select 1 from sqlite_schema where name = 'erasures'").get()) return undefined;
		const add = database.prepare(`insert into erasures (user_id, organization_id, requested_at, begins_at, place, erased_at)
			values (?, ?, ?, 0, 0, coalesce(?, ?)) on conflict do nothing`);
		const counts = erased.map(({ user_id, organization_id, requested_at, erased_at }) =>
			Number(add.run(user_id ?? null, organization_id ?? null, requested_at ?? null, erased_at ?? null, requested_at ?? null).changes),
		);
		return counts.reduce((sum, count) => sum + count, 0);
	} finally {
		database.close();
	}
}

/** Puts the keys of all files of the database into it, so that a user who is erased from now on is erased in those files too. */
export async function putKeys(
	files: Files,
	{ file, database: name }: { readonly file: string; readonly database: string },
): Promise<number> {
	const prefix = `keys/${name}/`;
	const names = (await files.names()).filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length).replace(/\..*$/, ""));
	const database = new DatabaseSync(file);
	try {
		if (!database.prepare("select 1 from sqlite_schema where name = 'backup_keys'").get()) return 0;
		const putFile = database.prepare(
			"insert or ignore into backup_key_files (name, key_set, version, written_at, created_at) values (?, ?, 0, ?, ?)",
		);
		const put = database.prepare("insert or ignore into backup_keys (subject, key_set, file, place, key) values (?, ?, ?, ?, ?)");
		for (let from = 0; from < names.length; from += READ_AT_ONCE) {
			const some = names.slice(from, from + READ_AT_ONCE);
			const read = await Promise.all(some.map((one) => keyFile(files, `${prefix}${one}.json.gz`)));
			database.exec("begin");
			read.forEach(({ set, at, keys }, index) => {
				const one = some[index] ?? "";
				putFile.run(one, set, Date.now(), Date.parse(at));
				for (const [place, key] of keys.entries()) if (key) put.run(key[0], set, one, place, key[1]);
			});
			database.exec("commit");
		}
		return names.length;
	} finally {
		database.close();
	}
}
