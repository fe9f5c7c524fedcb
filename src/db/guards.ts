// Conditions that abort a commit when the rows that a decision was based on have changed since they were read.

import { type SQL, sql } from "drizzle-orm";
import { type Effect, effect, type Statement } from "./database";
import { prebuilt } from "./prebuilt";

/**
 * Aborts the whole commit as stale unless the condition holds within it; null counts as false. SQLite allows RAISE only in
 * triggers, so the abort is an error that SQLite raises for malformed JSON.
 */
export const orStaleUnless = (condition: SQL): SQL => sql`select case when (${condition}) is not true then json('stale write') end`;

const changedOne = prebuilt((orm) => orm.run(orStaleUnless(sql`changes() = 1`)));

/** A write that must change exactly one row: if it changes none, or more, the whole commit is aborted as stale. */
export const guarded = <S extends Statement>(write: S, committed: (result: S["_"]["result"]) => void = () => {}): Effect =>
	effect([write, changedOne({})], ([result]) => committed(result));

/**
 * Refuses the whole commit with the reason if the condition holds within it, as a trigger would that raises the reason: the only error
 * with words of one's own that SQLite raises elsewhere is that for the path into a JSON value.
 */
export const refuseIf = (condition: SQL, reason: string): SQL => sql`select case when ${condition} then json_extract('{}', ${reason}) end`;
