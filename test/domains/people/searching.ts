// Looks for what names a person in everything that is stored: what the databases hold, sealed texts opened; what Durable Objects hold; and
// the files of the bucket.

import { listDurableObjectIds } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { configuration } from "../../../src/runtime/config";
import type { SealPurpose } from "../../../src/shared/keyring";
import { readBytes, unzipped } from "../../support/backups";
import { databases } from "../../support/databases";
import { inObject } from "../../support/durable-objects";

type Row = Readonly<Record<string, unknown>>;

const PURPOSES: readonly SealPurpose[] = ["message", "recovery", "erasure", "confirmation", "connection"];
const SEALED = /[0-9a-f]{8}\.[\w-]{16}\.[\w-]{22,}/g;

/** The row as text in small letters, with what is sealed in it opened where the row's own ids are its context. */
export async function textOf(row: Row): Promise<string> {
	const { keyring } = await configuration(env);
	const text = JSON.stringify(row);
	const contexts = Object.values(row).filter((value): value is string => typeof value === "string" && /^[0-9a-f-]{36}$/.test(value));
	const opened = await Promise.all(
		(text.match(SEALED) ?? []).flatMap((sealed) =>
			PURPOSES.flatMap((purpose) => contexts.map((context) => keyring.open(purpose, context, sealed))),
		),
	);
	return [text, ...opened.filter((plain) => plain !== undefined)].join("\n").toLowerCase();
}

/** The tables in which one of the texts stands, and how often each is the first that is found in a row. */
export async function tablesWith(texts: readonly string[], among: readonly D1Database[] = databases): Promise<Record<string, number>> {
	const found: Record<string, number> = {};
	for (const database of among) {
		const { results } = await database
			.prepare("select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and name not like 'sqlite_%'")
			.all<{ name: string }>();
		for (const { name } of results) {
			const rows = await database.prepare(`select * from "${name}"`).all<Row>();
			for (const row of rows.results) {
				const text = await textOf(row);
				if (texts.some((one) => text.includes(one.toLowerCase()))) found[name] = (found[name] ?? 0) + 1;
			}
		}
	}
	return found;
}

/** What all Durable Objects hold, a text for each. */
export async function objectTexts(): Promise<string[]> {
	const namespaces = [env.IDEMPOTENCY_KEYS, env.DELIVERY_RETRIES, env.SWEEPS] as unknown as readonly DurableObjectNamespace[];
	const texts = namespaces.map(async (namespace) =>
		Promise.all(
			(await listDurableObjectIds(namespace as never)).map((id) =>
				inObject(namespace.get(id), async ({ storage }) => {
					const kept = storage.sql.exec("select name from sqlite_master where type = 'table' and name = 'kept'").toArray();
					const rows = kept.length === 0 ? [] : storage.sql.exec("select * from kept").toArray();
					return JSON.stringify([[...(await storage.list())], rows]).toLowerCase();
				}),
			),
		),
	);
	return (await Promise.all(texts)).flat();
}

/** The files of the bucket, unpacked. */
export const fileTexts = async (): Promise<string[]> =>
	Promise.all((await env.BUCKET.list()).objects.map(async ({ key }) => (await unzipped(await readBytes(key))).toLowerCase()));

export const among = (texts: readonly string[], said: readonly string[]): string[] =>
	texts.filter((text) => said.some((one) => one.includes(text.toLowerCase())));
