// Whether MASTER_KEY still ends with the key by which people are found. Numbers, identities and API keys are looked up by digests under the
// oldest key: without it every user would be made a second time, empty, and nothing else would tell.

import type { Keyring } from "../shared/keyring";
import { ConfigurationError } from "./config";

/** Digests that this isolate has found to be the directory's. */
const held = new Set<string>();

/** Throws `ConfigurationError` when the directory's names were made under another key. Asks once for each isolate. */
export async function demandOldestKey(directory: D1Database, keyring: Keyring): Promise<void> {
	const { id, digest } = await keyring.oldest();
	if (held.has(digest)) return;
	const known = await keyIn(directory, { id, digest }).catch(() => undefined);
	// A directory that is out of reach says nothing: the next request asks again.
	if (!known) return;
	if (known.digest !== digest) {
		throw new ConfigurationError({ MASTER_KEY: `must end with the key ${known.key_id}, by which users are found` });
	}
	held.add(digest);
}

type Row = { readonly key_id: string; readonly digest: string };

async function keyIn(directory: D1Database, { id, digest }: { readonly id: string; readonly digest: string }): Promise<Row | null> {
	const read = directory.prepare("select key_id, digest from oldest_key where id = 1");
	const known = await read.first<Row>();
	if (known) return known;
	await directory.prepare("insert into oldest_key (id, key_id, digest) values (1, ?, ?) on conflict do nothing").bind(id, digest).run();
	return read.first<Row>();
}
