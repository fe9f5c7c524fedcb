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

/**
 * Commits for all rows together, or if that is stale for each alone, so that a changed row holds up no others. Returns the changed rows.
 */
export async function togetherOrEach<Row>(
	rows: readonly Row[],
	commit: (rows: readonly Row[]) => Promise<unknown>,
): Promise<readonly Row[]> {
	if (await unlessStale(() => commit(rows))) return rows;
	const committed: Row[] = [];
	if (rows.length > 1) for (const row of rows) if (await unlessStale(() => commit([row]))) committed.push(row);
	return committed;
}

/** Works on each row, unless it has changed since it was read. */
export async function eachUnlessStale<Row>(rows: readonly Row[], work: (row: Row) => Promise<unknown>): Promise<void> {
	for (const row of rows) await unlessStale(() => work(row));
}
