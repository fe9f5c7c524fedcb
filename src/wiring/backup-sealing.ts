// Seals what names persons in the rows of a file: each under a key of its own, and what names several under all of theirs, so that it cannot
// be read any more once the key of one of them is destroyed.

import { sql } from "drizzle-orm";
import type { PersonalColumns, ReadRow } from "../db/backup";
import { backupHeads, backupKeyFiles, backupKeys } from "../db/backup.table";
import { orStaleUnless } from "../db/guards";
import { insertAll } from "../db/insert-all";
import { unlessStale } from "../db/stale";
import { keysOf, writeKeyFiles } from "../runtime/backup-keys";
import type { Backup } from "../runtime/ports";
import type { JobServices } from "../runtime/services";
import { fromBase64, toBase64Url, utf8 } from "../shared/bytes";
import type { Keyring } from "../shared/keyring";
import { ERASED, namedIn, subjectOf, subjectOfTyped } from "../shared/named-persons";
import { type Head, isStill } from "./backup-head";

const KEY_BYTES = 32;
/** In one key file. */
const MOST_KEYS = 5_000;

/** A group of columns: what is in them, and what is left without those whom they name. */
type Group = { readonly own: string; readonly erased: string; readonly subjects: readonly string[] };
/** A line with groups at its end that are still to be sealed. */
export type Unsealed = { readonly line: string; readonly groups: readonly Group[] };

/** The row's line, with its groups. */
export async function unsealed(line: string, row: ReadRow, groups: readonly PersonalColumns[], keyring: Keyring): Promise<Unsealed> {
	const of = (index: number, { erased, confirmation }: PersonalColumns) => {
		const own = row[`own${index}`] ?? "[]";
		if (confirmation) return ofConfirmation(own, row, keyring);
		const of = row[`of${index}`] ?? "[]";
		return erased ? ofColumns(own, row[`erased${index}`] ?? "[]", of) : ofTexts(own, row[`typed${index}`] ?? "[]", of);
	};
	return { line, groups: await Promise.all(groups.map((group, index) => of(index, group))) };
}

function ofColumns(own: string, erased: string, of: string): Group {
	return { own, erased, subjects: own === erased ? [] : [...new Set(textsIn(of).map(subjectOf))] };
}

const textsIn = (list: string): string[] =>
	(JSON.parse(list) as (string | null)[]).flatMap((text) => (text === null || text === "" ? [] : [String(text)]));

/** @param typed what payers typed in them. @param of of whose loan they typed it */
function ofTexts(own: string, typed: string, of: string): Group {
	const texts = JSON.parse(own) as (string | null)[];
	const [userId] = textsIn(of);
	const personal = textsIn(typed).flatMap((text) => {
		const subject = subjectOfTyped(text, userId);
		return subject === undefined ? [] : [{ text, subject }];
	});
	const found = texts.map((text) => (text === null ? undefined : namedIn(text, personal.length > 0)));
	const subjects = new Set([...found.flatMap((one) => one?.subjects ?? []), ...personal.map(({ subject }) => subject)]);
	// A text may be nothing but what another text says is somebody's.
	const isOne = (text: string) => personal.some((one) => one.text === text) || subjects.has(subjectOf(text));
	const left = texts.map((text, index) => (text !== null && isOne(text) ? ERASED : (found[index]?.without ?? null)));
	const erased = JSON.stringify(left);
	return { own, erased, subjects: own === erased ? [] : [...subjects] };
}

/** Its payer is known by number, or by the number's SHA-256. */
async function ofConfirmation(own: string, { key }: ReadRow, keyring: Keyring): Promise<Group> {
	const [[sealed], [id]] = [JSON.parse(own) as [string], JSON.parse(key) as [string]];
	const opened = await keyring.open("confirmation", id.slice(1), sealed);
	const payer = opened && (JSON.parse(opened) as { MSISDN?: unknown }).MSISDN;
	return { own, erased: '[""]', subjects: payer ? [subjectOf(String(payer))] : [] };
}

/** The lines as files have them. Undefined where another file has been begun, or keys were destroyed, since the rows were read. */
export async function sealed(
	services: JobServices,
	backup: Backup,
	begun: Head,
	drawn: readonly (string | Unsealed)[],
): Promise<string[] | undefined> {
	const subjects = new Set(drawn.flatMap((one) => (typeof one === "string" ? [] : one.groups.flatMap((group) => group.subjects))));
	const keys = await keysFor(services, begun, [...subjects]);
	if (!keys) return undefined;
	// Before the file: a file without its keys could not be restored.
	await writeKeyFiles(services, backup);
	return Promise.all(
		drawn.map(async (one) => {
			if (typeof one === "string") return one;
			const groups = await Promise.all(one.groups.map((group) => sealedGroup(group, keys)));
			return `${one.line.slice(0, -1)},${groups.join(",")}]`;
		}),
	);
}

type Key = { readonly name: string; readonly bytes: Uint8Array };

async function keysFor({ db, realNow }: JobServices, begun: Head, subjects: readonly string[]): Promise<Map<string, Key> | undefined> {
	const { orm } = db;
	const { keySet } = begun;
	const known = subjects.length === 0 ? [] : await db.read(keysOf(orm, keySet, subjects));
	const missing = [...new Set(subjects).difference(new Set(known.map(({ subject }) => subject)))];
	const made = Array.from({ length: Math.ceil(missing.length / MOST_KEYS) }, (_, index) => {
		const file = toBase64Url(crypto.getRandomValues(new Uint8Array(9)));
		return missing.slice(index * MOST_KEYS, (index + 1) * MOST_KEYS).map((subject, place) => {
			const key = toBase64Url(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
			return { subject, keySet, file, place, key };
		});
	});
	if (made.length > 0) {
		const files = made.map(([{ file: name } = { file: "" }]) => ({ name, keySet, version: 0, writtenAt: null, createdAt: realNow }));
		const isBegun = orStaleUnless(sql`exists (select 1 from ${backupHeads} where ${isStill(begun)})`);
		if (!(await unlessStale(() => db.commit([isBegun, ...insertAll(backupKeys, made.flat()), ...insertAll(backupKeyFiles, files)]))))
			return undefined;
	}
	return new Map(
		[...known, ...made.flat()].map(({ subject, file, place, key }) => [
			subject,
			{ name: `${file}:${place}`, bytes: fromBase64(key) ?? new Uint8Array() },
		]),
	);
}

/** As JSON: what is left without the persons, and after it what is sealed, if anything is. */
async function sealedGroup({ own, erased, subjects }: Group, keys: ReadonlyMap<string, Key>): Promise<string> {
	if (subjects.length === 0) return `[${own}]`;
	const all = subjects.flatMap((subject) => keys.get(subject) ?? []);
	const joined = await crypto.subtle.digest("SHA-256", Uint8Array.from(all.flatMap(({ bytes }) => [...bytes])));
	const key = await crypto.subtle.importKey("raw", joined, "AES-GCM", false, ["encrypt"]);
	const iv = crypto.getRandomValues(new Uint8Array(12));
	const text = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, utf8(own));
	return `[${erased},"${all.map(({ name }) => name).join(",")}.${toBase64Url(iv)}.${toBase64Url(text)}"]`;
}
