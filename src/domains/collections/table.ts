// What a lender's people note about borrowers and loans: notes, promises to pay and reminders; and who looks after what. All in the
// organization's home.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { CalendarDate } from "../../shared/time";
import { FOLLOW_UP_TYPES, PROMISE_STATUSES, WORK_SUBJECTS } from "./lifecycle";

export const followUps = sqliteTable(
	"follow_ups",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		/** The borrower. */
		userId: text().notNull(),
		/** Of a note about the borrower alone: null. */
		accountId: text(),
		type: text({ enum: FOLLOW_UP_TYPES }).notNull(),
		/** Of a note. */
		body: text(),
		/** Of a promise, in minor units of the account's currency. */
		amount: integer(),
		currency: text(),
		/** Of a promise the day by whose end it is to be paid; of a reminder the day on which it was sent. */
		day: text().$type<CalendarDate>(),
		/** Of a promise. */
		status: text({ enum: PROMISE_STATUSES }),
		/** Of a promise: the account's newest transaction when it was made; payments after that keep it. */
		position: integer(),
		/** Of an open promise: when its day has ended. */
		checkAt: integer(),
		author: text().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [
		index("follow_ups_of_user").on(table.userId, table.createdAt, table.id),
		index("follow_ups_of_account").on(table.accountId, table.createdAt, table.id).where(sql`account_id is not null`),
		index("follow_ups_by_status").on(table.organizationId, table.status, table.createdAt, table.id).where(sql`status is not null`),
		index("follow_ups_promises").on(table.accountId, table.createdAt, table.id).where(sql`type = 'PROMISE'`),
		index("follow_ups_check").on(table.checkAt).where(sql`check_at is not null`),
		uniqueIndex("follow_ups_promised_once").on(table.accountId).where(sql`status = 'OPEN'`),
		uniqueIndex("follow_ups_reminded_once").on(table.accountId, table.day).where(sql`type = 'REMINDER'`),
		check("follow_ups_promise", sql`(type = 'PROMISE') = (status is not null)`),
		check("follow_ups_open", sql`(status is 'OPEN') = (check_at is not null)`),
	],
);

export type FollowUpRow = typeof followUps.$inferSelect;

/** Work that ends. A loan and a borrower stay. */
export const ENDS = sql`kind not in ('ACCOUNT', 'USER')`;

/** The member who looks after a loan, after a borrower or somebody on the waiting list, or after another piece of work that waits. */
export const workOwners = sqliteTable(
	"work_owners",
	{
		organizationId: text().notNull(),
		/** The account, the user, the payment … */
		subjectId: text().notNull(),
		kind: text({ enum: WORK_SUBJECTS }).notNull(),
		/** The user's id of the member. */
		ownerId: text().notNull(),
		assignedAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.subjectId] }),
		index("work_owners_of").on(table.organizationId, table.ownerId, table.kind, table.assignedAt, table.subjectId),
		index("work_owners_purge").on(table.assignedAt).where(ENDS),
	],
);
