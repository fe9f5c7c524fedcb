// Makes and verifies the seals of the audit trail: the hashes, and what is recorded.

import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type AuditRow, type AuditStreamRow, auditRows, auditStreams } from "../../db/audit.table";
import type { Write } from "../../db/database";
import { guarded } from "../../db/guards";
import type { Services } from "../../runtime/services";
import { sha256Hex } from "../../shared/bytes";
import { canonicalJson } from "../../shared/json";
import { DAY_MS } from "../../shared/time";
import { signText, verifyText } from "../tokens/model/service-token.crypto";
import { type AuditSealRow, auditSeals } from "./table";
import { toAuditRow, toAuditSeal } from "./wire";

const auditRow = alias(auditRows, "audit_row");
const { verifiedThrough: verified } = auditStreams;

const ZEROS = "0".repeat(64);

/** The `typ` of the signatures, so that a seal's signature is valid for nothing else that the service signs. */
const TYPE = "audit-seal";

const leafOf = (row: AuditRow): Promise<string> => sha256Hex(canonicalJson(toAuditRow(row)));

/** The leaves of the rows `from` to `through`; a missing row has a leaf of zeros. */
async function leavesOf(rows: readonly AuditRow[], from: number, through: number): Promise<string[]> {
	const leaves = new Map(await Promise.all(rows.map(async (row) => [row.sequence, await leafOf(row)] as const)));
	return Array.from({ length: through - from + 1 }, (_, index) => leaves.get(from + index) ?? ZEROS);
}

const rootOf = (leaves: readonly string[]): Promise<string> => sha256Hex(leaves.join(""));

export function sealHashOf(seal: Omit<AuditSealRow, "hash" | "signature">): Promise<string> {
	const { stream, from_sequence, through_sequence, root, previous, sealed_at } = toAuditSeal({ ...seal, hash: "", signature: "" });
	return sha256Hex(canonicalJson({ stream, from_sequence, through_sequence, root, previous, sealed_at }));
}

/** The seal over the rows, which follow the last sealed one. */
export async function seal({ config, now }: Services, stream: AuditStreamRow, rows: readonly AuditRow[]): Promise<AuditSealRow> {
	const fromSequence = stream.sealedThrough + 1;
	const throughSequence = rows.at(-1)?.sequence ?? stream.sealedThrough;
	const leaves = await leavesOf(rows, fromSequence, throughSequence);
	const root = await rootOf(leaves);
	const unsigned = { stream: stream.stream, fromSequence, throughSequence, leaves, root, previous: stream.head, sealedAt: now };
	const hash = await sealHashOf(unsigned);
	return { ...unsigned, hash, signature: await signText(config, TYPE, hash) };
}

/** Adds the seal, unless another sweep has sealed the stream meanwhile. */
export const addSeal = ({ db, now }: Services, stream: AuditStreamRow, row: AuditSealRow): Write[] => [
	guarded(
		db.orm
			.update(auditStreams)
			.set({
				sealedThrough: row.throughSequence,
				head: row.hash,
				unsealedSince: sql`case when exists (
					select 1 from ${auditRows} ${auditRow} where ${auditRow.stream} = ${row.stream} and ${auditRow.sequence} > ${row.throughSequence}) then ${now} end`,
				// The new seal is intact, so the stream is verified up to it, if it was verified up to the seal before.
				verifiedThrough: sql`case when ${verified} = ${stream.sealedThrough} then ${row.throughSequence} else ${verified} end`,
				announceAt: sql`coalesce(${auditStreams.announceAt}, max(${now}, coalesce(${auditStreams.announcedAt} + ${DAY_MS}, 0)))`,
			})
			.where(and(eq(auditStreams.stream, row.stream), eq(auditStreams.sealedThrough, stream.sealedThrough))),
	),
	db.orm.insert(auditSeals).values(row),
];

export type Reread = {
	readonly stream: AuditStreamRow;
	/** The seal to verify, its rows, and the seal before it. */
	readonly found: AuditSealRow | undefined;
	readonly rows: readonly AuditRow[];
	readonly before: AuditSealRow | undefined;
};

/** What is wrong with the seal; undefined if it is intact. */
export async function faultOf({ config }: Services, { stream, found, rows, before }: Reread): Promise<string | undefined> {
	if (found?.fromSequence !== stream.rereadThrough + 1) return "a seal is missing";
	if (found.previous !== (before?.hash ?? ZEROS)) return "the seal does not follow the one before it";
	if (found.hash !== (await sealHashOf(found))) return "the seal was changed";
	if (found.throughSequence === stream.sealedThrough && found.hash !== stream.head) return "the last seal was replaced";
	if ((await verifyText(config, TYPE, found.hash, found.signature)) === "INVALID") return "the signature was changed";
	const leaves = await leavesOf(rows, found.fromSequence, found.throughSequence);
	if (found.root !== (await rootOf(leaves))) return "a row was changed or removed";
	return undefined;
}

const endOf = ({ stream, found }: Omit<Reread, "rows">): number => found?.throughSequence ?? stream.sealedThrough;

/** Whether it is the stream's last seal, after which its first is verified again. */
export const endsRound = (reread: Omit<Reread, "rows">): boolean => endOf(reread) >= reread.stream.sealedThrough;

/** Records whether a seal is intact, and moves on to the next one, or back to the first: only the end of a round makes the stream wait. */
export const recordReread = ({ db, now }: Services, reread: Reread, intact: boolean): Write => {
	const { stream } = reread;
	const end = endOf(reread);
	return db.orm
		.update(auditStreams)
		.set({
			...(endsRound(reread) ? { rereadAt: now, rereadThrough: 0 } : { rereadThrough: end }),
			verifiedThrough: intact
				? sql`case when ${verified} = ${stream.rereadThrough} then ${end} else ${verified} end`
				: sql`min(${verified}, ${stream.rereadThrough})`,
		})
		.where(and(eq(auditStreams.stream, stream.stream), eq(auditStreams.rereadThrough, stream.rereadThrough)));
};
