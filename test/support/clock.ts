// Moves the service's clock without running the work that falls due. A test runs that work itself, or calls the operation.

import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { clockOffset, rememberOffset } from "../../src/runtime/clock";
import { sandboxClock } from "../../src/runtime/clock.table";
import { db } from "./factories";

/** Moves the clock forward for every later request. */
export async function moveClock(byMs: number): Promise<void> {
	const [row] = await db
		.insert(sandboxClock)
		.values({ id: 1, offsetMs: byMs })
		.onConflictDoUpdate({ target: sandboxClock.id, set: { offsetMs: sql`${sandboxClock.offsetMs} + ${byMs}` } })
		.returning();
	rememberOffset(row?.offsetMs ?? byMs);
}

/** What time it is for the service. */
export const serviceTime = async (): Promise<Date> => new Date(Date.now() + (await clockOffset(env.DB, "local")));
