// Builds the statements on the rows and seals of the audit trail.

import { and, asc, eq, gt, isNotNull, lte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type AuditStreamRow, auditRows, auditStreams } from "../../db/audit.table";
import type { Orm, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import type { Services } from "../../runtime/services";
import { type AuditSealRow, auditSeals } from "./table";

const auditStream = alias(auditStreams, "audit_stream");

/** Takes a stream without new rows off the list of unsealed ones. */
export const nothingToSeal = (orm: Orm, { stream, unsealedSince }: AuditStreamRow): Write =>
	orm
		.update(auditStreams)
		.set({ unsealedSince: null })
		.where(and(eq(auditStreams.stream, stream), sql`${auditStreams.unsealedSince} is ${unsealedSince}`));

export const findUnsealed = (orm: Orm, limit: number) =>
	orm.select().from(auditStreams).where(isNotNull(auditStreams.unsealedSince)).orderBy(asc(auditStreams.unsealedSince)).limit(limit);

export const findRowsAfter = (orm: Orm, stream: string, sequence: number, limit: number) =>
	orm
		.select()
		.from(auditRows)
		.where(and(eq(auditRows.stream, stream), gt(auditRows.sequence, sequence)))
		.orderBy(asc(auditRows.sequence))
		.limit(limit);

const seal = alias(auditSeals, "seal");
const next = alias(auditSeals, "next");

/** The streams that `findLongestUnread` finds, for a WITH clause: rows `unread`. */
const unread = (streams: number) => sql`unread as materialized (
	select ${auditStream.stream}, ${auditStream.rereadThrough} from ${auditStreams} ${auditStream} where ${auditStream.sealedThrough} > 0
	order by ${auditStream.rereadAt} limit ${streams})`;

/** Of each of these streams the seals with which its verification goes on, so many in all, in any order. */
export const findNextSeals = (orm: Orm, streams: number, seals: number) =>
	orm
		.select()
		.from(auditSeals)
		.where(
			sql`(${auditSeals.stream}, ${auditSeals.throughSequence}) in (
				with ${unread(streams)}
				select ${seal.stream}, ${seal.throughSequence} from unread cross join ${auditSeals} ${seal} on ${seal.stream} = unread.stream
					and ${seal.throughSequence} in (
						select ${next.throughSequence} from ${auditSeals} ${next} where ${next.stream} = unread.stream and ${next.throughSequence} > unread.reread_through
						order by ${next.throughSequence} limit (select cast(coalesce((${seals} + count(*) - 1) / count(*), 1) as integer) from unread)))`,
		);

/** Of each of these streams the seal up to which its verification has come. */
export const findReachedSeals = (orm: Orm, streams: number) =>
	orm
		.select()
		.from(auditSeals)
		.where(
			sql`(${auditSeals.stream}, ${auditSeals.throughSequence}) in (
				with ${unread(streams)}
				select unread.stream, (
					select max(${next.throughSequence}) from ${auditSeals} ${next} where ${next.stream} = unread.stream and ${next.throughSequence} <= unread.reread_through)
				from unread)`,
		);

/** The last seal up to which the stream is verified. */
export const findVerified = (orm: Orm, stream: string) =>
	orm
		.select({ throughSequence: auditSeals.throughSequence, hash: auditSeals.hash, sealedAt: auditSeals.sealedAt })
		.from(auditSeals)
		.where(
			and(
				eq(auditSeals.stream, stream),
				sql`${auditSeals.throughSequence} = (select ${auditStream.verifiedThrough} from ${auditStreams} ${auditStream} where ${auditStream.stream} = ${stream})`,
			),
		);

type Chain = readonly { readonly stream: AuditStreamRow; readonly found: AuditSealRow | undefined }[];

/** The rows that the seals, which follow each other, say they cover; without a seal none. */
export const findRowsOf = (orm: Orm, chain: Chain) => {
	const { stream = "", rereadThrough = 0 } = chain[0]?.stream ?? {};
	const through = chain.at(-1)?.found?.throughSequence ?? rereadThrough;
	return orm
		.select()
		.from(auditRows)
		.where(and(eq(auditRows.stream, stream), gt(auditRows.sequence, rereadThrough), lte(auditRows.sequence, through)))
		.orderBy(asc(auditRows.sequence))
		.limit(chain.reduce((rows, { found }) => rows + (found?.leaves.length ?? 0), 0));
};

export const findLongestUnread = (orm: Orm, limit: number) =>
	orm.select().from(auditStreams).where(sql`${auditStreams.sealedThrough} > 0`).orderBy(asc(auditStreams.rereadAt)).limit(limit);

export const findUnannounced = (orm: Orm, now: number, limit: number) =>
	orm
		.select()
		.from(auditStreams)
		.where(and(isNotNull(auditStreams.announceAt), lte(auditStreams.announceAt, now)))
		.orderBy(asc(auditStreams.announceAt))
		.limit(limit);

export const recordAnnounced = ({ db, now }: Services, { stream, sealedThrough }: AuditStreamRow): Write =>
	guarded(
		db.orm
			.update(auditStreams)
			.set({ announceAt: null, announcedAt: now })
			.where(and(eq(auditStreams.stream, stream), eq(auditStreams.sealedThrough, sealedThrough), isNotNull(auditStreams.announceAt))),
	);
