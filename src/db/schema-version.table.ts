// Which schema the database has: rows that the migrations write and the service only reads. The first has the hash of the last migration,
// and each migration since 0029 also leaves its own under its number, by which an earlier version knows a database that has been extended.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const schemaVersion = sqliteTable("schema_version", {
	id: integer().primaryKey(),
	/** SHA-256 of a migration and of all before it. */
	hash: text().notNull(),
});
