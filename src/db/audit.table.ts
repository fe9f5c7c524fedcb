// The audit trail: what operators, members and API keys have changed. Rows are only ever added, by the commits of those changes.
// A stream is what one database holds of one organization's trail, or of the platform's.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const ACTOR_KINDS = ["OPERATOR", "MEMBER", "API_KEY"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

export const auditRows = sqliteTable(
	"audit_rows",
	{
		/** `<organization id or "platform">/<first home of the database>`. */
		stream: text().notNull(),
		/** Without gaps within the stream, in the order of commits. */
		sequence: integer().notNull(),
		id: text().notNull(),
		/** The id of the operation. */
		operation: text().notNull(),
		actorKind: text({ enum: ACTOR_KINDS }).notNull(),
		actorId: text().notNull(),
		/** The last id in `target`. */
		entityId: text(),
		/** The account of the answer, the ids in the path, and the id of what was made. */
		target: text({ mode: "json" }).$type<{ readonly [name: string]: string }>().notNull(),
		/** The body without its texts but codes of currencies: in their place are keyed digests. */
		changes: text({ mode: "json" }).$type<unknown>().notNull(),
		requestId: text().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.stream, table.sequence] }),
		check("audit_rows_actor_kind", sql`actor_kind in ('OPERATOR', 'MEMBER', 'API_KEY')`),
		index("audit_rows_entity").on(table.stream, table.entityId, table.sequence).where(sql`entity_id is not null`),
	],
);

export type AuditRow = typeof auditRows.$inferSelect;

/** How far each stream is sealed, and how far its seals are verified. */
export const auditStreams = sqliteTable(
	"audit_streams",
	{
		stream: text().primaryKey(),
		sealedThrough: integer().notNull().default(0),
		/** The hash of the last seal; before the first one, 64 zeros. */
		head: text().notNull().default("0".repeat(64)),
		/** Set by the first row after the last seal. */
		unsealedSince: integer(),
		/** Every seal up to here is intact. */
		verifiedThrough: integer().notNull().default(0),
		/** How far the current round of verification has come. */
		rereadThrough: integer().notNull().default(0),
		rereadAt: integer().notNull().default(0),
		/** When the head is to be announced; null while every seal has been. */
		announceAt: integer(),
		announcedAt: integer(),
	},
	(table) => [
		index("audit_streams_due").on(table.unsealedSince).where(sql`unsealed_since is not null`),
		index("audit_streams_reread").on(table.rereadAt).where(sql`sealed_through > 0`),
		index("audit_streams_announce").on(table.announceAt).where(sql`announce_at is not null`),
	],
);

export type AuditStreamRow = typeof auditStreams.$inferSelect;
