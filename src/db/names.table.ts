// What must be unique across all databases. Only the directory has this table.

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const NAME_KINDS = ["SLUG", "PHONE", "IDENTITY", "TAG", "PAYOUT_TRANSACTION", "PAYOUT_RETURN"] as const;
export type NameKind = (typeof NAME_KINDS)[number];

export const names = sqliteTable(
	"names",
	{
		kind: text({ enum: NAME_KINDS }).notNull(),
		/** Phones and identities as keyed digests, so that nobody can read numbers from the directory. */
		value: text().notNull(),
		/** The id of the row that has the name. It is chosen with the name, so that an interrupted request can be completed under it. */
		id: text().notNull(),
		/** The mobile-number change for which the name is reserved; null for a name that is final. */
		reservedFor: text(),
		/** Also of a name whose row was to be written in another database, until it is seen there. */
		reservedAt: integer(),
		createdAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.kind, table.value] }),
		index("names_reserved").on(table.reservedAt).where(sql`reserved_for is not null`),
		index("names_unsettled").on(table.reservedAt).where(sql`reserved_for is null and reserved_at is not null`),
	],
);
