// The due work of the audit trail: seals new rows, verifies old seals again, and announces the last hashes. Each run takes a bounded
// portion, and two may run at the same time.

import { StaleWrite } from "../../db/database";
import { raise } from "../../events/raise";
import type { JobServices } from "../../runtime/services";
import { isUuid } from "../../shared/ids";
import { MINUTE_MS } from "../../shared/time";
import { auditSealed } from "./events";
import { addSeal, faultOf, type Reread, recordReread, seal } from "./seals.plan";
import {
	findLongestUnread,
	findRowsAfter,
	findRowsOf,
	findSealAfter,
	findSealBefore,
	findUnannounced,
	findUnsealed,
	nothingToSeal,
	recordAnnounced,
} from "./seals.store";

/** The most streams and rows of one portion. */
const STREAMS = 20;
const ROWS = 1_000;
/** The most rows of one seal, which holds a hash for each. */
export const ROWS_OF_SEAL = 500;

/** Seals the streams that have waited longest. Returns whether more may be waiting. */
export async function sealRows(services: JobServices): Promise<boolean> {
	const { db } = services;
	const [streams] = await db.read(findUnsealed(db.orm, STREAMS));
	const [first, ...others] = streams;
	if (!first) return false;
	const limit = Math.min(ROWS_OF_SEAL, Math.ceil(ROWS / streams.length));
	const unsealed = (stream: typeof first) => findRowsAfter(db.orm, stream.stream, stream.sealedThrough, limit);
	const found = await db.read(unsealed(first), ...others.map(unsealed));
	const writes = await Promise.all(
		streams.map(async (stream, index) => {
			const rows = found[index] ?? [];
			if (rows.length === 0) return [nothingToSeal(db.orm, stream)];
			const row = await seal(services, stream, rows);
			if (rows.length < row.leaves.length) services.log.error("rows of the audit trail are missing", undefined, { stream: stream.stream });
			return addSeal(services, stream, row);
		}),
	);
	return (await committed(services, writes.flat())) && (streams.length === STREAMS || found.some((rows) => rows.length === limit));
}

/** How long a stream waits for its next seals to be verified again, while a run has time for all. */
const REREAD_EVERY_MS = 30 * MINUTE_MS;

/**
 * Verifies the next seal of each of the streams that have waited longest again. A broken seal keeps `verified_through` before it. Returns
 * whether further streams have waited too long, so that a change is found within an hour in a thousand streams.
 */
export async function rereadSeals(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const [streams] = await db.read(findLongestUnread(db.orm, STREAMS));
	const [first, ...others] = streams.flatMap(({ stream, rereadThrough }) => [
		findSealAfter(db.orm, stream, rereadThrough),
		findSealBefore(db.orm, stream, rereadThrough),
	]);
	if (!first) return false;
	const seals = await db.read(first, ...others);
	const next = portionOf(streams.map((stream, index) => ({ stream, found: seals[2 * index]?.[0], before: seals[2 * index + 1]?.[0] })));
	const [firstRows, ...otherRows] = next.map(({ stream, found }) => findRowsOf(db.orm, stream, found));
	if (!firstRows) return false;
	const rows = await db.read(firstRows, ...otherRows);
	const writes = await Promise.all(
		next.map(async (seen, index) => {
			const reread = { ...seen, rows: rows[index] ?? [] };
			const { stream: name, rereadThrough } = seen.stream;
			const fault = await faultOf(services, reread);
			if (fault) services.log.error("the audit trail was changed", undefined, { stream: name, after_sequence: rereadThrough, fault });
			return [recordReread(services, reread, fault === undefined)];
		}),
	);
	await services.commit(writes.flat());
	const last = next.at(-1)?.stream.rereadAt ?? now;
	return (streams.length === STREAMS || next.length < streams.length) && last <= now - REREAD_EVERY_MS;
}

/** As many of the seals as have a portion's rows, at least one. */
function portionOf(all: readonly Omit<Reread, "rows">[]): readonly Omit<Reread, "rows">[] {
	let rows = 0;
	return all.filter(({ found }, index) => {
		rows += found?.leaves.length ?? 0;
		return index === 0 || rows <= ROWS;
	});
}

/** Announces the last hash of each organization's stream, at most once a day. Returns whether more may be waiting. */
export async function announceHeads(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const [streams] = await db.read(findUnannounced(db.orm, now, STREAMS));
	const writes = streams.flatMap((stream) => {
		const [owner = ""] = stream.stream.split("/");
		const announced = recordAnnounced(services, stream);
		// The platform has no event feed; that of an organization is in the organization's home.
		if (!isUuid(owner) || services.at(owner).db !== db) return [announced];
		const data = { stream: stream.stream, through_sequence: stream.sealedThrough, hash: stream.head };
		return [announced, raise(services, auditSealed, { organizationId: owner, data })];
	});
	return (await committed(services, writes)) && streams.length === STREAMS;
}

/** Returns false when another sweep has done the same meanwhile. */
async function committed(services: JobServices, writes: Parameters<JobServices["commit"]>[0]): Promise<boolean> {
	try {
		await services.commit(writes);
		return true;
	} catch (error) {
		if (error instanceof StaleWrite) return false;
		throw error;
	}
}
