// Finds the entries of a span of days that moved the balance, and the balances at its ends. The days of an account's entries never
// descend, so a span of days is a span of positions.

import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../../db/database";
import { first } from "../../../db/reads";
import { addDays, type CalendarDate } from "../../../shared/time";
import { currentAccountEntries } from "../table";

const currentAccountEntry = alias(currentAccountEntries, "current_account_entry");

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

const positionBefore = (account: SQL, first: CalendarDate) =>
	sql`coalesce((select ${currentAccountEntry.position} from ${currentAccountEntries} ${currentAccountEntry}
		where ${currentAccountEntry.accountId} = ${account} and ${currentAccountEntry.day} < ${first} and ${currentAccountEntry.amount} <> 0 order by ${currentAccountEntry.day} desc, ${currentAccountEntry.position} desc limit 1), 0)`;

/** A cursor within the days is the closer bound on its side, and SQLite searches an index by one bound on each side. */
export const isWithin = (
	account: SQL,
	{ from, to }: Days,
	{ after, before }: { after?: string | undefined; before?: string | undefined },
) =>
	and(
		eq(accountId, account),
		moves,
		after === undefined ? sql`${position} > ${positionBefore(account, from)}` : undefined,
		before === undefined ? sql`${position} <= ${positionBefore(account, addDays(to, 1))}` : undefined,
	);
