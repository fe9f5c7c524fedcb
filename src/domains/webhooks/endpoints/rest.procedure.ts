// Does the rest of a suspension or deletion after its commit, in portions. What is left when it ends early, the sweep does.

import { sql } from "drizzle-orm";
import { webhookEndpoints } from "../../../events/table";
import { atPresent } from "../../../runtime/making-services";
import type { JobServices } from "../../../runtime/services";
import { failPending, holdPending, PORTION } from "./store";

const MAX_PORTIONS = 200;

export async function holdOrFailRest(job: JobServices, organizationId: string, webhookId: string, kind: "HOLD" | "FAIL"): Promise<void> {
	// The endpoint may have been resumed meanwhile.
	const suspended = sql`exists (select 1 from ${webhookEndpoints} where ${webhookEndpoints.id} = ${webhookId} and ${webhookEndpoints.status} = 'SUSPENDED')`;
	for (let portion = 0; portion < MAX_PORTIONS; portion++) {
		const { db, now } = atPresent(job);
		const statement = kind === "HOLD" ? holdPending(db.orm, webhookId, suspended) : failPending(db.orm, organizationId, webhookId, now);
		const [done] = await db.commit([statement]);
		if ((done as unknown as D1Result).meta.changes < PORTION) return;
	}
}
