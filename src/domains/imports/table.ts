// Imports of running books from other programs: their lines as they were sent, and what became of each account. The lines of an account
// are removed with the commit that imports it.

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Fault } from "./fault.policy";
import { ACCOUNT_STATES, IMPORT_STATES } from "./lifecycle";
import type { Line } from "./lines.wire";

export const imports = sqliteTable(
	"imports",
	{
		id: text().primaryKey(),
		/** To which the borrowers and their accounts belong. */
		organizationId: text().notNull(),
		/** The operator's name for it, by which a repeated request finds it. */
		name: text().notNull(),
		status: text({ enum: IMPORT_STATES }).notNull(),
		/** Counts the portions that changed a line: who approves the import names the revision that was checked. */
		revision: integer().notNull(),
		createdBy: text().notNull(),
		createdAt: integer().notNull(),
		updatedAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("imports_once").on(table.organizationId, table.name),
		index("imports_work").on(table.updatedAt).where(sql`status in ('CHECKING', 'RUNNING')`),
		index("imports_age").on(table.updatedAt),
	],
);

export type ImportRow = typeof imports.$inferSelect;

/** The old program's accounts. */
export const importAccounts = sqliteTable(
	"import_accounts",
	{
		importId: text().notNull(),
		oldId: text().notNull(),
		status: text({ enum: ACCOUNT_STATES }).notNull(),
		/** The account here, once it is imported. */
		accountId: text(),
		/** The borrower, as the check found them, if they were a user before the import. */
		existingUserId: text(),
		/** Why the account cannot be imported. */
		fault: text({ mode: "json" }).$type<Fault>(),
		/** How often it was begun to compute it, since it was computed last. */
		attempts: integer().notNull().default(0),
		createdAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.importId, table.oldId] }),
		index("import_accounts_list").on(table.importId, table.status, table.createdAt, table.oldId),
		index("import_accounts_of_users")
			.on(table.importId, table.status, table.createdAt, table.oldId)
			.where(sql`existing_user_id is not null`),
	],
);

export type ImportAccountRow = typeof importAccounts.$inferSelect;

export const importLines = sqliteTable(
	"import_lines",
	{
		importId: text().notNull(),
		oldAccountId: text().notNull(),
		/** The line's type, and what names it within the account and type. */
		type: text().notNull(),
		key: text().notNull(),
		content: text({ mode: "json" }).$type<Line>().notNull(),
		/** The import's revision that the line made. */
		revision: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.importId, table.oldAccountId, table.type, table.key] })],
);
