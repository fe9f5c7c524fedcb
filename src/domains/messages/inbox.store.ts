// Builds the statements on what users read inside an app.

import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bareList } from "../../db/columns";
import type { Orm } from "../../db/database";
import { hole, prebuilt } from "../../db/prebuilt";
import { type Expired, expired } from "../../db/purge";
import type { Services } from "../../runtime/services";
import { idBoundAt } from "../../shared/ids";
import { DAY_MS } from "../../shared/time";
import { users } from "../users/model/table";
import { type InboxRow, inbox } from "./inbox.table";

const eachInbox = alias(inbox, "each_inbox");

/** What is counted of the unread, and what is marked as read at a time. */
export const MOST_COUNTED = 100;
export const MOST_MARKED = 1_000;

const DAYS_KEPT = 180;

const { placeholder } = sql;

const insert = prebuilt((orm) =>
	orm.run(sql`insert into ${inbox} (${bareList(inbox.id, inbox.userId, inbox.category, inbox.sealed, inbox.createdAt)})
		select ${placeholder("id")}, ${placeholder("userId")}, ${placeholder("category")}, ${placeholder("sealed")}, ${placeholder("createdAt")}
		where ${hole("condition")} on conflict do nothing`),
);

/** Stores it if `condition` holds then, once. */
export const insertInbox = (row: Omit<InboxRow, "readAt">, condition: SQL) => insert({ ...row, condition });

/** How many the user has not read, up to the most that are counted. */
export const countUnread = (orm: Orm, userId: string) =>
	orm
		.select({ unread: sql<number>`count(*)`.as("unread") })
		.from(
			sql`(select 1 from ${inbox} ${eachInbox} where ${eachInbox.userId} = ${userId} and ${eachInbox.readAt} is null limit ${MOST_COUNTED})`,
		);

/** What is known of its reader. */
export const findReader = ({ db: { orm }, lenders }: Pick<Services, "db" | "lenders">, userId: string) =>
	orm
		.select({ reader: lenders.readerOf(users.id).as("reader") })
		.from(users)
		.where(eq(users.id, userId));

export const findInboxMessage = (orm: Orm, id: string, userId: string) =>
	orm
		.select({ id: inbox.id, createdAt: inbox.createdAt })
		.from(inbox)
		.where(and(eq(inbox.id, id), eq(inbox.userId, userId)));

/** Marks this one and those before it as read, the newest first. */
export const markRead = (orm: Orm, userId: string, { id, createdAt }: Pick<InboxRow, "id" | "createdAt">, now: number) =>
	orm
		.update(inbox)
		.set({ readAt: now })
		.where(
			sql`${inbox.id} in (select ${eachInbox.id} from ${inbox} ${eachInbox}
				where ${eachInbox.userId} = ${userId} and ${eachInbox.readAt} is null and (${eachInbox.createdAt}, ${eachInbox.id}) <= (${createdAt}, ${id})
				order by ${eachInbox.createdAt} desc, ${eachInbox.id} desc limit ${MOST_MARKED})`,
		);

/** Those older than 180 days. */
export const expiredInbox = (orm: Orm, now: number): Expired =>
	expired(orm, inbox, { key: [inbox.id], by: inbox.id, before: idBoundAt(now - DAYS_KEPT * DAY_MS) });
