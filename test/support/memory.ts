// Keeps the temporary files of a run in memory, where Linux has room for them: then none of thousands of commits waits for a disk.

import { mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";

const MEMORY = "/dev/shm";
const PREFIX = "financial-account-service-";
/** What a run needs at most, several times over. */
const ROOM = 2 ** 31;

function hasRoom(): boolean {
	try {
		const { bavail, bsize } = statfsSync(MEMORY);
		return bavail * bsize > ROOM;
	} catch {
		return false;
	}
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}

/** Gives this process and its children a directory in memory, which goes when it ends; also those of runs that were killed. */
export function keepTemporaryFilesInMemory(): void {
	if (process.env.TMPDIR || !hasRoom()) return;
	const left = readdirSync(MEMORY).filter((name) => {
		const pid = Number(name.slice(PREFIX.length));
		// Under this process's number, it was left by another that had the same.
		return name.startsWith(PREFIX) && (pid === process.pid || !isRunning(pid));
	});
	const own = path.join(MEMORY, `${PREFIX}${process.pid}`);
	for (const directory of left) rmSync(path.join(MEMORY, directory), { recursive: true, force: true });
	mkdirSync(own);
	process.env.TMPDIR = own;
	process.once("exit", () => rmSync(own, { recursive: true, force: true }));
}
