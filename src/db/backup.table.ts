// How far the backup of this database has come. Where it is backed up, triggers note the keys of rows that change; the sweep writes the rows
// into files, each of which names the one before.

import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One row while the database is backed up. */
export const backupHeads = sqliteTable("backup_heads", {
	id: integer().primaryKey(),
	/** Under which changes are noted now. What is read has an earlier one, so that a later change of the same row is noted again. */
	generation: integer().notNull(),
	/** The last migration whose tables are watched. */
	migration: integer().notNull(),
	/** Of the last file; 0 before the first. */
	number: integer().notNull(),
	/** SHA-256 of the last file; empty before the first. */
	hash: text().notNull(),
	writtenAt: integer().notNull(),
	/** The number of the file with which the last complete copy of all rows begins, and when it was written. */
	base: integer().notNull(),
	baseSince: integer().notNull(),
	/** The same of a copy that is being made. */
	nextBase: integer(),
	nextBaseSince: integer(),
});

export const BACKUP_TABLE_STATES = ["WATCHED", "COPYING", "COPYING_ANEW"] as const;

export const backupTables = sqliteTable(
	"backup_tables",
	{
		name: text().primaryKey(),
		/** Its columns in their order: JSON. */
		columns: text().notNull(),
		/** `COPYING_ANEW`: changes were not noted before, so that what files say of it so far is void. */
		state: text({ enum: BACKUP_TABLE_STATES }).notNull(),
		/** The key of the last row that was copied: JSON. */
		cursor: text(),
	},
	(table) => [index("backup_tables_by_state").on(table.state, table.name)],
);

/** Rows that have changed since they were last written into a file, by their primary keys of up to four columns. */
export const changedRows = sqliteTable(
	"changed_rows",
	{
		relation: text().notNull(),
		key1: blob().notNull(),
		key2: blob().notNull(),
		key3: blob().notNull(),
		key4: blob().notNull(),
		generation: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.relation, table.key1, table.key2, table.key3, table.key4, table.generation] })],
);
