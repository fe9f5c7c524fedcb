// The directory's names. Two places cannot share a commit, so a thing with a name is made in two steps: first the name, then the
// thing. The id is chosen with the name: after a crash in between, whoever finds the name makes the thing under that id.

import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database, Orm, Write } from "./database";
import { type NameKind, names } from "./names.table";

/** A name that is to stand for `id` from now on. `known`: it does already, and the write is repeated only to cost the same. */
export type Reservation = { readonly kind: NameKind; readonly value: string; readonly id: string; readonly known?: boolean };

/** What a commit needs in the directory first: names, and reference data that is made with them. */
export type Reserve = { readonly names: readonly Reservation[]; readonly writes?: readonly Write[] };

/** The index that refuses a name that is taken. */
export const NAME_TAKEN = [names.kind, names.value] as const;

export const findName = (orm: Orm, kind: NameKind, value: string) =>
	orm
		.select({ id: names.id })
		.from(names)
		.where(and(eq(names.kind, kind), eq(names.value, value)));

/** A scalar subquery: what the name stands for. Of use only in the directory. */
export const idOfName = (kind: NameKind, value: string): SQL<string | null> =>
	sql`(select n.id from ${names} n where n.kind = ${kind} and n.value = ${value})`;

/**
 * Reserves the names, then commits the writes in the home; one commit where both are in one
 * database. `first` are the home's first writes. A name that is taken is a `UniqueViolation` of `names`, before anything is written in the home.
 */
export async function reserveThenCommit(
	directory: Database,
	home: Database,
	reserve: Reserve,
	{ first, writes }: { first: readonly Write[]; writes: readonly Write[] },
	now: number,
): Promise<void> {
	const named = [...reserve.names.map((name) => reservation(directory.orm, name, now)), ...(reserve.writes ?? [])];
	if (directory === home) {
		await home.commit([...first, ...named, ...writes]);
		return;
	}
	if (named.length > 0) await directory.commit(named);
	await home.commit([...first, ...writes]);
}

function reservation(orm: Orm, { kind, value, id, known }: Reservation, now: number): Write {
	const insert = orm.insert(names).values({ kind, value, id, createdAt: now });
	return known ? insert.onConflictDoNothing() : insert;
}
