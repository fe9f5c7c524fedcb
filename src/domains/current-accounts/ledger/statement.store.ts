// Finds the entries that moved the balance, in the order in which they did, and the balances at the ends of a span of days. The days of
// an account's entries never descend, so they are in the order of their positions by day and position too.

import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../../db/database";
import type { Keyset } from "../../../db/keyset";
import { first } from "../../../db/reads";
import { addDays, type CalendarDate } from "../../../shared/time";
import { currentAccountEntries } from "../table";

/** Both days included. */
export type Days = { readonly from: CalendarDate; readonly to: CalendarDate };

const { accountId, position, amount, day, balanceAfter } = currentAccountEntries;
const moves = sql`${amount} <> 0`;

const lastBefore = (orm: Orm, account: SQL, first: CalendarDate) =>
	orm
		.select({ position, balanceAfter })
		.from(currentAccountEntries)
		.where(and(eq(accountId, account), lt(day, first), moves))
		.orderBy(desc(day), desc(position))
		.limit(1);

/** The last entries before the days and up to their end, whose balances are the opening and the closing one. */
export const findEnds = (orm: Orm, account: SQL, { from, to }: Days) => ({
	before: first(lastBefore(orm, account, from)),
	last: first(lastBefore(orm, account, addDays(to, 1))),
});

/** The key of lists of these entries. */
export const byPosting = (order: Keyset<never>["order"]): Keyset<{ day: string; position: number }> => ({
	at: day,
	id: position,
	of: (row) => [Date.parse(row.day), row.position],
	stored: (at) => new Date(at).toISOString().slice(0, 10),
	order,
});

/** A cursor within the days is the closer bound on its side, and SQLite searches an index by one bound on each side. */
export const isWithin = (
	account: SQL,
	{ from, to }: Days,
	{ after, before }: { after?: string | undefined; before?: string | undefined },
) =>
	and(
		eq(accountId, account),
		moves,
		after === undefined ? gte(day, from) : undefined,
		before === undefined ? lt(day, addDays(to, 1)) : undefined,
	);
