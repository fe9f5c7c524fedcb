// The key under which the directory's names were made: a single row, in the directory. It also says how far the names have moved while that
// key is retired.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const oldestKey = sqliteTable("oldest_key", {
	id: integer().primaryKey(),
	/** As sealed texts name it. */
	keyId: text().notNull(),
	/** A digest under the key, by which it is known again. */
	digest: text().notNull(),
	/** The key to which names move, while the oldest is retired. */
	nextKeyId: text(),
	/** When that began. */
	retiringSince: integer(),
	/** From when on new names are made under the next key; null while isolates may serve that know the oldest alone. */
	movingSince: integer(),
	/** When the last pass over all names began. */
	passSince: integer(),
	/** How far the pass has come: kind and value of the last name; null once it is over. */
	passCursor: text(),
	/** Names of the pass whose number or identity is nowhere. */
	passLeft: integer(),
});
