// The directory's names of mobile numbers while a number changes hands. A name only reserves the number: who has it is decided by the
// row in the user's home.

import { and, eq, isNotNull, isNull, lte } from "drizzle-orm";
import type { Orm, Write } from "../../../db/database";
import { isForm, type NameValue, writtenForm } from "../../../db/names";
import { names } from "../../../db/names.table";

export const named = (value: NameValue) => and(eq(names.kind, "PHONE"), isForm(names.value, value));

/** Removes the name unless it has changed since it was read. */
export const removeName = (orm: Orm, value: NameValue, { id, reservedFor }: { id: string; reservedFor: string | null }): Write =>
	orm
		.delete(names)
		.where(and(named(value), eq(names.id, id), reservedFor === null ? isNull(names.reservedFor) : eq(names.reservedFor, reservedFor)));

/** Reserves the number for a change of the user, also if it names them already. Returns no row when it names another user. */
export const reserveNumber = (orm: Orm, value: NameValue, { id, reservedFor, now }: { id: string; reservedFor: string; now: number }) =>
	orm
		.insert(names)
		.values({ kind: "PHONE", value: writtenForm("PHONE", value), id, reservedFor, reservedAt: now, createdAt: now })
		.onConflictDoUpdate({ target: [names.kind, names.value], set: { reservedFor, reservedAt: now }, setWhere: eq(names.id, id) })
		.returning({ id: names.id });

/** Reservations made at or before `before`. */
export const findReserved = (orm: Orm, before: number, limit: number) =>
	orm
		.select()
		.from(names)
		.where(and(isNotNull(names.reservedFor), lte(names.reservedAt, before)))
		.orderBy(names.reservedAt)
		.limit(limit);

/** Makes the name of a number final that is the user's, unless the name has changed since it was read. */
export const settleName = (orm: Orm, value: NameValue, { id, reservedFor }: { id: string; reservedFor: string | null }): Write =>
	orm
		.update(names)
		.set({ reservedFor: null, reservedAt: null })
		.where(and(named(value), eq(names.id, id), eq(names.reservedFor, reservedFor ?? "")));
