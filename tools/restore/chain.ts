// Which files make a database as it was at an instant: from the copy of all rows to the last file that leaves no change out, which names
// that copy.

import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { CannotStart } from "../../src/dev/cannot-start.ts";
import type { Files } from "./files.ts";

/** What a file says of itself in its first line. */
export type Opening = {
	/** From 2 on, each row ends with its members that name persons, sealed. */
	readonly format: 1 | 2;
	readonly database: string;
	readonly number: number;
	/** SHA-256 of the file before; empty for the first. */
	readonly previous: string;
	readonly at: string;
	/** The number of the last migration whose tables it has. */
	readonly migration: number;
	/** The number of the first file of the copy of all rows that it continues. */
	readonly base: number;
	/** Whether the database is complete with it. */
	readonly whole: boolean;
};

export type Named = {
	readonly name: string;
	readonly at: string;
	readonly number: number;
	readonly previous: string;
	readonly hash: string;
};
export type Chain = { readonly opening: Opening; readonly names: readonly string[] };

const NAME = /^(\w+)\/([\dT.:Z-]+)_(\d+)_(first|[0-9a-f]{16})_([0-9a-f]{16})\.ndjson\.gz$/;

/** The files by the names of their databases, in the order of their time. */
export function byDatabase(names: readonly string[]): ReadonlyMap<string, readonly Named[]> {
	const all = names.flatMap((name) => {
		const [, database = "", at = "", number = "", previous = "", hash = ""] = NAME.exec(name) ?? [];
		return database ? [{ name, database, at, number: Number(number), previous, hash }] : [];
	});
	const sorted = all.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : one.number - other.number));
	return Map.groupBy(sorted, ({ database }) => database);
}

export const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A file's lines; the first is its opening. Throws where it is not what its name says. */
export async function linesOf(
	files: Files,
	name: string,
): Promise<{ opening: Opening; lines: readonly string[]; hash: string; bytes: number }> {
	const bytes = await files.read(name);
	const hash = digest(bytes);
	if (!name.includes(`_${hash.slice(0, 16)}.`)) throw new CannotStart(`${name} has been changed: its bytes are not those of its name.`);
	const [opening = "", ...lines] = gunzipSync(bytes).toString().trimEnd().split("\n");
	return { opening: JSON.parse(opening) as Opening, lines, hash, bytes: bytes.length };
}

/**
 * The files that make the database as it was at the instant, oldest first. Of two files with one number, written after the database
 * was put back to an earlier state or by two runs, the file that later files name counts.
 */
export async function chainUntil(files: Files, all: readonly Named[], until: string): Promise<Chain> {
	const byHash = new Map(all.map((one) => [one.hash, one]));
	const limit = until.replaceAll(":", "-");
	for (const last of all.filter(({ at }) => at <= limit).reverse()) {
		const { opening } = await linesOf(files, last.name);
		if (!opening.whole) continue;
		const chain = [last];
		for (let one = last; one.number > opening.base; ) {
			const before = byHash.get(one.previous);
			if (!before) throw new CannotStart(`The file before ${one.name} is missing (number ${one.number - 1}, ${one.previous}…).`);
			chain.unshift(before);
			one = before;
		}
		return { opening, names: chain.map(({ name }) => name) };
	}
	throw new CannotStart(`No file until ${until} has a complete database.`);
}
