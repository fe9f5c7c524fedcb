// Removes deliveries and events that are past their retention.

import { expired, purge } from "../../../db/purge";
import type { JobServices } from "../../../runtime/services";
import { DAY_MS } from "../../../shared/time";
import { webhookSigningKeys } from "../table";
import { expiredDeliveries, undeliveredArePurged, undeliveredEvents } from "./purge.store";

/** How long revoked secrets are kept: the signature debugger uses them to detect a receiver that still uses an old one. */
export const REVOKED_KEY_RETENTION_MS = 30 * DAY_MS;

/**
 * Removes what is older than its retention, one portion of each kind. Pending deliveries stay. An event goes with its last delivery,
 * or when it is old and has none. Whether more may be left.
 */
export async function purgeWebhooks(services: JobServices): Promise<boolean> {
	const { db, now, config } = services;
	const retentionMs = config.RETENTION_DAYS * DAY_MS;
	if (await purge(db, expiredDeliveries(db.orm, now, retentionMs))) return true;
	// Last, because the search for old events without a delivery passes over all that still have one.
	const more = await purge(db, [
		undeliveredEvents(db.orm, now - retentionMs),
		expired(db.orm, webhookSigningKeys, {
			key: [webhookSigningKeys.id],
			by: webhookSigningKeys.revokedAt,
			before: now - REVOKED_KEY_RETENTION_MS,
		}),
	]);
	if (!more) await db.commit([undeliveredArePurged(db.orm, now - retentionMs)]);
	return more;
}
