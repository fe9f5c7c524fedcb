// The Durable Object that sweeps one database. It is made near that database, and being one object it never sweeps twice at a time. Its own
// alarm begins a sweep each minute; the cron, which pokes it each minute too, begins a sweep where that alarm did not come.

import { DurableObject } from "cloudflare:workers";
import { placesOf } from "../db/places";
import { logger } from "../runtime/log";
import { MINUTE_MS, SECOND_MS } from "../shared/time";
import { servicesFor } from "./services";

/** A sweep that began so lately has seen what a poke would have it look for. */
const LATELY_MS = 30 * SECOND_MS;

export class Sweep extends DurableObject<Env> {
	#began = 0;
	#sweeping: Promise<void> | undefined;

	/** Sweeps the database of this name, unless that has just been done; resolves when it is. */
	async poke(name: string): Promise<void> {
		// An alarm only knows what is stored.
		if (this.ctx.storage.kv.get("database") !== name) this.ctx.storage.kv.put("database", name);
		if (this.#sweeping || Date.now() - this.#began >= LATELY_MS) await this.#sweepOnce(name);
	}

	override async alarm(): Promise<void> {
		const name = this.ctx.storage.kv.get<string>("database");
		if (name !== undefined) await this.#sweepOnce(name);
	}

	#sweepOnce(name: string): Promise<void> {
		this.#sweeping ??= this.#sweep(name).finally(() => {
			this.#sweeping = undefined;
		});
		return this.#sweeping;
	}

	async #sweep(name: string): Promise<void> {
		const place = placesOf(this.env).named(name);
		// The database is bound no longer.
		if (!place) return this.ctx.storage.deleteAll();
		this.#began = Date.now();
		// Before the work, so that the next sweep comes after every end of this one.
		await this.ctx.storage.setAlarm(this.#began + MINUTE_MS);
		const left: Promise<unknown>[] = [];
		const ctx = { waitUntil: (work: Promise<unknown>) => void left.push(work) };
		const { sweepHere } = await import("./cron");
		await sweepHere([place], { servicesIn: () => servicesFor({ env: this.env, ctx, place }), log: logger({}) });
		while (left.length > 0) await left.shift()?.catch(() => {});
	}
}
