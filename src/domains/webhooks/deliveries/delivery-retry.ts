// The Durable Object of one delivery's manual retries: of many calls at once it lets one through, and none for a minute
// after. D1 keeps the retry itself and refuses one that came by another way, so this object may forget.

import { DurableObject } from "cloudflare:workers";
import { MANUAL_RETRY_INTERVAL_MS } from "./policy";

export type Permit = { taken: true } | { taken: false; waitMs: number };

export class DeliveryRetry extends DurableObject<Env> {
	/** @param now ms of the service's clock, by which the minute is counted */
	async take(now: number): Promise<Permit> {
		const last = this.ctx.storage.kv.get<number>("takenAt");
		const waitMs = last === undefined ? 0 : last + MANUAL_RETRY_INTERVAL_MS - now;
		if (waitMs > 0) return { taken: false, waitMs };
		// Before the first await, at which another call may come in.
		this.ctx.storage.kv.put("takenAt", now);
		await this.ctx.storage.setAlarm(Date.now() + MANUAL_RETRY_INTERVAL_MS);
		return { taken: true };
	}

	/** For a retry that was let through and then could not be written. */
	async giveBack(): Promise<void> {
		await this.ctx.storage.deleteAll();
	}

	override async alarm(): Promise<void> {
		await this.ctx.storage.deleteAll();
	}
}
