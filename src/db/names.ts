// The directory's names. Two databases cannot share a commit, so a row with a unique name is created in two steps: first the name is
// reserved with the row's id, then the row is written in its home. After a crash in between, the next request that finds the name
// creates the row under that id; if none comes, the name is given back.

import { and, type Column, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bareList } from "../db/columns";
import type { Digest } from "../shared/keyring";
import type { Database, Orm, Results, Write } from "./database";
import { type NameKind, names } from "./names.table";
import { oldestKey } from "./oldest-key.table";
import { Landed } from "./transient";

const eachName = alias(names, "name");
const oldest = alias(oldestKey, "oldest");

/** A text as it is, or the digest of one, which the directory has under one of two keys while the oldest is retired. */
export type NameValue = string | Digest;

/** Reserves a name for `id`. Doing so again changes nothing. */
export type Reservation = { readonly kind: NameKind; readonly value: NameValue; readonly id: string };

/** Every form that the directory may have. */
export const formsOf = (value: NameValue): readonly string[] => {
	if (typeof value === "string") return [value];
	return value.next ? [value.value, value.next.value] : [value.value];
};

/** Whether the column has a form of the value. */
export const isForm = (column: Column, value: NameValue): SQL => {
	const [first = "", second] = formsOf(value);
	return second === undefined ? eq(column, first) : sql`${column} in (${first}, ${second})`;
};

/**
 * The form in which a name is written. While the oldest key is retired: that which the directory has, so that a number has one name alone;
 * for a new name the next one, once no isolate serves that would look for the other.
 */
export function writtenForm(kind: NameKind, value: NameValue): string | SQL<string> {
	if (typeof value === "string") return value;
	if (!value.next) return value.value;
	const { keyId, value: next } = value.next;
	const isMoving = sql`exists (select 1 from ${oldestKey} ${oldest} where ${oldest.keyId} = ${keyId} or (${oldest.nextKeyId} = ${keyId} and ${oldest.movingSince} is not null))`;
	return sql`coalesce((select ${eachName.value} from ${names} ${eachName} where ${eachName.kind} = ${kind} and ${isForm(eachName.value, value)}), iif(${isMoving}, ${next}, ${value.value}))`;
}

/** What a commit needs in the directory first: names, and reference data that is created with them. */
export type Reserve = { readonly names: readonly Reservation[]; readonly writes?: readonly Write[] };

/** The index that refuses a name that is reserved for another id. */
export const NAME_TAKEN = [names.kind, names.value] as const;

export const findName = (orm: Orm, kind: NameKind, value: NameValue) =>
	orm
		.select({ id: names.id, reservedAt: names.reservedAt })
		.from(names)
		.where(and(eq(names.kind, kind), isForm(names.value, value)));

/** The id for which the name is reserved, as a scalar subquery for statements in the directory. */
export const idOfName = (kind: NameKind, value: NameValue): SQL<string | null> =>
	sql`(select ${eachName.id} from ${names} ${eachName} where ${eachName.kind} = ${kind} and ${isForm(eachName.value, value)})`;

/**
 * Reserves the names, then commits the writes in the home; in one commit if both are in one database. `first`: the writes that come
 * first in the home's commit. Returns the results of `writes`. A name that is reserved for another id throws a `UniqueViolation` of
 * `names` before anything is written in the home.
 */
export async function reserveThenCommit<const W extends readonly Write[]>(
	{ directory, home, now }: { directory: Database; home: Database; now: number },
	reserve: Reserve,
	{ first, writes }: { first: readonly Write[]; writes: W },
): Promise<Results<W>> {
	const apart = directory !== home;
	const named = [...reserve.names.flatMap((name) => reservation(name, now, apart)), ...(reserve.writes ?? [])];
	const before = apart ? first : [...first, ...named];
	// A name that is reserved again for the same id changes nothing.
	if (apart && named.length > 0) await reserved(directory.commit(named, reserve.writes === undefined));
	const results: readonly unknown[] = await home.commit([...before, ...writes]);
	return results.slice(before.length) as Results<W>;
}

/** A commit whose answer was lost is as good as any other: nobody asks for its results. */
const reserved = (commit: Promise<unknown>): Promise<unknown> =>
	commit.catch((error: unknown) => {
		if (!(error instanceof Landed)) throw error;
	});

/** `unsettled`: the row is written after it, in another database. A returning caller renews the instant, and so keeps the name. */
const reservation = ({ kind, value, id }: Reservation, now: number, unsettled: boolean): Write[] => [
	...(unsettled ? [sql`update ${names} set ${assign(names, { reservedAt: now })} where ${isUnsettled({ kind, value, id })}`] : []),
	sql`insert into ${names} (${bareList(names.kind, names.value, names.id, names.reservedAt, names.createdAt)})
		select ${kind}, ${writtenForm(kind, value)}, ${id}, ${unsettled ? now : null}, ${now}
		where not exists (select 1 from ${names} ${eachName} where ${eachName.kind} = ${kind} and ${isForm(eachName.value, value)} and ${eachName.id} = ${id})`,
];

export type UnsettledName = Reservation & { readonly value: string; readonly reservedAt: number };

const UNSETTLED = sql`${names.reservedFor} is null and ${names.reservedAt} is not null`;

const isUnsettled = ({ kind, value, id }: Reservation) =>
	and(eq(names.kind, kind), isForm(names.value, value), eq(names.id, id), UNSETTLED);

/** Names whose row was to be written in another database and has not been looked for since, the oldest first. */
export const findUnsettled = (orm: Orm, limit: number) =>
	orm
		.select({ kind: names.kind, value: names.value, id: names.id, reservedAt: sql<number>`${names.reservedAt}` })
		.from(names)
		.where(UNSETTLED)
		.orderBy(names.reservedAt)
		.limit(limit);

/** Makes a name final whose row is there. */
export const settle = (orm: Orm, name: UnsettledName): Write => orm.update(names).set({ reservedAt: null }).where(isAsSeen(name));

/** Removes a name whose row is not there, unless somebody has come back for it. */
export const giveBack = (orm: Orm, name: UnsettledName): Write => orm.delete(names).where(isAsSeen(name));

const isAsSeen = (name: UnsettledName) => and(isUnsettled(name), eq(names.reservedAt, name.reservedAt));
