// Records that signing keys have expired, and announces it. Attempts stop using a key at the instant itself, without this.

import { guarded } from "../../../db/guards";
import { eachUnlessStale } from "../../../db/stale";
import { raise } from "../../../events/raise";
import type { JobServices } from "../../../runtime/services";
import { toTimestamp } from "../../../shared/time";
import { webhookKeyExpired } from "../events";
import { expiredKeys, forgetOldKeys, recordExpiry } from "./store";

const BATCH = 50;

/** Whether more may be waiting. */
export async function expireSigningKeys(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const keys = await db.read(expiredKeys(db.orm, now, BATCH));
	// Stale where the key was revoked, its endpoint deleted, or another run was quicker.
	await eachUnlessStale(keys, (key) => {
		const { id, webhookId, organizationId, webhookName, expiresAt } = key;
		return services.commit([
			guarded(recordExpiry(db.orm, key)),
			forgetOldKeys(webhookId),
			raise(services, webhookKeyExpired, {
				organizationId,
				entityId: id,
				data: { webhook_id: webhookId, name: webhookName, signing_key_id: id, expired_at: toTimestamp(expiresAt) },
			}),
		]);
	});
	return keys.length === BATCH;
}
