// The entry point by which the Worker calls itself to sweep a database in an invocation of its own.

import { WorkerEntrypoint } from "cloudflare:workers";
import { placesOf } from "../db/places";
import { logger } from "../runtime/log";
import { servicesFor } from "./services";

export class Sweeper extends WorkerEntrypoint<Env> {
	async sweep(names: readonly string[], starting: boolean): Promise<void> {
		const { env, ctx } = this;
		const { sweepHere } = await import("./cron");
		const places = names.flatMap((name) => placesOf(env).named(name) ?? []);
		await sweepHere(places, { servicesIn: (place) => servicesFor({ env, ctx, place }), log: logger({}), starting });
	}
}
