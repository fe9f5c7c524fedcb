// The messages that a home owes to others: written in the commit that owes them, removed once they are carried.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const homeMessages = sqliteTable("home_messages", {
	id: text().primaryKey(),
	kind: text().notNull(),
	/** An id, for whose home the message is, or `everywhere`. */
	recipient: text().notNull(),
	/** JSON, in the form of its kind. */
	payload: text({ mode: "json" }).$type<unknown>().notNull(),
	createdAt: integer().notNull(),
});
