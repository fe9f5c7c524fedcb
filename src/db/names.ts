// The directory's names. Two databases cannot share a commit, so a row with a unique name is created in two steps: first the name is
// reserved with the row's id, then the row is written in its home. After a crash in between, the next request that finds the name
// creates the row under that id.

import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bareList } from "../db/columns";
import type { Database, Orm, Results, Write } from "./database";
import { type NameKind, names } from "./names.table";

const n = alias(names, "n");

/** Reserves a name for `id`. Doing so again changes nothing. */
export type Reservation = { readonly kind: NameKind; readonly value: string; readonly id: string };

/** What a commit needs in the directory first: names, and reference data that is created with them. */
export type Reserve = { readonly names: readonly Reservation[]; readonly writes?: readonly Write[] };

/** The index that refuses a name that is reserved for another id. */
export const NAME_TAKEN = [names.kind, names.value] as const;

export const findName = (orm: Orm, kind: NameKind, value: string) =>
	orm
		.select({ id: names.id })
		.from(names)
		.where(and(eq(names.kind, kind), eq(names.value, value)));

/** The id for which the name is reserved, as a scalar subquery for statements in the directory. */
export const idOfName = (kind: NameKind, value: string): SQL<string | null> =>
	sql`(select ${n.id} from ${names} ${n} where ${n.kind} = ${kind} and ${n.value} = ${value})`;

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
	const named = [...reserve.names.map((name) => reservation(name, now)), ...(reserve.writes ?? [])];
	const before = directory === home ? [...first, ...named] : first;
	if (directory !== home && named.length > 0) await directory.commit(named);
	const results: readonly unknown[] = await home.commit([...before, ...writes]);
	return results.slice(before.length) as Results<W>;
}

const reservation = ({ kind, value, id }: Reservation, now: number): Write =>
	sql`insert into ${names} (${bareList(names.kind, names.value, names.id, names.createdAt)}) select ${kind}, ${value}, ${id}, ${now}
		where not exists (select 1 from ${names} ${n} where ${n.kind} = ${kind} and ${n.value} = ${value} and ${n.id} = ${id})`;
