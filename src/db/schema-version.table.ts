// Which schema the database has, of one row. The migrations write it; the service only reads it.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const schemaVersion = sqliteTable("schema_version", {
	id: integer().primaryKey(),
	/** SHA-256 of all migrations. */
	hash: text().notNull(),
});
