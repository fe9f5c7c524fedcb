// Finds the records of keys that have expired, for the purge.

import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import { idempotencyRecords } from "../../db/idempotency.table";
import { type Expired, unlessNone } from "../../db/purge";

const record = alias(idempotencyRecords, "record");

/** Rows that are looked at to find whether any has expired. */
const FEW = 10;

/** Of the oldest rows, those that have expired: the clocks of isolates differ a little, so one may lie before another that expires earlier. */
const expiredOf = (limit: number, realNow: number): SQL => sql`
	select old.place from (
		select rowid as place, ${record.expiresAt} as expires_at from ${idempotencyRecords} ${record} where rowid > 0 order by rowid limit ${limit}) old
	where old.expires_at <= ${realNow}`;

/** Records older than the seven days. */
export const expiredRecords = (orm: Orm, realNow: number): Expired =>
	unlessNone(orm.all(expiredOf(FEW, realNow)), (limit) => [
		orm.delete(idempotencyRecords).where(sql`rowid in (${expiredOf(limit, realNow)})`),
	]);
