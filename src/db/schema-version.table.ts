// Which schema the database has: a single row, which the migrations write and the service only reads.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const schemaVersion = sqliteTable("schema_version", {
	id: integer().primaryKey(),
	/** SHA-256 of all migrations. */
	hash: text().notNull(),
});
