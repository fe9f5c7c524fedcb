// Claims due messages, and records what became of them. A claim moves the next attempt 30 seconds ahead, so that no other sender takes
// the message meanwhile.

import { and, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bareList } from "../../db/columns";
import type { Orm } from "../../db/database";
import { type Expired, expired } from "../../db/purge";
import { DAY_MS, MINUTE_MS } from "../../shared/time";
import { type MessageRow, messages } from "./table";

const m = alias(messages, "m");

const CLAIM_MS = 30_000;

/** As many connections as a Worker may have open at a time: a request that waits for a connection uses up its timeout. */
export const BATCH = 6;

/** Claims up to six due messages. Moving `nextAttemptAt` into the future keeps other senders off them. */
export const claimDue = (orm: Orm, now: number, only?: string) =>
	orm
		.update(messages)
		.set({ attempts: sql`${messages.attempts} + 1`, nextAttemptAt: now + CLAIM_MS })
		.where(
			sql`${messages.id} in (select ${m.id} from ${messages} ${m} where ${m.status} = 'PENDING' and ${m.nextAttemptAt} <= ${now}
				${only === undefined ? sql`` : sql`and ${m.id} = ${only}`} order by ${m.nextAttemptAt} limit ${BATCH})`,
		)
		.returning();

/** Stores what became of an attempt, unless another sender has claimed the message since. */
export const recordAttempt = (orm: Orm, { id, attempts }: MessageRow, change: Partial<MessageRow>) =>
	orm
		.update(messages)
		.set(change)
		.where(and(eq(messages.id, id), eq(messages.status, "PENDING"), eq(messages.attempts, attempts)));

/**
 * The message that used up a minute's budget of those that somebody asked for; no row while some of it is left. Codes have shares of
 * their own, and notices no budget.
 */
export const findLastOfBudget = (orm: Orm, budget: number, now: number) =>
	orm
		.select({ createdAt: messages.createdAt })
		.from(messages)
		.where(and(sql`${messages.category} is null`, gt(messages.createdAt, now - MINUTE_MS)))
		.orderBy(desc(messages.createdAt))
		.limit(1)
		.offset(budget - 1);

/** Whether some of a minute's budget is left. */
export const isLeftOf = (budget: number, now: number): SQL =>
	sql`(select count(*) from (select 1 from ${messages} ${m}
		where ${m.category} is null and ${m.createdAt} > ${now - MINUTE_MS} limit ${budget})) < ${budget}`;

type NewRow = Omit<MessageRow, "attempts" | "withheld" | "recipient"> & {
	/** As SQL if it is read in the same statement. */
	recipient: string | SQL;
};
/** Stores the message if `condition` holds then, and as one that is never sent if `withheld` does. */
export const insertMessage = (orm: Orm, row: NewRow, { condition, withheld }: { condition: SQL; withheld: SQL }) =>
	orm.run(sql`insert into ${messages}
		(${bareList(
			messages.id,
			messages.channel,
			messages.recipient,
			messages.purpose,
			messages.category,
			messages.status,
			messages.sealed,
			messages.attempts,
			messages.withheld,
			messages.nextAttemptAt,
			messages.expiresAt,
			messages.createdAt,
		)})
		select ${row.id}, ${row.channel}, ${row.recipient}, ${row.purpose}, ${row.category},
			iif(${withheld}, 'EXPIRED', ${row.status}), iif(${withheld}, null, ${row.sealed}), 0, ${withheld},
			iif(${withheld}, null, ${row.nextAttemptAt}), ${row.expiresAt}, ${row.createdAt}
		where ${condition}`);

/** Messages older than 30 days. */
export const expiredMessages = (orm: Orm, now: number): Expired[] =>
	[false, true].map((withheld) =>
		expired(orm, messages, {
			key: [messages.id],
			by: messages.createdAt,
			before: now - 30 * DAY_MS,
			only: eq(messages.withheld, withheld),
		}),
	);
