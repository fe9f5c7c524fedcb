// Moves finished deliveries of an organization to the archive, and finds one there.

import type { Archive } from "../../../runtime/ports";
import type { JobServices, Services } from "../../../runtime/services";
import { DAY_MS } from "../../../shared/time";
import { toDeliveryRecord } from "../wire";
import { instantOf, mayHold, nameOf, prefixOf } from "./archive.policy";
import { finishedRows, removeArchived } from "./archive.store";
import { type Archived, archivedFrom, toArchived } from "./archive.wire";
import { FAILED_RETENTION_FACTOR } from "./purge.store";
import { attemptOf, deliveryOf, receiptsBefore } from "./receipts.store";

/** Deliveries of each form and status in one portion. */
export const PORTION = 1_000;

export type ToArchive = { organizationId: string; before: number; failedToo?: boolean };

/**
 * Moves a portion of the organization's finished deliveries that were made before an instant, the oldest first: writes them into an object
 * for each hour, and removes them only then. Who dies in between repeats the same objects. Returns how many there were.
 */
export async function archivePortion(
	services: JobServices,
	archive: Archive,
	{ organizationId, before, failedToo = false }: ToArchive,
	limit = PORTION,
): Promise<number> {
	const { db, now, config } = services;
	const { receipts, delivered, failed } = await db.read({
		receipts: receiptsBefore(db.orm, organizationId, before, limit),
		delivered: finishedRows(db.orm, organizationId, "DELIVERED", before, limit),
		failed: failedToo ? finishedRows(db.orm, organizationId, "FAILED", before, limit) : undefined,
	});
	const finished = [delivered, ...(failed ? [failed] : [])];
	const attempts = Map.groupBy(
		finished.flatMap((some) => some.attempts),
		({ deliveryId }) => deliveryId,
	);
	const portion = [
		...receipts.map((receipt) => ({
			position: 1,
			record: toDeliveryRecord({ ...deliveryOf(receipt), body: receipt.body }, [attemptOf(receipt)]),
		})),
		...finished
			.flatMap(({ deliveries }) => deliveries)
			.map((row) => ({
				position: row.attemptPosition,
				record: toDeliveryRecord(row, attempts.get(row.id) ?? []),
			})),
	]
		.toSorted((a, b) => (a.record.id < b.record.id ? -1 : 1))
		.slice(0, limit);
	for (const ofHour of Map.groupBy(portion, ({ record }) => prefixOf(organizationId, instantOf(record.id))).values()) {
		const ids = ofHour.map(({ record }) => record.id) as [string, ...string[]];
		await archive.write(
			await nameOf(organizationId, ids),
			ofHour.map(({ record }) => JSON.stringify(toArchived(record))),
		);
	}
	const written = portion.map(({ position, record: { id } }) => ({ id, position }));
	const eventsBefore = now - config.RETENTION_DAYS * DAY_MS;
	if (written.length > 0) await db.commit(removeArchived(db.orm, { organizationId, written, before, eventsBefore }));
	return written.length;
}

/** A delivery that has left the database and is not past its retention. */
export async function archivedDelivery(
	{ providers: { archive }, config, now }: Services,
	organizationId: string,
	id: string,
): Promise<Archived | undefined> {
	const retentionMs = config.RETENTION_DAYS * DAY_MS;
	const isKept = (at: number, factor: number) => at > now - factor * retentionMs;
	const at = instantOf(id);
	if (!archive || !isKept(at, FAILED_RETENTION_FACTOR + 1)) return undefined;
	const found: Archived[] = [];
	for (const name of await archive.names(prefixOf(organizationId, at))) {
		if (!mayHold(name, id)) continue;
		const line = await archive.line(name, `{"id":"${id}"`);
		if (line !== undefined) found.push(archivedFrom(line));
	}
	// A delivery that was sent again has been archived again, with more attempts.
	const last = found.toSorted((a, b) => a.attempt_log.length - b.attempt_log.length).at(-1);
	if (!last) return undefined;
	return (last.failed_at === null ? isKept(at, 1) : isKept(Date.parse(last.failed_at), FAILED_RETENTION_FACTOR)) ? last : undefined;
}
