// Claims due messages, and records what became of them. A claim moves the next attempt 30 seconds ahead, so that no other sender takes
// the message meanwhile.

import { and, desc, eq, getTableColumns, gt, gte, lte, SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { assign, bareList, excluded } from "../../db/columns";
import type { Orm } from "../../db/database";
import { hole, prebuilt } from "../../db/prebuilt";
import { type Expired, expired } from "../../db/purge";
import type { Services } from "../../runtime/services";
import { idBoundAt } from "../../shared/ids";
import { DAY_MS, MINUTE_MS, toTimestamp } from "../../shared/time";
import { type Channel, type MessageRow, messageDays, messages } from "./table";

const message = alias(messages, "message");

const CLAIM_MS = 30_000;

/** As many connections as a Worker may have open at a time: a request that waits for a connection uses up its timeout. */
export const BATCH = 6;

/** Claims up to six due messages. Moving `nextAttemptAt` into the future keeps other senders off them. */
export const claimDue = ({ db: { orm }, now, lenders }: Pick<Services, "db" | "now" | "lenders">, only?: string) =>
	orm
		.update(messages)
		.set({ attempts: sql`${messages.attempts} + 1`, nextAttemptAt: now + CLAIM_MS })
		.where(
			sql`${messages.id} in (select ${message.id} from ${messages} ${message} where ${message.status} = 'PENDING' and ${message.nextAttemptAt} <= ${now}
				${only === undefined ? sql`` : sql`and ${message.id} = ${only}`} order by ${message.nextAttemptAt} limit ${BATCH})`,
		)
		.returning({ ...getTableColumns(messages), reader: lenders.readerOf(messages.userId).as("reader") });

/** A message with what is known of its reader. */
export type ClaimedMessage = MessageRow & { readonly reader: string | null };

/** Finds a row if a message is due. */
export const anyDue = (orm: Orm, now: number) =>
	orm.all(
		sql`select 1 from ${messages} ${message} where ${message.status} = 'PENDING' and ${message.nextAttemptAt} <= ${now} order by ${message.nextAttemptAt} limit 1`,
	);

/** Stores what became of an attempt, unless another sender has claimed the message since. */
export const recordAttempt = (orm: Orm, { id, attempts }: MessageRow, change: Partial<MessageRow>) =>
	orm
		.update(messages)
		.set(change)
		.where(and(eq(messages.id, id), eq(messages.status, "PENDING"), eq(messages.attempts, attempts)));

type Counted = Partial<Record<"sent" | "delivered" | "failed" | "cost", number>>;

const plus = (column: SQLiteColumn): SQL => sql`${column} + ${excluded(column)}`;

/** Counts with the message's day and provider, if it is in this state still: so it comes before the change of its state. */
export const countIf = (
	orm: Orm,
	{ id, createdAt }: MessageRow,
	by: { provider: string; currency: string | null },
	counted: Counted,
	state: SQL,
) => {
	const { sent = 0, delivered = 0, failed = 0, cost = 0 } = counted;
	const day = toTimestamp(createdAt).slice(0, 10);
	const d = messageDays;
	return orm.run(sql`
		insert into ${d} (${bareList(d.day, d.provider, d.currency, d.sent, d.delivered, d.failed, d.cost)})
		select ${day}, ${by.provider}, ${by.currency ?? ""}, ${sent}, ${delivered}, ${failed}, ${cost}
		from ${messages} where ${messages.id} = ${id} and ${state}
		on conflict do update set ${assign(d, {
			sent: plus(d.sent),
			delivered: plus(d.delivered),
			failed: plus(d.failed),
			cost: plus(d.cost),
		})}`);
};

export const isUnreported = sql`${messages.delivery} is null`;
export const isUnanswered = sql`${isUnreported} and ${messages.status} = 'PENDING'`;

export const recordDelivery = (orm: Orm, id: string, change: Partial<MessageRow>, state: SQL) =>
	orm
		.update(messages)
		.set(change)
		.where(and(eq(messages.id, id), state));

export const findMessage = (orm: Orm, id: string) => orm.select().from(messages).where(eq(messages.id, id));

export const findOfProvider = (orm: Orm, provider: string, providerMessageId: string) =>
	orm
		.select()
		.from(messages)
		.where(and(eq(messages.provider, provider), eq(messages.providerMessageId, providerMessageId)))
		.limit(1);

export const findDays = (orm: Orm, from: string, to: string) =>
	orm
		.select()
		.from(messageDays)
		.where(and(gte(messageDays.day, from), lte(messageDays.day, to)));

/** The claim of an attempt: no other sender has claimed the message since. */
export const isClaimed = ({ attempts }: MessageRow): SQL => sql`${messages.status} = 'PENDING' and ${messages.attempts} = ${attempts}`;

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
	sql`(select count(*) from (select 1 from ${messages} ${message}
		where ${message.category} is null and ${message.createdAt} > ${now - MINUTE_MS} limit ${budget})) < ${budget}`;

/** Where a message goes; as SQL a subquery of the columns `channel` and `recipient`, which reads them in the same statement. */
export type Address = { readonly channel: Channel; readonly recipient: string | null } | SQL;
/** The channel of the address that `insertMessage` selects from. */
export const addressed = sql`t.channel`;

const columnsOf = (address: Address): SQL =>
	address instanceof SQL ? address : sql`(select ${address.channel} as channel, ${address.recipient} as recipient)`;

type Reported = "provider" | "providerMessageId" | "cost" | "costCurrency" | "delivery" | "reportedAt";
type NewRow = Omit<MessageRow, "attempts" | "withheld" | "channel" | "recipient" | Reported> & { readonly address: Address };

const { placeholder } = sql;

const insert = prebuilt((orm) =>
	orm.run(sql`insert into ${messages}
		(${bareList(
			messages.id,
			messages.channel,
			messages.recipient,
			messages.purpose,
			messages.category,
			messages.userId,
			messages.status,
			messages.sealed,
			messages.attempts,
			messages.withheld,
			messages.nextAttemptAt,
			messages.expiresAt,
			messages.createdAt,
			messages.cause,
		)})
		select ${placeholder("id")}, t.channel, t.recipient, ${placeholder("purpose")}, ${placeholder("category")}, ${placeholder("userId")},
			iif(${hole("withheld")}, 'EXPIRED', ${placeholder("status")}), iif(${hole("withheld")}, null, ${placeholder("sealed")}), 0,
			${hole("withheld")}, iif(${hole("withheld")}, null, ${placeholder("nextAttemptAt")}), ${placeholder("expiresAt")},
			${placeholder("createdAt")}, ${placeholder("cause")}
		from ${hole("address")} t where t.recipient is not null and ${hole("condition")}`),
);

/** Stores the message if there is a recipient and `condition` holds then, and as a message that is never sent if `withheld` does. */
export const insertMessage = ({ address, ...row }: NewRow, { condition, withheld }: { condition: SQL; withheld: SQL }) =>
	insert({ ...row, address: columnsOf(address), condition, withheld });

/** Messages older than 30 days. */
export const expiredMessages = (orm: Orm, now: number): Expired =>
	expired(orm, messages, { key: [messages.id], by: messages.id, before: idBoundAt(now - 30 * DAY_MS) });
