// The count of attempts in the rows of what a provider is asked to do.

import { and, eq, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Effect, Orm } from "./database";
import { guarded } from "./guards";

type Attempted = SQLiteTable & Readonly<Record<"id" | "attempts" | "nextAttemptAt", SQLiteColumn>>;
type Seen = { readonly id: string; readonly attempts: number };

/**
 * Counts the attempt that follows the commit, and schedules the next one. Stale when another sweep has counted it, or the row is no longer
 * `open`. `also`: what else changes with it.
 */
export const countAttempt = (
	orm: Orm,
	table: Attempted,
	{ id, attempts }: Seen,
	{ next, open, also }: { readonly next: number; readonly open: SQL | undefined; readonly also?: Readonly<Record<string, SQL>> },
): Effect =>
	guarded(
		orm
			.update(table as SQLiteTable)
			.set({ attempts: attempts + 1, nextAttemptAt: next, ...also })
			.where(and(eq(table.id, id), open, eq(table.attempts, attempts))),
	);
