// Archives delivered deliveries a day after they were made, hour by hour, where a bucket is bound. Those that FAILED stay, because they are
// sent again and hold the order of their entities; they are archived when the quota demands their place.

import type { JobServices } from "../../../runtime/services";
import { archivableBefore } from "./archive.policy";
import { archivePortion, PORTION } from "./archive.procedure";
import { notArchived, noteArchived } from "./archive.store";

/** In one turn of the sweep, a portion each. */
const MAX_ORGANIZATIONS = 5;

/** An organization whose portion fails is left to a later turn. Whether more is left. */
export async function archiveDeliveries(services: JobServices): Promise<boolean> {
	const { db, now, log, providers } = services;
	const { archive } = providers;
	if (!archive) return false;
	const before = archivableBefore(now);
	const organizations = await db.read(notArchived(db.orm, before, MAX_ORGANIZATIONS));
	let failed = 0;
	for (const { organizationId } of organizations) {
		try {
			if ((await archivePortion(services, archive, { organizationId, before })) < PORTION)
				await db.commit([noteArchived(db.orm, organizationId, before)]);
		} catch (error) {
			failed++;
			log.error("deliveries could not be archived", error, { organization_id: organizationId });
		}
	}
	return organizations.length > failed;
}
