// Retires the oldest master key, while MASTER_KEY says so by `retire:`: moves the directory's names of numbers and identities to digests
// under the key before it, and seals again what is kept for long. Each portion is one commit that also says how far it came, so that it
// continues from there after any interruption; users are found by either form until the last name has moved.

import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Write } from "../db/database";
import { guarded } from "../db/guards";
import { names } from "../db/names.table";
import { oldestKey } from "../db/oldest-key.table";
import { first } from "../db/reads";
import { digestsOf } from "../domains/users/name-texts.procedure";
import type { JobServices } from "../runtime/services";
import type { KeyMark } from "../shared/keyring";
import { HOUR_MS } from "../shared/time";
import { isSealedUnder, sealAnew } from "./sealed-anew";

/** The names of a portion. */
const BATCH = 100;
/** No isolate serves so long after another configuration was deployed. */
const SETTLED_MS = HOUR_MS;

const KINDS = ["IDENTITY", "PHONE"] as const;
type Kind = (typeof KINDS)[number];

type Row = typeof oldestKey.$inferSelect;
type Keys = { readonly oldest: KeyMark; readonly next: KeyMark };

/** Works off one portion, in every database. Returns whether more is waiting. */
export async function retireOldestKey(services: JobServices, batch = BATCH): Promise<boolean> {
	const { keyring } = services.config;
	const next = await keyring.successor();
	if (!next) return false;
	const keys = { oldest: await keyring.oldest(), next };
	const more = await sealAnew(services, keys.oldest.id);
	if (services.db !== services.databases.directory) return more;
	return (await moveNames(services, keys, batch)) || more;
}

async function moveNames(services: JobServices, keys: Keys, batch: number): Promise<boolean> {
	const { db, realNow } = services;
	const row = await db.read(first(db.orm.select().from(oldestKey).where(eq(oldestKey.id, 1))));
	if (!row || row.digest !== keys.oldest.digest) return false;
	if (row.nextKeyId !== keys.next.id) {
		await services.commit([change(services, row, { nextKeyId: keys.next.id, retiringSince: realNow })]);
		services.log.info("the oldest master key is being retired", { key: keys.oldest.id, next: keys.next.id });
		return false;
	}
	if (row.movingSince === null) {
		if (realNow - (row.retiringSince ?? realNow) < SETTLED_MS) return false;
		await services.commit([change(services, row, { movingSince: realNow, ...passFrom(realNow) })]);
		return true;
	}
	if (row.passCursor === null) {
		if (realNow - (row.passSince ?? 0) < SETTLED_MS) return false;
		await services.commit([change(services, row, passFrom(realNow))]);
		return true;
	}
	return movePortion(services, row, keys, batch);
}

const passFrom = (passSince: number) => ({ passSince, passLeft: 0, passCursor: cursorOf("IDENTITY", "") });

/** Stale if another run has come further meanwhile. */
const change = ({ db }: JobServices, row: Row, set: Partial<Row>): Write => guarded(db.orm.update(oldestKey).set(set).where(isAsRead(row)));

const isAsRead = ({ nextKeyId, movingSince, passCursor }: Row) =>
	and(
		eq(oldestKey.id, 1),
		sql`${oldestKey.nextKeyId} is ${nextKeyId}`,
		sql`${oldestKey.movingSince} is ${movingSince}`,
		sql`${oldestKey.passCursor} is ${passCursor}`,
	);

const cursorOf = (kind: Kind, value: string) => `${kind} ${value}`;

async function movePortion(services: JobServices, row: Row, keys: Keys, batch: number): Promise<boolean> {
	const { db } = services;
	const cursor = row.passCursor ?? "";
	const kind = cursor.slice(0, cursor.indexOf(" ")) as Kind;
	const after = cursor.slice(kind.length + 1);
	const found = await db.read(
		db.orm
			.select()
			.from(names)
			.where(and(eq(names.kind, kind), gt(names.value, after)))
			.orderBy(asc(names.value))
			.limit(batch),
	);
	const next = await nextForms(services, found);
	const moves = found.flatMap(({ value, id }): SQL[] => {
		const to = next.get(value);
		if (to === undefined || to === value) return [];
		return [
			sql`update ${names} set ${sql.identifier("value")} = ${to} where ${and(eq(names.kind, kind), eq(names.value, value), eq(names.id, id))}`,
		];
	});
	const passLeft = (row.passLeft ?? 0) + found.filter(({ value }) => !next.has(value)).length;
	const last = found.length === batch ? found.at(-1) : undefined;
	const passCursor = last ? cursorOf(kind, last.value) : kind === "IDENTITY" ? cursorOf("PHONE", "") : null;
	await services.commit([change(services, row, { passLeft, passCursor }), ...moves]);
	if (passCursor !== null) return true;
	await endPass(services, { ...row, passLeft, passCursor }, keys);
	return false;
}

/** By each form in which the directory has a name, the next; of those whose number or identity is there. */
async function nextForms(services: JobServices, found: readonly (typeof names.$inferSelect)[]): Promise<ReadonlyMap<string, string>> {
	const byDatabase = [...Map.groupBy(found, ({ id }) => services.at(id).db).values()];
	const digests = (await Promise.all(byDatabase.map((each) => digestsOf(services.at(each[0]?.id ?? 0), each)))).flat();
	return new Map(
		digests.flatMap(({ value, next }): [string, string][] =>
			next
				? [
						[value, next.value],
						[next.value, next.value],
					]
				: [],
		),
	);
}

/** The key is retired after a pass that began when nothing was named under it any more, and that left nothing. */
async function endPass(services: JobServices, row: Row, { oldest, next }: Keys): Promise<void> {
	const { log } = services;
	if (row.passLeft)
		log.error("names whose number or identity is nowhere keep the oldest master key", undefined, { names: row.passLeft, key: oldest.id });
	if (row.passLeft || (row.passSince ?? 0) - (row.movingSince ?? 0) < SETTLED_MS) return;
	const sealed = await Promise.all(services.everywhere().map((there) => isSealedUnder(there, oldest.id)));
	if (sealed.some(Boolean)) return;
	const ended = { nextKeyId: null, retiringSince: null, movingSince: null, passSince: null, passLeft: null };
	await services.commit([change(services, row, { keyId: next.id, digest: next.digest, ...ended })]);
	log.info("users are found without the oldest master key: remove it from MASTER_KEY", { key: oldest.id, next: next.id });
}
