// The due work of the audit trail: seals new rows, verifies old seals again, and announces the last hashes. Each run takes a bounded
// portion, and two may run at the same time.

import { StaleWrite } from "../../db/database";
import { raise } from "../../events/raise";
import type { JobServices } from "../../runtime/services";
import { isUuid } from "../../shared/ids";
import { auditSealed } from "./events";
import { addSeal, faultOf, recordReread, seal } from "./seals.plan";
import {
	findLongestUnread,
	findRowsAfter,
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

/** Verifies one seal of one stream again. A broken seal keeps `verified_through` before it. */
export async function rereadSeal(services: JobServices): Promise<boolean> {
	const { db } = services;
	const [[stream]] = await db.read(findLongestUnread(db.orm));
	if (!stream) return false;
	const { stream: name, rereadThrough } = stream;
	const [[found], [before], rows] = await db.read(
		findSealAfter(db.orm, name, rereadThrough),
		findSealBefore(db.orm, name, rereadThrough),
		findRowsAfter(db.orm, name, rereadThrough, ROWS_OF_SEAL),
	);
	const sealed = rows.filter(({ sequence }) => found && sequence <= found.throughSequence);
	const reread = { stream, found, rows: sealed, before };
	const fault = await faultOf(services, reread);
	if (fault) services.log.error("the audit trail was changed", undefined, { stream: name, after_sequence: rereadThrough, fault });
	await services.commit([recordReread(services, reread, fault === undefined)]);
	return false;
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
