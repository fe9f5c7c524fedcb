// The Durable Object that limits manual retries of one delivery: of concurrent calls it permits one, and then none for a
// minute. D1 stores the time of the retry and enforces the minute as well, so this object may lose its state.

import { DurableObject } from "cloudflare:workers";
import { MANUAL_RETRY_INTERVAL_MS } from "../attempts/policy";

export type Permit = { taken: true } | { taken: false; waitMs: number };

export class DeliveryRetry extends DurableObject<Env> {
	/** @param now ms of the service's clock, which measures the minute */
	async take(now: number): Promise<Permit> {
		const last = this.ctx.storage.kv.get<number>("takenAt");
		const waitMs = last === undefined ? 0 : last + MANUAL_RETRY_INTERVAL_MS - now;
		if (waitMs > 0) return { taken: false, waitMs };
		// Before the first await, because another call may run during an await.
		this.ctx.storage.kv.put("takenAt", now);
		await this.ctx.storage.setAlarm(Date.now() + MANUAL_RETRY_INTERVAL_MS);
		return { taken: true };
	}

	/** Returns the permit of a retry that could not be committed. */
	async giveBack(): Promise<void> {
		await this.ctx.storage.deleteAll();
	}

	override async alarm(): Promise<void> {
		await this.ctx.storage.deleteAll();
	}
}
