// What is done when the rows that a decision was based on have changed before its commit.

import { StaleWrite } from "./database";

/** Does the work. False when somebody else has done it meanwhile, or there is nothing left to do: its commit was stale. */
export async function unlessStale(work: () => Promise<unknown>): Promise<boolean> {
	try {
		await work();
		return true;
	} catch (error) {
		if (error instanceof StaleWrite) return false;
		throw error;
	}
}
