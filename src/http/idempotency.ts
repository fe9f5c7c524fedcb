// Idempotency-Key: the record of an answer is one more write in the commit of its effect, so a crash at any point leaves either
// nothing done or an answer to replay.

import { and, eq, gt, lte } from "drizzle-orm";
import type { Effect, Orm, Reader } from "../db/database";
import { idempotencyRecords } from "../db/idempotency.table";
import { type Expired, expired } from "../db/purge";
import { violates } from "../db/unique";
import type { Services } from "../runtime/services";
import { sha256Hex } from "../shared/bytes";
import { ApiError, InvalidInput } from "../shared/errors";
import { homeDigits } from "../shared/ids";
import { canonicalJson, type Json } from "../shared/json";
import type { Done } from "./execution";
import { type Answer, KEPT_MS } from "./idempotency-key";

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

/** The key under which a home records the answer. */
export const keyIn = (home: number, { scope, fingerprint }: Key): Key => ({ scope: `${homeDigits(home)}.${scope}`, fingerprint });

/** How a run ended. `refusal` is the Error body that a repeated call gets, where the operation decided the refusal. */
type Ended = { done: Done } | { error: unknown; refusal: Answer; decided: boolean };

const REPLAYED = { "Idempotent-Replayed": "true" };

export const replayOf = (answer: Answer): Done => ({ answer, kept: answer, headers: REPLAYED });

/**
 * Runs the operation once for its key, or returns what it answered then. Throws what the operation throws. `refusalOf` tells the
 * body of a refusal.
 */
export async function onceFor(
	key: Key,
	services: Services,
	run: () => Promise<Done>,
	refusalOf: (error: unknown) => Answer,
): Promise<Done> {
	const { env, home, realNow } = services;
	let ended: Ended | undefined;
	const verdict = await env.IDEMPOTENCY_KEYS.getByName(key.scope).execute(key.fingerprint, async (resumed) => {
		ended = await endOf(async () => {
			// In a session of its own: the deferred check of the caller waits for the handler's first read, or for the replay.
			const record = resumed ? await findRecord(services.primary(), keyIn(home, key), realNow) : undefined;
			return record ? replayOf(record) : run();
		}, refusalOf);
		return "done" in ended ? { keep: true, answer: ended.done.kept } : { keep: ended.decided, answer: ended.refusal };
	});
	switch (verdict.kind) {
		case "ran":
			// What is shown once never leaves this isolate, so the object returns less than the run did.
			if (!ended) throw new Error("the idempotency object answered without a run");
			if ("error" in ended) throw ended.error;
			return ended.done;
		case "replayed":
			return replayOf(verdict.answer);
		case "reused":
			throw new ApiError("IDEMPOTENCY_KEY_REUSED");
		case "in-progress":
			throw new ApiError("IDEMPOTENCY_IN_PROGRESS", { headers: { "Retry-After": "1" } });
		case "lost":
			throw new Error("the idempotency object lost the run");
	}
}

async function endOf(run: () => Promise<Done>, refusalOf: (error: unknown) => Answer): Promise<Ended> {
	try {
		return { done: await run() };
	} catch (error) {
		const refusal = refusalOf(error);
		const { status } = refusal;
		// Bad input, missing rights, limits and failures of the service are not decisions: the same call may succeed later.
		const decided = !(error instanceof InvalidInput) && status !== 401 && status !== 403 && status !== 429 && status < 500;
		return { error, refusal, decided };
	}
}

/** Whether another run of the same key committed first. */
export const isRecordTaken = (error: unknown): boolean => violates(error, [idempotencyRecords.scope]);

/** The writes that belong into the commit of the effect. The record's primary key lets only one commit of a key through. */
export const recordOf = (orm: Orm, key: Key, answer: Answer, realNow: number): Effect => ({
	statements: [
		// After seven days a key may be used again, even before the purge has removed its record.
		orm.delete(idempotencyRecords).where(and(eq(idempotencyRecords.scope, key.scope), lte(idempotencyRecords.expiresAt, realNow))),
		orm.insert(idempotencyRecords).values({ ...key, status: answer.status, body: answer.body, expiresAt: realNow + KEPT_MS }),
	],
});

/** The answer that an earlier run committed, if it did. */
export async function findRecord(db: Pick<Reader, "orm" | "read">, key: Key, realNow: number): Promise<Answer | undefined> {
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
