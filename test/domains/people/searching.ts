// Looks for what names a person in everything that the databases hold, sealed texts opened.

import { env } from "cloudflare:workers";
import { configuration } from "../../../src/runtime/config";
import type { SealPurpose } from "../../../src/shared/keyring";
import { databases } from "../../support/databases";

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
