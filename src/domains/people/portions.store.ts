// How a place is worked off: a portion of what an index finds, or a stretch of the walk through a table.

import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Orm, Write } from "../../db/database";
import { type ConfirmationRow, darajaConfirmations } from "../repayments/recording/confirmations.table";
import type { Person } from "./person.policy";
import type { Place } from "./places.store";

/** The most rows that one statement changes, and that one portion of a walk goes past. */
export const MOST_CHANGED = 200;
export const MOST_PASSED = 1_000;

export type Key = readonly (string | number)[];
/** A stretch of a walk: the rows after `from`, up to `to`. */
export type Stretch = { readonly from: Key | null; readonly to: Key | undefined };

const listed = (parts: readonly unknown[]): SQL =>
	sql.join(
		parts.map((part) => sql`${part}`),
		sql`, `,
	);

/** Keys are texts, or blobs, which cursors have in hex: all come after the empty one. */
const within = ({ key, blobs }: Place, { from, to }: Stretch): SQL => {
	const values = (of: Key) => listed(blobs ? of.map((value) => sql`unhex(${value})`) : of);
	const after = sql`(${listed(key)}) > (${values(from ?? key.map(() => ""))})`;
	return to ? sql`${after} and (${listed(key)}) <= (${values(to)})` : after;
};

/** The key of the last row of the next stretch; no row if it is the last one. */
export const endOfStretch = (orm: Orm, place: Place, from: Key | null, length = MOST_PASSED) =>
	orm.all<{ [column: string]: string | number }>(sql`
		select ${place.blobs ? listed(place.key.map((column) => sql`hex(${column})`)) : listed(place.key)} from ${place.table}
		where ${within(place, { from, to: undefined })} order by ${listed(place.key)} limit 1 offset ${length - 1}`);

/** Changes or removes a portion of what an index finds. */
export const changeFound = (place: Place, person: Person, where: SQL): Write =>
	changed(
		place,
		person,
		sql`(${listed(place.key)}) in (select ${listed(place.key)} from ${place.table} where ${where} limit ${MOST_CHANGED})`,
	);

/** Changes or removes the person's rows in a stretch. */
export const changeWithin = (place: Place, person: Person, where: SQL, stretch: Stretch): Write =>
	changed(place, person, sql`${within(place, stretch)} and ${where}`);

const changed = ({ table, becomes }: Place, person: Person, which: SQL): Write =>
	becomes ? sql`update ${table} set ${becomes(person)} where ${which}` : sql`delete from ${table} where ${which}`;

/** Confirmations in a stretch, which are opened. */
export const confirmationsWithin = (orm: Orm, place: Place, stretch: Stretch) =>
	orm.select().from(darajaConfirmations).where(within(place, stretch));

/** Seals a confirmation again, if it is as it was read. */
export const sealAgain = (orm: Orm, { id, sealed }: ConfirmationRow, fresh: string): Write =>
	orm
		.update(darajaConfirmations)
		.set({ sealed: fresh })
		.where(and(eq(darajaConfirmations.id, id), eq(darajaConfirmations.sealed, sealed)));
