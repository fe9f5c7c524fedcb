// Which databases the local service has: those of wrangler.toml, and with `--databases` further ones for homes.

import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CannotStart } from "./cannot-start.ts";

/** The number of blocks of homes without the directory's own, and so of databases that `src/db/places.ts` looks for. */
const MAX_SHARDS = 63;

const shardName = (index: number): string => `SHARD_${index}`;
const isShard = (binding: string): boolean => /^SHARD_\d+$/.test(binding);

export interface D1Binding {
	readonly binding: string;
	readonly migrations_dir?: string | undefined;
	readonly migrations_table?: string | undefined;
}

/** The value of `--databases`. Throws `CannotStart`. */
export function readDatabases(text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (!/^\d{1,2}$/.test(text) || Number(text) > MAX_SHARDS)
		throw new CannotStart(`Not a number of databases from 0 to ${MAX_SHARDS}: ${text}`);
	return Number(text);
}

/** The bindings of the configuration, and `SHARD_0`, `SHARD_1` … until there are that many. Further ones are migrated as `DB` is. */
export function withShards(configured: readonly D1Binding[], shards: number): D1Binding[] {
	const directory = configured.find(({ binding }) => binding === "DB");
	const wanted = Array.from({ length: shards }, (_, index) => ({ ...directory, binding: shardName(index) }));
	return [...configured, ...wanted.filter(({ binding }) => !configured.some((other) => other.binding === binding))];
}

/** How many databases hold homes, not counting the directory. */
export const countShards = (bindings: readonly D1Binding[]): number => bindings.filter(({ binding }) => isShard(binding)).length;

export const SHARDS_FILE = "databases";
const recordPath = (statePath: string): string => path.join(statePath, SHARDS_FILE);

/** How many databases for homes this data was made with; 0 when it was made with none, or does not exist. */
export function recordedShards(statePath: string): number {
	try {
		return Number.parseInt(readFileSync(recordPath(statePath), "utf8"), 10) || 0;
	} catch {
		return 0;
	}
}

/** Written before any home can be dealt to a new database. Renamed into place, so that a crash leaves the old number or the new. */
export function recordShards(statePath: string, shards: number): void {
	if (shards <= recordedShards(statePath)) return;
	const written = `${recordPath(statePath)}.${process.pid}`;
	writeFileSync(written, `${shards}\n`);
	renameSync(written, recordPath(statePath));
}

/** The only database in the data: `npm run seed` fills one. */
export function databaseFile(statePath: string): string {
	const [file, another] = databaseFiles(statePath);
	if (file === undefined || another !== undefined) throw new Error(`${statePath} is not the data of one database`);
	return file;
}

/** The files of all databases of a service that has ended. */
export function databaseFiles(statePath: string): string[] {
	const directory = path.join(statePath, "v3", "d1", "miniflare-D1DatabaseObject");
	const names = readdirSync(directory).filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
	return names.map((name) => path.join(directory, name));
}
