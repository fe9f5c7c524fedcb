// Idempotency-Key: the record of an answer is one more write in the commit of its effect, so a crash at any point leaves either
// nothing done or an answer to replay. The Durable Object of the caller only keeps identical calls apart.

import { and, eq, lte, sql } from "drizzle-orm";
import { type DeferredCheck, type Effect, OutdatedRead } from "../../db/database";
import type { Databases } from "../../db/databases";
import { idempotencyRecords } from "../../db/idempotency.table";
import { prebuilt } from "../../db/prebuilt";
import { violates } from "../../db/unique";
import type { JobServices } from "../../runtime/services";
import { sha256Hex } from "../../shared/bytes";
import { BoundedCache } from "../../shared/cache";
import { ApiError, badInput, LostRace, tooManyRequests } from "../../shared/errors";
import { homeDigits } from "../../shared/ids";
import { canonicalJson, type Json } from "../../shared/json";
import type { Answer, Done } from "../answer";
import type { Caller } from "../callers/access";
import type { AnyOperation } from "../operation";
import { KEPT_MS } from "./idempotency-keys";
import { openStored, sealAnswer, sealedIn, sealStored, selectSealed } from "./sealed-answers";

/**
 * `object` names the Durable Object, `scope` the key within it and in D1, `fingerprint` the body. `hasNoRecord`: the operation's read
 * has found none, not even an expired one. `text`: the header's. `holder`: the same, for an operation that shows something once.
 */
export type Key = { object: string; scope: string; fingerprint: string; hasNoRecord: boolean; text: string; holder?: string };

export type KeyedCall = {
	op: Pick<AnyOperation, "method" | "path" | "shownOnce">;
	caller: Caller;
	/** The caller as one text. */
	identity: string;
	/** Where the operation works: its database has the record. */
	home: number;
	/** The parsed values of the path, organizations by id. */
	path: Readonly<Record<string, unknown>>;
	body: Json | undefined;
};

/** The key of a request. Throws `InvalidInput` for an empty one or one over 255 characters. */
export async function readKey(header: string, { op, caller, identity, home, path, body }: KeyedCall): Promise<Key> {
	if (header.length < 1) throw badInput("header.Idempotency-Key", "must have 1 to 255 characters", "TOO_SHORT");
	if (header.length > 255) throw badInput("header.Idempotency-Key", "must have 1 to 255 characters", "TOO_LONG");
	const organization = caller && "organizationId" in caller ? caller.organizationId : null;
	const digest = await sha256Hex(JSON.stringify([identity, organization, op.method, op.path, Object.entries(path), header]));
	// A user calls from one device, API keys and operators from many concurrently, too many for a single object.
	const shard = identity.startsWith("user:") ? "" : `:${digest[0]}`;
	return {
		object: `${await objectOf(identity)}${shard}`,
		scope: `${homeDigits(home)}${digest}`,
		hasNoRecord: false,
		text: header,
		fingerprint: await sha256Hex(body === undefined ? "" : canonicalJson(body)),
		...(op.shownOnce && { holder: header }),
	};
}

const objects = new BoundedCache<string>(1_000, Number.POSITIVE_INFINITY);

async function objectOf(identity: string): Promise<string> {
	const known = objects.get(identity, 0)?.value;
	if (known !== undefined) return known;
	const object = await sha256Hex(identity);
	objects.set(identity, object, 0);
	return object;
}

/** An earlier run committed this answer. */
export class Replay extends Error {
	/** As it is recorded. */
	readonly answer: Answer;
	/** The body with what is shown once. */
	readonly sealed: string | undefined;
	constructor(answer: Answer, sealed?: string) {
		super("replay");
		this.answer = answer;
		this.sealed = sealed;
	}
}

/** `refused`: the Error body of a refusal. */
type Once = { readonly key: Key; readonly services: JobServices; readonly refused: (error: unknown) => Answer };

/**
 * Runs the operation once for its key, or returns what it answered then. Throws what the operation throws. The operation reads while its turn
 * is asked for; nothing of what it reads is handed to it, and nothing is committed, before it has the turn.
 */
export async function onceFor({ key, services, refused }: Once, run: (turn: Turn) => Promise<Done>): Promise<Done> {
	using turn = new Turn(key, services);
	const { db, databases } = services;
	/** What an operation decides without a commit has no record whose primary key would refuse it, so the record is looked for once more. */
	const demandNoRecord = async () => {
		await turn.taken();
		db.deferCheck(recordCheck(key, services.realNow));
		await db.runDeferredCheck();
	};
	const decided = async () => {
		try {
			const done = await run(turn);
			if (!done.recorded) await demandNoRecord();
			return done;
		} catch (error) {
			if (isDecision(error, refused(error), databases)) await demandNoRecord();
			throw error;
		}
	};
	db.deferCheck(turnCheck(turn, key, services.realNow));
	try {
		const done = await decided();
		// Calls on the object arrive in order, so this one ends the run before the turn is given back. A secret that is shown once is sent
		// to nobody who waits: they ask again, and read the record.
		if (done.recorded && key.holder === undefined) services.afterwards(() => turn.end(done.kept, true));
		else if (!done.recorded) await turn.end(done.kept, false);
		return done;
	} catch (error) {
		if (error instanceof Replay) {
			if (key.holder === undefined) services.afterwards(() => turn.end(error.answer, true));
			return replayOf(await openedIn(error, key, services));
		}
		const refusal = refused(error);
		if (isDecision(error, refusal, databases)) await turn.end(refusal, false);
		throw error;
	}
}

type Claimed = Awaited<ReturnType<typeof claimOf>>;

/** A call's turn among identical ones. It is asked for at once, because the object and the database may be far from each other. */
export class Turn {
	readonly #services: JobServices;
	readonly #key: Key;
	readonly #claiming: Promise<Claimed>;
	#claim: Claimed | undefined;

	constructor(key: Key, services: JobServices) {
		this.#services = services;
		this.#key = key;
		this.#claiming = claimOf(key, services).then((claim) => {
			this.#claim = claim;
			return claim;
		});
	}

	/** Waits for the turn. Throws `Replay` with the answer of an identical call, or why there is none. */
	async taken(): Promise<{ readonly follows: boolean }> {
		const claim = await this.#claiming;
		switch (claim.kind) {
			case "run":
				return claim;
			case "replay":
				throw new Replay(await openStored(claim.answer, this.#key, this.#services.config.keyring));
			case "reused":
				throw new ApiError("IDEMPOTENCY_KEY_REUSED");
			case "in-progress":
				throw new ApiError("IDEMPOTENCY_IN_PROGRESS", { headers: { "Retry-After": "1" } });
			case "too-many":
				throw tooManyRequests(1);
		}
	}

	/** Ends it with an answer for those who wait; without effect where the turn was refused. */
	async end(answer: Answer, recorded: boolean): Promise<void> {
		if (this.#claim?.kind !== "run") return;
		const { run } = this.#claim;
		try {
			await (recorded
				? run.endRecorded(answer)
				: run.endUnrecorded(answer, await sealStored(answer, this.#key, this.#services.config.keyring)));
		} catch (error) {
			// The object was lost while the operation ran. A commit has its record in D1; a refusal has changed nothing.
			this.#services.log.error("the object of an idempotency key was lost during a run", error);
		}
	}

	/** Gives it back, also a turn that has not come yet. */
	[Symbol.dispose](): void {
		if (this.#claim) this.#claim[Symbol.dispose]();
		else this.#services.afterwards(async () => (await this.#claiming)[Symbol.dispose]());
	}
}

/** The recorded answer, with what is shown once as long as it is kept. */
async function openedIn({ answer, sealed }: Replay, { holder, scope }: Key, { config }: JobServices): Promise<Answer> {
	if (sealed === undefined || holder === undefined) return answer;
	return { ...answer, body: (await config.keyring.openFor(holder, "shown-once", scope, sealed)) ?? answer.body };
}

/** A run that no object keeps apart from others: the record's primary key lets one of them through. */
const WITHOUT_OBJECT = {
	kind: "run",
	follows: false,
	run: { endRecorded: async () => {}, endUnrecorded: async () => {} },
	[Symbol.dispose]() {},
} as const;

/** Asks the caller's object again if it was lost, as happens in every deployment. Continues without it if it is lost once more. */
async function claimOf({ object, scope, fingerprint }: Key, { env: { IDEMPOTENCY_KEYS }, log, providers }: JobServices) {
	const ask = () => IDEMPOTENCY_KEYS.getByName(object).claim(scope, fingerprint);
	try {
		return await ask();
	} catch {
		try {
			return await ask();
		} catch (error) {
			log.error("a call with an idempotency key continues without its object", error);
			providers.metrics?.record({ kind: "lostLocks", count: 1 });
			return WITHOUT_OBJECT;
		}
	}
}

/** Whether the operation itself refused the call. Otherwise the same call may succeed later, so its key stays free. */
const isDecision = (error: unknown, { status }: Answer, databases: Databases): boolean =>
	status < 500 && status !== 401 && status !== 403 && status !== 429 && !(error instanceof LostRace) && !databases.isCheckFailure(error);

const replayOf = (answer: Answer): Done => ({ answer, kept: answer, recorded: true, headers: { "Idempotent-Replayed": "true" } });

/** Whether another run of the same key committed first. */
export const isRecordTaken = (error: unknown): boolean => violates(error, [idempotencyRecords.scope]);

const { placeholder } = sql;

const deleteExpired = prebuilt((orm) =>
	orm
		.delete(idempotencyRecords)
		.where(and(eq(idempotencyRecords.scope, placeholder("scope")), lte(idempotencyRecords.expiresAt, placeholder("realNow")))),
);
const insertRecord = prebuilt((orm) =>
	orm.insert(idempotencyRecords).values({
		scope: placeholder("scope"),
		fingerprint: placeholder("fingerprint"),
		status: placeholder("status"),
		body: placeholder("body"),
		expiresAt: placeholder("expiresAt"),
	}),
);
const findRecord = prebuilt((orm) =>
	orm
		.select()
		.from(idempotencyRecords)
		.where(eq(idempotencyRecords.scope, placeholder("scope"))),
);

/**
 * The writes that record the answer. They come first in the commit of the effect: the record's primary key lets only one commit of
 * a key through, and is violated before any other index.
 */
export const recordOf = ({ scope, fingerprint, hasNoRecord }: Key, { status, body }: Answer, realNow: number): Effect => ({
	statements: [
		// After seven days a key may be used again, even before the purge has removed its record.
		...(hasNoRecord ? [] : [deleteExpired({ scope, realNow })]),
		insertRecord({ scope, fingerprint, status, body, expiresAt: realNow + KEPT_MS }),
	],
});

/** The writes that keep what is shown once for a caller who may not get the answer. */
export const sealedOf = async (
	{ scope, holder }: Key,
	body: string | null,
	{ config, realNow, db: { orm } }: JobServices,
): Promise<Effect[]> =>
	holder === undefined || body === null
		? []
		: [{ statements: await sealAnswer({ orm, keyring: config.keyring }, { scope, holder }, { body, realNow }) }];

/**
 * Looks for the record in the operation's first read. Throws `Replay` when an identical call committed, IDEMPOTENCY_KEY_REUSED when
 * another one did. A commit without a read goes ahead, because the record's primary key refuses it if need be.
 */
export const recordCheck = (key: Key, realNow: number): DeferredCheck => ({
	statements: [findRecord({ scope: key.scope }), ...(key.holder === undefined ? [] : [selectSealed(key.scope)])],
	accept([rows, sealed = []]) {
		const [record] = rows as (typeof idempotencyRecords.$inferSelect)[];
		key.hasNoRecord = record === undefined;
		if (!record || record.expiresAt <= realNow) return;
		if (record.fingerprint !== key.fingerprint) throw new ApiError("IDEMPOTENCY_KEY_REUSED");
		throw new Replay({ status: record.status, body: record.body }, sealedIn(sealed, realNow));
	},
	beforeCommit: false,
});

/**
 * The same as part of the operation's first read, whose results wait for the turn. A record that was found holds whenever it was read; that none
 * was found counts only if no other run has ended since, and the read is made once more if one may have.
 */
const turnCheck = (turn: Turn, key: Key, realNow: number): DeferredCheck => {
	const check = recordCheck(key, realNow);
	let mayBeOutdated = true;
	return {
		...check,
		async accept(results) {
			const { follows } = await turn.taken();
			check.accept(results);
			const isOutdated = follows && mayBeOutdated;
			mayBeOutdated = false;
			if (isOutdated) throw new OutdatedRead();
		},
	};
};
