// What is unique in the whole world, whatever the number of databases: kept in the directory alone.

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const NAME_KINDS = ["SLUG", "PHONE", "IDENTITY", "TAG"] as const;
export type NameKind = (typeof NAME_KINDS)[number];

export const names = sqliteTable(
	"names",
	{
		kind: text({ enum: NAME_KINDS }).notNull(),
		/** Phones and identities as keyed digests, so that the directory tells nobody's number. */
		value: text().notNull(),
		/** What the name stands for; chosen with the name, so that whoever finds a name without its thing can make it under this id. */
		id: text().notNull(),
		/** The mobile-number change for which the name is reserved; null for a name that is final. */
		reservedFor: text(),
		reservedAt: integer(),
		createdAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.kind, table.value] }),
		index("names_reserved").on(table.reservedAt).where(sql`reserved_for is not null`),
	],
);
