// The keys under which files of a backup have what names a person. The bucket has them in key files, which are written before the files that
// need them, and written again without the keys that were destroyed.

import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import { backupHeads, backupKeyFiles, backupKeys } from "../db/backup.table";
import { isOneOf } from "../db/columns";
import type { Orm, Write } from "../db/database";
import { first } from "../db/reads";
import { utf8 } from "../shared/bytes";
import { type Subjects, TYPED_SUBJECT } from "../shared/named-persons";
import { DAY_MS, toTimestamp } from "../shared/time";
import type { Backup } from "./ports";
import type { JobServices } from "./services";

/** Longer than files are kept. */
const KEPT_MS = 100 * DAY_MS;
const FORGOTTEN_AT_ONCE = 5;

/** Writes the key files that the bucket lacks, or has with keys that were destroyed. */
export async function writeKeyFiles({ db, home, databases, realNow }: JobServices, backup: Backup): Promise<void> {
	const { orm } = db;
	const ofFile = sql`${backupKeys.file} = ${backupKeyFiles.name}`;
	const findUnwritten = first(
		orm
			.select({
				name: backupKeyFiles.name,
				keySet: backupKeyFiles.keySet,
				version: backupKeyFiles.version,
				createdAt: backupKeyFiles.createdAt,
				keys: sql<string>`(select json_group_array(json_array(${backupKeys.place}, ${backupKeys.subject}, ${backupKeys.key})) from ${backupKeys} where ${ofFile})`.as(
					"keys",
				),
			})
			.from(backupKeyFiles)
			.where(sql`${backupKeyFiles.writtenAt} is null`)
			.orderBy(backupKeyFiles.name)
			.limit(1),
	);
	for (;;) {
		const file = await db.read(findUnwritten);
		if (!file) return;
		const { name, version, keySet, createdAt } = file;
		const keys: [subject: string, key: string][] = [];
		for (const [place, subject, key] of JSON.parse(file.keys) as [number, string, string][]) keys[place] = [subject, key];
		const text = JSON.stringify({ format: 1, set: keySet, at: toTimestamp(createdAt), keys: Array.from(keys, (one) => one ?? null) });
		await backup.write(`keys/${databases.nameOf(home)}/${name}.json.gz`, await gzip(text));
		// If keys were destroyed meanwhile, it has to be written again, even where somebody else has done so before this one arrived.
		await db.commit([
			orm
				.update(backupKeyFiles)
				.set({ writtenAt: sql`iif(${backupKeyFiles.version} = ${version}, ${realNow}, null)` })
				.where(eq(backupKeyFiles.name, name)),
		]);
	}
}

export async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
	const body = new Response(utf8(text)).body as ReadableStream;
	return new Uint8Array(await new Response(body.pipeThrough(new CompressionStream("gzip"))).arrayBuffer());
}

/** All that begin with `typed:` are looked through. */
const isOf = ({ whole, typedParts }: Subjects): SQL => sql`(${isOneOf(backupKeys.subject, whole)}
	or (${backupKeys.subject} > ${TYPED_SUBJECT} and ${backupKeys.subject} < ${TYPED_SUBJECT.replace(":", ";")}
		and exists (select 1 from json_each(${JSON.stringify(typedParts)}) said where instr(${backupKeys.subject}, said.value) > 0)))`;

/** Whether there are keys of these, or key files that the bucket still has with keys that were destroyed. */
export const findKeysLeft = (orm: Orm, subjects: Subjects) =>
	first(
		orm.all<{ keys: number; files: number }>(sql`select
			exists (select 1 from ${backupKeys} where ${isOf(subjects)}) as keys,
			exists (select 1 from ${backupKeyFiles} where ${backupKeyFiles.writtenAt} is null) as files`),
	);

/** A run that was reading rows for a file cannot finish it, so that nothing of before is sealed under new keys. */
export const destroyKeys = (orm: Orm, subjects: Subjects): Write[] => {
	const ofThem = isOf(subjects);
	return [
		orm
			.update(backupKeyFiles)
			.set({ version: sql`${backupKeyFiles.version} + 1`, writtenAt: null })
			.where(sql`${backupKeyFiles.name} in (select ${backupKeys.file} from ${backupKeys} where ${ofThem})`),
		orm.delete(backupKeys).where(ofThem),
		orm.update(backupHeads).set({ generation: sql`${backupHeads.generation} + 1` }),
	];
};

/** Forgets keys whose files have expired in the bucket. */
export const forgetOldKeys = (orm: Orm, realNow: number): Write[] => {
	const old = orm
		.select({ name: backupKeyFiles.name })
		.from(backupKeyFiles)
		.where(lte(backupKeyFiles.createdAt, realNow - KEPT_MS))
		.orderBy(backupKeyFiles.createdAt)
		.limit(FORGOTTEN_AT_ONCE);
	return [
		orm.delete(backupKeys).where(sql`${backupKeys.file} in ${old}`),
		orm.delete(backupKeyFiles).where(sql`${backupKeyFiles.name} in ${old}`),
	];
};

export const keysOf = (orm: Orm, keySet: string, subjects: readonly string[]) =>
	orm
		.select({ subject: backupKeys.subject, file: backupKeys.file, place: backupKeys.place, key: backupKeys.key })
		.from(backupKeys)
		.where(and(eq(backupKeys.keySet, keySet), isOneOf(backupKeys.subject, subjects)));
