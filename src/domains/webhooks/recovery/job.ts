// Carries on the recoveries that were too large for one request.

import { first } from "../../../db/reads";
import { atPresent } from "../../../runtime/making-services";
import type { JobServices } from "../../../runtime/services";
import { nextPortion, openRecoveries, recoverPortion } from "./store";

/** In one turn of the sweep, a portion each. */
const MAX_RECOVERIES = 20;

/**
 * A recovery that fails, or whose candidates change meanwhile, is left to the next turn. A suspended or deleted endpoint ends its own.
 * Returns whether more is left.
 */
export async function carryOnRecoveries(services: JobServices): Promise<boolean> {
	const present = atPresent(services);
	const open = await present.db.read(openRecoveries(present.db.orm, MAX_RECOVERIES));
	let more = false;
	for (const recovery of open) {
		try {
			const portion = await present.db.read(first(nextPortion(present, recovery)));
			if (portion) await present.commit(recoverPortion(present, recovery, portion));
			more = true;
		} catch (error) {
			present.log.error("a recovery could not be carried on", error, { webhook_id: recovery.webhookId });
		}
	}
	return more;
}
