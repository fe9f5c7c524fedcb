// Records that signing keys have expired, and announces it. Attempts stop using a key at the instant itself, without this.

import { StaleWrite } from "../../../db/database";
import { guarded } from "../../../db/guards";
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
	for (const key of keys) {
		const { id, webhookId, organizationId, webhookName, expiresAt } = key;
		try {
			await services.commit([
				guarded(recordExpiry(db.orm, key)),
				forgetOldKeys(webhookId),
				raise(services, webhookKeyExpired, {
					organizationId,
					entityId: id,
					data: { webhook_id: webhookId, name: webhookName, signing_key_id: id, expired_at: toTimestamp(expiresAt) },
				}),
			]);
		} catch (error) {
			// The key was revoked, its endpoint deleted, or another run was quicker.
			if (!(error instanceof StaleWrite)) throw error;
		}
	}
	return keys.length === BATCH;
}
