// Which schema the database has: each migration leaves a row under its number, which the service only reads. By its own last one a version
// also knows a database that later migrations have extended.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const schemaVersion = sqliteTable("schema_version", {
	id: integer().primaryKey(),
	/** SHA-256 of a migration and of all before it. */
	hash: text().notNull(),
});
