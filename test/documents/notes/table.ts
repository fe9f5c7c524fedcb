// Notes of an organization's members, in the organization's home.

import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const notes = sqliteTable(
	"notes",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		body: text().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [index("notes_by_organization").on(table.organizationId, table.createdAt, table.id)],
);
