// The Durable Object of one caller's idempotency keys. It lets identical calls through one at a time and hands the answer of the
// first to those that wait. D1 has what a commit recorded; the object stores only kept answers that no commit recorded, sealed under their keys.

import { DurableObject, RpcTarget } from "cloudflare:workers";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../shared/time";
import type { Answer } from "../answer";

/**
 * What a call does: it runs the operation, returns the answer of an identical call, or is refused. `follows`: another run of the key has
 * ended lately, so what the call has read meanwhile may be from before.
 */
export type Claim =
	| { kind: "run"; run: KeyedRun; follows: boolean }
	| { kind: "replay"; answer: Answer }
	| { kind: "reused" }
	| { kind: "in-progress" }
	| { kind: "too-many" };

const WAIT_MS = 10 * SECOND_MS;
/** Longer than any read that began before its call's claim arrived. */
const LATELY_MS = MINUTE_MS;
export const KEPT_MS = 7 * DAY_MS;
/** The most keys that one object locks at the same time. */
export const MAX_RUNS = 1_000;
/** The most answers that one object stores; beyond it the oldest are deleted. */
const MAX_KEPT = 10_000;
/** The most answers that one alarm deletes. */
const PORTION = 1_000;

/**
 * The right to run the operation of a key. The key is free again when the run ends. When the Worker that holds the right dies, the
 * runtime disposes of it, so that a key is never locked for good.
 */
export class KeyedRun extends RpcTarget {
	readonly fingerprint: string;
	/** The answer that identical calls get; undefined when one of them must run the operation itself. */
	readonly ended: Promise<Answer | undefined>;
	readonly #end: (answer: Answer | undefined) => void;
	readonly #keep: (kept: Answer) => Promise<void>;

	constructor(fingerprint: string, keep: (kept: Answer) => Promise<void>) {
		super();
		this.fingerprint = fingerprint;
		this.#keep = keep;
		const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
		this.ended = promise;
		this.#end = resolve;
	}

	/** Ends with an answer that D1 has a record of. */
	async endRecorded(answer: Answer): Promise<void> {
		this.#end(answer);
	}

	/**
	 * Ends with an answer that D1 has no record of, and stores it.
	 * @param kept the form in which it is stored
	 */
	async endUnrecorded(answer: Answer, kept: Answer = answer): Promise<void> {
		await this.#keep(kept);
		this.#end(answer);
	}

	[Symbol.dispose](): void {
		this.#end(undefined);
	}
}

type Kept = { fingerprint: string; status: number; body: string | null };

export class IdempotencyKeys extends DurableObject<Env> {
	readonly #runs = new Map<string, KeyedRun>();
	/** When the last runs of keys have ended, the oldest first. */
	readonly #ended = new Map<string, number>();
	/** The table is created with the first kept answer: most callers never have one, so their objects never write. */
	#hasTable = this.ctx.storage.sql.exec("select 1 from sqlite_master where name = 'kept'").toArray().length > 0;

	async claim(scope: string, fingerprint: string): Promise<Claim> {
		const deadline = Date.now() + WAIT_MS;
		for (;;) {
			const running = this.#runs.get(scope);
			if (!running) return this.#claimIdle(scope, fingerprint);
			if (running.fingerprint !== fingerprint) return { kind: "reused" };
			const left = deadline - Date.now();
			if (left <= 0) return { kind: "in-progress" };
			const answer = await Promise.race([running.ended, scheduler.wait(left)]);
			if (answer) return { kind: "replay", answer };
		}
	}

	#claimIdle(scope: string, fingerprint: string): Claim {
		const kept = this.#find(scope);
		if (kept && kept.fingerprint !== fingerprint) return { kind: "reused" };
		if (kept) return { kind: "replay", answer: { status: kept.status, body: kept.body } };
		if (this.#runs.size >= MAX_RUNS) return { kind: "too-many" };
		const run = new KeyedRun(fingerprint, (answer) => this.#keep(scope, fingerprint, answer));
		this.#runs.set(scope, run);
		void run.ended.then(() => this.#end(scope));
		return { kind: "run", run, follows: Date.now() - (this.#ended.get(scope) ?? 0) < LATELY_MS };
	}

	#end(scope: string): void {
		this.#runs.delete(scope);
		this.#ended.delete(scope);
		this.#ended.set(scope, Date.now());
		const [oldest] = this.#ended.keys();
		if (this.#ended.size > MAX_RUNS && oldest !== undefined) this.#ended.delete(oldest);
	}

	#find(scope: string): Kept | undefined {
		if (!this.#hasTable) return undefined;
		const select = "select fingerprint, status, body from kept where scope = ? and expires_at > ?";
		return this.ctx.storage.sql.exec<Kept>(select, scope, Date.now()).toArray()[0];
	}

	async #keep(scope: string, fingerprint: string, { status, body }: Answer): Promise<void> {
		const { sql } = this.ctx.storage;
		const alarm = await this.ctx.storage.getAlarm();
		// No await from here on, so that the runtime stores the answer and its alarm together.
		if (!this.#hasTable) {
			// Ids ascend with `expires_at`, because every answer is kept for the same time.
			sql.exec(
				`create table kept (id integer primary key, scope text not null unique, fingerprint text not null,
					status integer not null, body text, expires_at integer not null) strict`,
			);
			this.#hasTable = true;
		}
		const expiresAt = Date.now() + KEPT_MS;
		const insert = "insert or replace into kept (scope, fingerprint, status, body, expires_at) values (?, ?, ?, ?, ?) returning id";
		const { id } = sql.exec<{ id: number }>(insert, scope, fingerprint, status, body, expiresAt).one();
		sql.exec("delete from kept where id <= ?", id - MAX_KEPT);
		if (alarm === null) void this.ctx.storage.setAlarm(expiresAt);
	}

	/** Deletes a portion of the answers whose seven days are over, and sets the alarm for the next portion. */
	override async alarm(): Promise<void> {
		const { storage } = this.ctx;
		const now = Date.now();
		storage.sql.exec("delete from kept where id in (select id from kept order by id limit ?) and expires_at <= ?", PORTION, now);
		const [next] = storage.sql.exec<{ at: number }>("select expires_at as at from kept order by id limit 1").toArray();
		if (next) return storage.setAlarm(Math.max(next.at, now));
		this.#hasTable = false;
		await storage.deleteAll();
	}
}
