// Idempotency-Key (contract, Idempotency): the record of an answer is one more write in the commit of its effect, so
// a crash at any point leaves either nothing done or the answer to replay.

import { and, eq, gt, lte } from "drizzle-orm";
import type { Database, Effect, Orm } from "../db/database";
import { idempotencyRecords } from "../db/idempotency.table";
import { type Expired, expired } from "../db/purge";
import { sha256Hex } from "../shared/bytes";
import { ApiError, InvalidInput } from "../shared/errors";
import { canonicalJson, type Json } from "../shared/json";
import { type Answer, KEPT_MS, type Run } from "./idempotency-key";

export type Key = { scope: string; fingerprint: string };

/** The key of a request, undefined without the header. Throws `InvalidInput` for an empty one or one over 255 characters. */
export async function readKey(
	header: string | undefined,
	caller: string,
	method: string,
	path: string,
	body: Json | undefined,
): Promise<Key | undefined> {
	if (header === undefined) return undefined;
	if (header.length < 1 || header.length > 255) {
		const tooLong = header.length > 255;
		throw new InvalidInput([
			{ path: "header.Idempotency-Key", reason: "must have 1 to 255 characters", sub_code: tooLong ? "TOO_LONG" : "TOO_SHORT" },
		]);
	}
	return {
		scope: await sha256Hex(JSON.stringify([caller, method, path, header])),
		fingerprint: await sha256Hex(body === undefined ? "" : canonicalJson(body)),
	};
}

/** Runs the operation once for its key, or answers what it answered then. */
export async function onceFor(namespace: Env["IDEMPOTENCY_KEYS"], key: Key, run: Run): Promise<{ answer: Answer; replayed: boolean }> {
	const verdict = await namespace.getByName(key.scope).execute(key.fingerprint, run);
	switch (verdict.kind) {
		case "ran":
			return { answer: verdict.answer, replayed: false };
		case "replayed":
			return { answer: verdict.answer, replayed: true };
		case "reused":
			throw new ApiError("IDEMPOTENCY_KEY_REUSED");
		case "in-progress":
			throw new ApiError("IDEMPOTENCY_IN_PROGRESS", { headers: { "Retry-After": "1" } });
		case "lost":
			throw new Error("the idempotency object lost the run");
	}
}

/** The writes that go into the commit of the effect; the record's primary key lets only one commit of a key through. */
export const recordOf = (orm: Orm, key: Key, answer: Answer, realNow: number): Effect => ({
	statements: [
		// A key may be used anew once its seven days are over, also before the purge comes by.
		orm.delete(idempotencyRecords).where(and(eq(idempotencyRecords.scope, key.scope), lte(idempotencyRecords.expiresAt, realNow))),
		orm.insert(idempotencyRecords).values({ ...key, status: answer.status, body: answer.body, expiresAt: realNow + KEPT_MS }),
	],
});

/** The answer that an earlier run committed, if it did. */
export async function findRecord(db: Database, key: Key, realNow: number): Promise<Answer | undefined> {
	const [[row]] = await db.read(
		db.orm
			.select()
			.from(idempotencyRecords)
			.where(and(eq(idempotencyRecords.scope, key.scope), gt(idempotencyRecords.expiresAt, realNow))),
	);
	return row && { status: row.status, body: row.body };
}

/** Records older than the seven days. */
export const expiredRecords = (orm: Orm, realNow: number): Expired =>
	expired(orm, idempotencyRecords, { key: [idempotencyRecords.scope], by: idempotencyRecords.expiresAt, before: realNow });
