// One data directory, one service: two runtimes on the same files would fire the same alarms twice. The claim is SQLite's exclusive lock on
// a file in the directory. The operating system gives it to one process and takes it back when that process ends in any way. A second file
// names the holder.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface Holder {
	readonly pid: number;
	/** Where it serves; absent while it starts. */
	readonly url?: string;
}

export interface Claim {
	/** Writes down for others where the data is served. */
	announce(url: string): void;
	release(): void;
}

/** How long a start waits for another process that only looks whether the data is served. */
const lookMs = 1_000;

const LOCK_FILE = "claim.sqlite";
const HOLDER_FILE = "claim.json";
/** What every claim leaves in the directory, and what SQLite adds while it holds. */
export const CLAIM_FILES: readonly string[] = [LOCK_FILE, HOLDER_FILE];
export const LOCK_JOURNAL = `${LOCK_FILE}-journal`;

const lockPath = (statePath: string): string => path.join(statePath, LOCK_FILE);
const holderPath = (statePath: string): string => path.join(statePath, HOLDER_FILE);

function lock(statePath: string, timeout: number): DatabaseSync | undefined {
	const database = new DatabaseSync(lockPath(statePath), { timeout });
	try {
		database.exec("BEGIN EXCLUSIVE");
		return database;
	} catch (error) {
		database.close();
		if (error instanceof Error && /locked/.test(error.message)) return undefined;
		throw error;
	}
}

function recorded(statePath: string): Holder | undefined {
	try {
		return JSON.parse(readFileSync(holderPath(statePath), "utf8")) as Holder;
	} catch {
		// Not written yet, or half written.
		return undefined;
	}
}

const unknown: Holder = { pid: 0 };

/** Claims the data, or returns its present holder. */
export function claim(statePath: string): Claim | { holder: Holder } {
	mkdirSync(statePath, { recursive: true });
	const held = lock(statePath, lookMs);
	if (!held) return { holder: recorded(statePath) ?? unknown };
	const record = (holder: Holder): void => writeFileSync(holderPath(statePath), JSON.stringify(holder));
	record({ pid: process.pid });
	return {
		announce: (url) => record({ pid: process.pid, url }),
		release: () => held.isOpen && held.close(),
	};
}

/** The process that serves this data now, if any. */
export function holderOf(statePath: string): Holder | undefined {
	let free: DatabaseSync | undefined;
	try {
		free = lock(statePath, 0);
	} catch {
		// The directory does not exist, so nobody serves it.
		return undefined;
	}
	free?.close();
	return free ? undefined : (recorded(statePath) ?? unknown);
}

/** Who serves the data, as a clause to print. */
export const nameOf = ({ pid, url }: Holder): string =>
	`${url ? `served at ${url}` : "being started"}${pid > 0 ? ` (process ${pid})` : ""}`;
