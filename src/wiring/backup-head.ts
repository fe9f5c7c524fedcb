// Where the backup of a database stands.

import { type SQL, sql } from "drizzle-orm";
import { backupHeads } from "../db/backup.table";

export type Head = typeof backupHeads.$inferSelect;

/** As it was read. */
export const isStill = ({ number, hash, generation }: Head): SQL =>
	sql`${backupHeads.id} = 1 and ${backupHeads.number} = ${number} and ${backupHeads.hash} = ${hash} and ${backupHeads.generation} = ${generation}`;

export const newKeySet = (): string => crypto.randomUUID().slice(0, 13);
