// The rows in files after those that a database is made of. Such a file leaves a change out, so nobody restores it; but the service has
// forgotten the changes that it has.

import type { SQLInputValue } from "node:sqlite";
import { type Chain, linesOf, type Named } from "./chain.ts";
import { type Heading, opened, parsed } from "./database.ts";
import type { Files } from "./files.ts";

type Key = readonly SQLInputValue[];

/** Their keys, or the beginnings of these, by tables. */
export async function keysAfter(files: Files, all: readonly Named[], { opening }: Chain): Promise<ReadonlyMap<string, readonly Key[]>> {
	const keys = new Map<string, Key[]>();
	for (const { name } of all.filter(({ number }) => number > opening.number)) {
		let heading: Heading | undefined;
		for (const line of (await linesOf(files, name)).lines) {
			if (line.startsWith("[") && heading) keys.get(heading.table)?.push(keyOf(line, heading));
			else if (!line.startsWith('{"gone"')) {
				heading = JSON.parse(line) as Heading;
				if (!keys.has(heading.table)) keys.set(heading.table, []);
			} else if (heading) keys.get(heading.table)?.push((JSON.parse(line) as { gone: string[] }).gone.map(opened));
		}
	}
	return keys;
}

function keyOf(line: string, { columns, blobs, key }: Heading): Key {
	const values = parsed(line);
	return key.map((name) => {
		const value = values[columns.indexOf(name)] ?? null;
		return blobs.includes(name) ? opened(value) : value;
	});
}
