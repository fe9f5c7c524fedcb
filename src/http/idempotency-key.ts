// The Durable Object of one idempotency key: it lets identical calls through one at a time and replays the first answer. It is only
// a lock and a cache of answers; whether an effect happened is known to D1, by the record in its commit.

import { DurableObject } from "cloudflare:workers";
import { DAY_MS } from "../shared/time";

export type Answer = { status: number; body: string | null };

/**
 * Runs the operation. `resumed`: an earlier run never reported its end, so its record in D1 must be looked for first.
 * `keep`: whether identical calls get this answer too.
 */
export type Run = (resumed: boolean) => Promise<{ keep: boolean; answer: Answer }>;

export type Verdict =
	| { kind: "ran"; answer: Answer }
	| { kind: "replayed"; answer: Answer }
	| { kind: "reused" }
	| { kind: "in-progress" }
	| { kind: "lost" };

const WAIT_MS = 10_000;
export const KEPT_MS = 7 * DAY_MS;

export class IdempotencyKey extends DurableObject<Env> {
	#running: Promise<void> | undefined;

	async execute(fingerprint: string, run: Run): Promise<Verdict> {
		const deadline = Date.now() + WAIT_MS;
		for (;;) {
			const claim = this.ctx.storage.kv.get<string>("fingerprint");
			if (claim !== undefined && claim !== fingerprint) return { kind: "reused" };
			const answer = this.ctx.storage.kv.get<Answer>("answer");
			if (answer) return { kind: "replayed", answer };
			if (!this.#running) return this.#run(fingerprint, run, claim !== undefined);
			const left = deadline - Date.now();
			if (left <= 0) return { kind: "in-progress" };
			await Promise.race([this.#running, scheduler.wait(left)]);
		}
	}

	async #run(fingerprint: string, run: Run, resumed: boolean): Promise<Verdict> {
		let done = () => {};
		this.#running = new Promise((resolve) => {
			done = resolve;
		});
		// Before the first await, because another call may come in while the operation runs.
		this.ctx.storage.kv.put("fingerprint", fingerprint);
		try {
			await this.ctx.storage.setAlarm(Date.now() + KEPT_MS);
			const { keep, answer } = await run(resumed);
			if (keep) this.ctx.storage.kv.put("answer", answer);
			// After a failure of the service the effect may still have happened: the claim stays, so that the next call looks for its record.
			else if (answer.status < 500) await this.ctx.storage.deleteAll();
			return { kind: "ran", answer };
		} catch {
			// The calling Worker is gone. What it did, if anything, is in D1.
			return { kind: "lost" };
		} finally {
			this.#running = undefined;
			done();
		}
	}

	override async alarm(): Promise<void> {
		await this.ctx.storage.deleteAll();
	}
}
