// What D1 fails with for a moment, and what is done about it. D1 itself repeats reads alone.
// https://developers.cloudflare.com/d1/best-practices/retry-queries/

import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** The database could not be reached. Nothing is known of the work, or that it was not done: the same call may be sent again. */
export class DatabaseUnavailable extends Error {}

/** The answer to a commit was lost, and its mark is there: it was done, by this very commit. Its results are lost. */
export class Landed extends DatabaseUnavailable {}

/** A row that a commit inserts under an id that no other commit has: where it is, the commit was done. */
export type Mark = { readonly table: SQLiteTable; readonly id: string };

const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 50;

/** The database takes nothing now: certainly not done. */
const OVERLOADED = /overloaded|too many requests queued/i;
/** It may have been done. */
const LOST =
	/network connection lost|storage caused object to be reset|reset because its code was updated|internal error in d1|d1 db reset/i;

type Failure = "OVERLOADED" | "LOST" | "OTHER";

/** What a message of D1 says about whether the batch was done. */
export const failureIn = (message: string): Failure => (OVERLOADED.test(message) ? "OVERLOADED" : LOST.test(message) ? "LOST" : "OTHER");

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
let wait = sleep;

/** How time passes between tries, where no timer fires. */
export function waitBy(other: (ms: number) => Promise<void> = sleep): void {
	wait = other;
}

/** Twice as long each time, and up to half as long again, so that what failed together does not come back together. */
const pauseAfter = (tries: number): Promise<void> => wait(FIRST_PAUSE_MS * 2 ** (tries - 1) * (1 + Math.random() / 2));

/** D1's message, which is the cause of Drizzle's. Drizzle's own message contains the bound values. */
export function reasonOf(error: unknown): string {
	const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
	return cause instanceof Error ? cause.message : "";
}

/**
 * Work on D1, again while it fails for a moment. Throws `DatabaseUnavailable` when it keeps failing.
 *
 * @param mayRepeat whether it may be done again although it may have been done
 */
export async function repeated<T>(work: () => Promise<T>, mayRepeat: () => boolean = () => true): Promise<T> {
	for (let tries = 1; ; tries++) {
		try {
			return await work();
		} catch (error) {
			const failure = failureIn(reasonOf(error));
			if (failure === "OTHER") throw error;
			if ((failure === "LOST" && !mayRepeat()) || tries === MAX_TRIES)
				throw new DatabaseUnavailable("the database does not answer", { cause: error });
			await pauseAfter(tries);
		}
	}
}
