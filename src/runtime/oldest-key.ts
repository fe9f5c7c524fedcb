// Whether MASTER_KEY still ends with the key by which people are found. Numbers and identities are looked up by digests under the oldest
// key: without it every user would be made a second time, empty, and nothing else would show it.

import type { KeyMark, Keyring } from "../shared/keyring";
import { ConfigurationError } from "./config";

/** The keys that this isolate has found to be the directory's, and whether the oldest of them is retired. */
const held = new Set<string>();

/** Throws `ConfigurationError` when the directory's names were made, or are being made, under another key. Asks once for each isolate. */
export async function demandOldestKey(directory: D1Database, keyring: Keyring): Promise<void> {
	const oldest = await keyring.oldest();
	const next = await keyring.successor();
	const asked = `${oldest.digest} ${next?.digest}`;
	if (held.has(asked)) return;
	const known = await keyIn(directory, oldest).catch(() => undefined);
	// A directory that is out of reach says nothing: the next request asks again.
	if (!known) return;
	const reason = reasonAgainst(known, oldest, next);
	if (reason) throw new ConfigurationError({ MASTER_KEY: reason });
	held.add(asked);
}

function reasonAgainst(known: Row, oldest: KeyMark, next: KeyMark | undefined): string | undefined {
	// Every name has moved, and the key that was the oldest is still listed.
	if (next?.digest === known.digest) return undefined;
	if (oldest.digest !== known.digest) return `must end with the key ${known.key_id}, by which users are found`;
	if (known.next_key_id === null || known.next_key_id === next?.id) return undefined;
	return `must end with the key ${known.next_key_id} and, after it, "retire:" and the key ${known.key_id}, because names move from this to that`;
}

type Row = { readonly key_id: string; readonly digest: string; readonly next_key_id: string | null };

async function keyIn(directory: D1Database, { id, digest }: KeyMark): Promise<Row | null> {
	const read = directory.prepare("select key_id, digest, next_key_id from oldest_key where id = 1");
	const known = await read.first<Row>();
	if (known) return known;
	await directory.prepare("insert into oldest_key (id, key_id, digest) values (1, ?, ?) on conflict do nothing").bind(id, digest).run();
	return read.first<Row>();
}
