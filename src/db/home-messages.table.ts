// What a home owes to others: written in the commit that owes it, removed once the others have it.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
export const homeMessages = sqliteTable("home_messages", {
	id: text().primaryKey(),
	kind: text().notNull(),
	/** An id whose home is to have it, or `everywhere`. */
	recipient: text().notNull(),
	/** JSON, in the form of its kind. */
	payload: text({ mode: "json" }).$type<unknown>().notNull(),
	createdAt: integer().notNull(),
});
