// The seals of the audit trail: each covers the rows since the one before it, and names that one by its hash.

import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const auditSeals = sqliteTable(
	"audit_seals",
	{
		stream: text().notNull(),
		fromSequence: integer().notNull(),
		throughSequence: integer().notNull(),
		/** The SHA-256 of each row, in order, which shows which row was changed. */
		leaves: text({ mode: "json" }).$type<readonly string[]>().notNull(),
		/** SHA-256 over the leaves. */
		root: text().notNull(),
		/** The hash of the seal before it; of the first, 64 zeros. */
		previous: text().notNull(),
		/** SHA-256 over `sealedAt` and all of the above but the leaves. */
		hash: text().notNull(),
		/** Compact JWS of the hash by the service's signing key. */
		signature: text().notNull(),
		sealedAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.stream, table.throughSequence] }),
		uniqueIndex("audit_seals_from").on(table.stream, table.fromSequence),
	],
);

export type AuditSealRow = typeof auditSeals.$inferSelect;
