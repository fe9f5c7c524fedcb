// Says of each promise to pay whose day has ended whether it was kept.

import type { JobServices } from "../../runtime/services";
import { findEndedPromises, settlePromises } from "./store";

/** Promises of one commit. */
const BATCH = 50;

/** Settles one batch. Returns whether more may be waiting. */
export async function settleEndedPromises({ db, now, commit }: JobServices): Promise<boolean> {
	const ended = await db.read(findEndedPromises(db.orm, now, BATCH));
	if (ended.length === 0) return false;
	await commit([
		settlePromises(
			db.orm,
			ended.map(({ id }) => id),
		),
	]);
	return ended.length === BATCH;
}
