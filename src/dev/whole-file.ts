// Writes files that another process may read at the same time: it sees a whole file or none.

import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs";

const mode = 0o600;
const temporaryOf = (file: string): string => `${file}.${process.pid}.tmp`;

/** Writes the file, or replaces it. */
export function writeWhole(file: string, text: string): void {
	writeFileSync(temporaryOf(file), text, { mode });
	renameSync(temporaryOf(file), file);
}

/** Writes the file unless it exists: of two concurrent processes, one writes it. Returns whether this one did. */
export function createWhole(file: string, text: string): boolean {
	writeFileSync(temporaryOf(file), text, { mode });
	try {
		linkSync(temporaryOf(file), file);
		return true;
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
		throw error;
	} finally {
		rmSync(temporaryOf(file), { force: true });
	}
}
