// Removes deliveries and events that are past their retention.

import { expired, notEmpty, remove } from "../../../db/purge";
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
	const before = now - retentionMs;
	const deliveries = expiredDeliveries(db.orm, now, retentionMs);
	const revokedKeys = expired(db.orm, webhookSigningKeys, {
		key: [webhookSigningKeys.id],
		by: webhookSigningKeys.revokedAt,
		before: now - REVOKED_KEY_RETENTION_MS,
	});
	const seen = undeliveredArePurged(db.orm, before);
	const left = [undeliveredEvents(db.orm, before, deliveries.isThere), revokedKeys, seen];
	const there = new Set(await notEmpty(db, [...deliveries.kinds, ...left]));
	const old = deliveries.kinds.filter((kind) => there.has(kind));
	if (await remove(db, old)) return true;
	// The events of those that have gone are looked for once they have.
	const others =
		old.length === 0 ? left.filter((kind) => there.has(kind)) : await notEmpty(db, [undeliveredEvents(db.orm, before), revokedKeys, seen]);
	const more = await remove(
		db,
		others.filter((kind) => kind !== seen),
	);
	if (!more && others.includes(seen)) await remove(db, [seen]);
	return more;
}
