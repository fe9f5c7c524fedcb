// Claims due messages, and records what became of them. A claim moves the next attempt 30 seconds ahead, so that no other sender takes
// the message meanwhile.

import { and, desc, eq, gt, SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bareList } from "../../db/columns";
import type { Orm } from "../../db/database";
import { hole, prebuilt } from "../../db/prebuilt";
import { type Expired, expired } from "../../db/purge";
import { DAY_MS, MINUTE_MS } from "../../shared/time";
import { type Channel, type MessageRow, messages } from "./table";

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

/** Where a message goes; as SQL a subquery of the columns `channel` and `recipient`, which reads them in the same statement. */
export type Address = { readonly channel: Channel; readonly recipient: string | null } | SQL;
/** The channel of the address that `insertMessage` selects from. */
export const addressed = sql`t.channel`;

const columnsOf = (address: Address): SQL =>
	address instanceof SQL ? address : sql`(select ${address.channel} as channel, ${address.recipient} as recipient)`;

type NewRow = Omit<MessageRow, "attempts" | "withheld" | "channel" | "recipient"> & { readonly address: Address };

const { placeholder } = sql;

const insert = prebuilt((orm) =>
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
		select ${placeholder("id")}, t.channel, t.recipient, ${placeholder("purpose")}, ${placeholder("category")},
			iif(${hole("withheld")}, 'EXPIRED', ${placeholder("status")}), iif(${hole("withheld")}, null, ${placeholder("sealed")}), 0,
			${hole("withheld")}, iif(${hole("withheld")}, null, ${placeholder("nextAttemptAt")}), ${placeholder("expiresAt")},
			${placeholder("createdAt")}
		from ${hole("address")} t where t.recipient is not null and ${hole("condition")}`),
);

/** Stores the message if there is a recipient and `condition` holds then, and as one that is never sent if `withheld` does. */
export const insertMessage = ({ address, ...row }: NewRow, { condition, withheld }: { condition: SQL; withheld: SQL }) =>
	insert({ ...row, address: columnsOf(address), condition, withheld });

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
