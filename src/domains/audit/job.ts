// The due work of the audit trail: seals new rows, verifies old seals again, and announces the last hashes. Each run takes a bounded
// portion, and two may run at the same time.

import type { AuditRow, AuditStreamRow } from "../../db/audit.table";
import { unlessStale } from "../../db/stale";
import { raise } from "../../events/raise";
import type { JobServices } from "../../runtime/services";
import { isUuid } from "../../shared/ids";
import { MINUTE_MS } from "../../shared/time";
import { auditSealed } from "./events";
import { addSeal, endsRound, faultOf, type Reread, recordReread, seal } from "./seals.plan";
import {
	findLongestUnread,
	findNextSeals,
	findReachedSeals,
	findRowsAfter,
	findRowsOf,
	findUnannounced,
	findUnsealed,
	nothingToSeal,
	recordAnnounced,
} from "./seals.store";
import type { AuditSealRow } from "./table";

/** The most streams and rows of one portion. */
const STREAMS = 20;
const ROWS = 1_000;
/** The most rows of one seal, which holds a hash for each. */
export const ROWS_OF_SEAL = 500;

/** Seals the streams that have waited longest. Returns whether more may be waiting. */
export async function sealRows(services: JobServices): Promise<boolean> {
	const { db } = services;
	const streams = await db.read(findUnsealed(db.orm, STREAMS));
	if (streams.length === 0) return false;
	const limit = Math.min(ROWS_OF_SEAL, Math.ceil(ROWS / streams.length));
	const found = await db.read(streams.map((stream) => findRowsAfter(db.orm, stream.stream, stream.sealedThrough, limit)));
	const writes = await Promise.all(
		streams.map(async (stream, index) => {
			const rows = found[index] ?? [];
			if (rows.length === 0) return [nothingToSeal(db.orm, stream)];
			const row = await seal(services, stream, rows);
			if (rows.length < row.leaves.length) services.log.error("rows of the audit trail are missing", undefined, { stream: stream.stream });
			return addSeal(services, stream, row);
		}),
	);
	return (
		(await unlessStale(() => services.commit(writes.flat()))) && (streams.length === STREAMS || found.some((rows) => rows.length === limit))
	);
}

/** The most seals of one portion that are verified again. */
const SEALS = 100;
/** How long a stream waits until its seals are verified again from the first on. */
const REREAD_EVERY_MS = 30 * MINUTE_MS;

/**
 * Continues to verify the streams again whose last round ended longest ago. A broken seal keeps `verified_through` before it. Returns
 * whether further ones have waited too long, so that a change is found within an hour in a thousand streams.
 */
export async function rereadSeals(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const { streams, seals, reached } = await db.read({
		streams: findLongestUnread(db.orm, STREAMS),
		seals: findNextSeals(db.orm, STREAMS, SEALS),
		reached: findReachedSeals(db.orm, STREAMS),
	});
	const of = <S extends { readonly stream: string }>(rows: readonly S[], { stream }: AuditStreamRow): S[] =>
		rows.filter((row) => row.stream === stream);
	// At most SEALS and one a stream: sorted here, because the database would make an index of them for each sweep.
	seals.sort((one, other) => one.throughSequence - other.throughSequence);
	const next = portionOf(streams.flatMap((stream) => chainOf(stream, of(seals, stream), of(reached, stream)[0])));
	const chains = [...Map.groupBy(next, ({ stream }) => stream.stream).values()];
	if (chains.length === 0) return false;
	const rows = (await db.read(chains.map((chain) => findRowsOf(db.orm, chain)))).flat();
	const writes = await Promise.all(
		next.map(async (seen) => {
			const reread = { ...seen, rows: rows.filter((row) => isCovered(row, seen)) };
			const { stream: name, rereadThrough } = seen.stream;
			const fault = await faultOf(services, reread);
			if (fault) services.log.error("the audit trail was changed", undefined, { stream: name, after_sequence: rereadThrough, fault });
			return [recordReread(services, reread, fault === undefined)];
		}),
	);
	await services.commit(writes.flat());
	const overdue = ({ rereadAt }: AuditStreamRow) => rereadAt <= now - REREAD_EVERY_MS;
	const ended = new Set(next.filter(endsRound).map(({ stream }) => stream.stream));
	const [last] = streams.slice(-1);
	return streams.some((stream) => overdue(stream) && !ended.has(stream.stream)) || (streams.length === STREAMS && !!last && overdue(last));
}

/** The next seals of the stream, each with its predecessor. An empty list means that one is missing. */
function chainOf(stream: AuditStreamRow, seals: readonly AuditSealRow[], before: AuditSealRow | undefined): Omit<Reread, "rows">[] {
	if (seals.length === 0) return [{ stream, found: undefined, before }];
	return seals.map((found, index) => {
		const previous = seals[index - 1];
		return previous
			? { stream: { ...stream, rereadThrough: previous.throughSequence }, found, before: previous }
			: { stream, found, before };
	});
}

const isCovered = ({ stream, sequence }: AuditRow, { stream: seen, found }: Omit<Reread, "rows">): boolean =>
	stream === seen.stream && sequence > seen.rereadThrough && sequence <= (found?.throughSequence ?? seen.rereadThrough);

/** As many of the seals as have a portion's rows, at least one. */
function portionOf(all: readonly Omit<Reread, "rows">[]): readonly Omit<Reread, "rows">[] {
	let rows = 0;
	const end = all.findIndex(({ found }, index) => {
		rows += found?.leaves.length ?? 0;
		return index > 0 && rows > ROWS;
	});
	return end === -1 ? all : all.slice(0, end);
}

/** Announces the last hash of each organization's stream, at most once a day. Returns whether more may be waiting. */
export async function announceHeads(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const streams = await db.read(findUnannounced(db.orm, now, STREAMS));
	const writes = streams.flatMap((stream) => {
		const [owner = ""] = stream.stream.split("/");
		const announced = recordAnnounced(services, stream);
		// The platform has no event feed; that of an organization is in the organization's home.
		if (!isUuid(owner) || services.at(owner).db !== db) return [announced];
		const data = { stream: stream.stream, through_sequence: stream.sealedThrough, hash: stream.head };
		return [announced, raise(services, auditSealed, { organizationId: owner, data })];
	});
	return (await unlessStale(() => services.commit(writes))) && streams.length === STREAMS;
}
