// The directory's names. Two places cannot share a commit, so a thing with a name is made in two steps: first the name, then the
// thing. The id is chosen with the name: after a crash in between, whoever finds the name makes the thing under that id.

import { and, eq } from "drizzle-orm";
import type { Database, Orm, Write } from "./database";
import { type NameKind, names } from "./names.table";

/** A name that is to stand for `id` from now on. */
export type Reservation = { readonly kind: NameKind; readonly value: string; readonly id: string };

export const findName = (orm: Orm, kind: NameKind, value: string) =>
	orm
		.select({ id: names.id })
		.from(names)
		.where(and(eq(names.kind, kind), eq(names.value, value)));

/**
 * Reserves the names, then commits the writes in the home; one commit where both are in one database. A name that is taken is a
 * `UniqueViolation` of `names`, before anything is written in the home.
 */
export async function reserveThenCommit(
	directory: Database,
	home: Database,
	reservations: readonly Reservation[],
	writes: readonly Write[],
	now: number,
): Promise<void> {
	const reserve = reservations.map((name) => directory.orm.insert(names).values({ ...name, createdAt: now }));
	if (directory === home) return home.commit([...reserve, ...writes]);
	if (reserve.length > 0) await directory.commit(reserve);
	await home.commit(writes);
}
