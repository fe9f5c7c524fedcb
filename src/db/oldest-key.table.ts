// The key under which the directory's names were made: a single row, in the directory.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const oldestKey = sqliteTable("oldest_key", {
	id: integer().primaryKey(),
	/** As sealed texts name it. */
	keyId: text().notNull(),
	/** A digest under the key, by which it is known again. */
	digest: text().notNull(),
});
