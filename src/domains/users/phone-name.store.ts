// The directory's names of mobile numbers while a number changes hands. A name only reserves the number: who has it is decided by the
// row in the user's home.

import { and, eq, isNull, sql } from "drizzle-orm";
import type { Orm, Write } from "../../db/database";
import { names } from "../../db/names.table";
import { DIRECTORY_HOME } from "../../db/places";
import type { Elsewhere } from "../../runtime/services";
import { mobileNumberChanges } from "./number-change.table";
import { findUser, phoneName } from "./store";

/** FREE: nobody has the number, and the directory does not name it. UNDECIDED: it is reserved for a change that has not ended yet. */
export type NumberState = { readonly kind: "FREE" } | { readonly kind: "UNDECIDED" } | { readonly kind: "HELD"; readonly userId: string };

const named = (value: string) => and(eq(names.kind, "PHONE"), eq(names.value, value));

/** Who has the number now. Removes a name that the user's row does not confirm and for which no change is open. */
export async function numberState(services: Elsewhere, number: string): Promise<NumberState> {
	const value = await phoneName(services, number);
	const { directory } = services.databases;
	const [[name]] = await directory.read(directory.orm.select().from(names).where(named(value)));
	if (!name) return { kind: "FREE" };
	const there = services.at(name.id);
	const [[user], [change]] = await there.db.read(
		findUser(there.db.orm, name.id),
		there.db.orm
			.select()
			.from(mobileNumberChanges)
			.where(eq(mobileNumberChanges.id, name.reservedFor ?? "")),
	);
	if (user?.mobileNumber === number) return { kind: "HELD", userId: user.id };
	// A name without its user: an exchange was interrupted, and the next one creates the user under that id.
	if (!user) return { kind: "HELD", userId: name.id };
	// A change ends when its row says so, so an expired one is undecided until the sweep has stored that.
	if (change && (change.status === "INITIALIZING" || change.status === "AUTHORIZED")) return { kind: "UNDECIDED" };
	await services.at(DIRECTORY_HOME).commitRegardless([removeName(directory.orm, value, name)]);
	return { kind: "FREE" };
}

/** Removes the name unless it has changed since it was read. */
const removeName = (orm: Orm, value: string, { id, reservedFor }: { id: string; reservedFor: string | null }): Write =>
	orm
		.delete(names)
		.where(and(named(value), eq(names.id, id), reservedFor === null ? isNull(names.reservedFor) : eq(names.reservedFor, reservedFor)));

/** Reserves the number for a change of the user, also if it names them already. Returns no row when it names another user. */
export const reserveNumber = (orm: Orm, value: string, { id, reservedFor, now }: { id: string; reservedFor: string; now: number }) =>
	orm
		.insert(names)
		.values({ kind: "PHONE", value, id, reservedFor, reservedAt: now, createdAt: now })
		.onConflictDoUpdate({ target: [names.kind, names.value], set: { reservedFor, reservedAt: now }, setWhere: sql`id = ${id}` })
		.returning({ id: names.id });

/** Makes the new number of a completed change final in the directory, and removes the old one. Safe to run twice. */
export function finishNames(
	orm: Orm,
	{ changeId, userId, fresh, old }: { changeId: string; userId: string; fresh: string; old: string | null },
): Write[] {
	return [
		orm
			.update(names)
			.set({ reservedFor: null, reservedAt: null })
			.where(and(named(fresh), eq(names.id, userId), eq(names.reservedFor, changeId))),
		...(old === null || old === fresh ? [] : [removeName(orm, old, { id: userId, reservedFor: null })]),
	];
}

/** Reservations made at or before `before`. */
export const findReserved = (orm: Orm, before: number, limit: number) =>
	orm.select().from(names).where(sql`reserved_for is not null and reserved_at <= ${before}`).orderBy(names.reservedAt).limit(limit);

/** Frees a reservation whose change has ended without success. */
export const freeReservation = (orm: Orm, value: string, reservation: { id: string; reservedFor: string | null }): Write =>
	removeName(orm, value, reservation);
