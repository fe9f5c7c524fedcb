// How far the backup of this database has come. Where it is backed up, triggers note the keys of rows that change; the sweep writes the rows
// into files, each of which names the one before.

import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One row while the database is backed up. */
export const backupHeads = sqliteTable("backup_heads", {
	id: integer().primaryKey(),
	/** Under which changes are noted now. The row that is read has an earlier state, so that a later change of it is noted again. */
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
	/** Among which the keys are looked for that seal what names a person: each copy of all rows begins a set of its own. */
	keySet: text().notNull().default(""),
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

/** The keys under which files have what names a person. They are destroyed with the person's erasure, here and in the bucket. */
export const backupKeys = sqliteTable(
	"backup_keys",
	{
		/** A user's id, a number's digits, a mail address, or another text by which somebody is recognised. */
		subject: text().notNull(),
		keySet: text().notNull(),
		/** The key file that has it, and its place there. */
		file: text().notNull(),
		place: integer().notNull(),
		/** 32 bytes, in base64url. */
		key: text().notNull(),
	},
	(table) => [primaryKey({ columns: [table.subject, table.keySet] }), index("backup_keys_by_file").on(table.file, table.place)],
);

/** The key files in the bucket. */
export const backupKeyFiles = sqliteTable(
	"backup_key_files",
	{
		name: text().primaryKey(),
		keySet: text().notNull(),
		/** Counts how often keys were taken out of it. */
		version: integer().notNull(),
		/** null: the bucket lacks it, or still has keys that were destroyed. */
		writtenAt: integer(),
		createdAt: integer().notNull(),
	},
	(table) => [
		index("backup_key_files_unwritten").on(table.name).where(sql`written_at is null`),
		index("backup_key_files_by_age").on(table.createdAt),
	],
);
