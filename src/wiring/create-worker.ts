// The Worker's handlers: requests, queue messages and the cron. All requests that leave the Worker go through `outside.fetch`.

import { placesOf } from "../db/places";
import { logger } from "../runtime/log";
import type { Fetch } from "../runtime/ports";
import type { Edge } from "../runtime/services";
import { createApp } from "./app";
import { servicesFor } from "./services";

/** Ten tries of a message last five hours by it. Messages that are lost after that were no more than reminders: what is due is in D1. */
const WRITES_OFF_DELAY_SECONDS = 1_800;

/** @param outside replaces the platform's own `fetch` */
export function createWorker(outside: { fetch?: Fetch } = {}) {
	const servicesAt = (edge: Edge) => servicesFor({ ...edge, ...outside });
	const app = createApp(servicesAt);
	/** Whether this isolate has asked for a sweep: locally no cron runs, and queues lose their messages when the process ends. */
	let asked = false;

	async function sweep(env: Env, ctx: Edge["ctx"]): Promise<void> {
		asked = true;
		const log = logger({});
		const { SWEEPS } = env;
		const { sweepAll, sweepHere } = await import("./cron");
		await sweepAll(placesOf(env).all, {
			poke: SWEEPS && (({ name, region }) => SWEEPS.getByName(name, region && { locationHint: region }).poke(name)),
			here: (places) => sweepHere(places, { servicesIn: (place) => servicesAt({ env, ctx, place }), log }),
			log,
		});
	}

	return {
		async fetch(request, env, ctx) {
			if (!asked && env.ENVIRONMENT === "local") ctx.waitUntil(sweep(env, ctx));
			return app.fetch(request, env, ctx);
		},

		async queue(batch, env, ctx) {
			const services = await servicesAt({ env, ctx });
			if (services.config.WRITES === "off") return batch.retryAll({ delaySeconds: WRITES_OFF_DELAY_SECONDS });
			if (batch.queue === services.config.DEAD_LETTER_QUEUE)
				return (await import("../domains/webhooks/deliveries/consumer.job")).noteDeadLetters(batch, services);
			return (await import("../domains/webhooks/deliveries/consumer.job")).consume(batch, services);
		},

		scheduled: (_, env, ctx) => sweep(env, ctx),
	} satisfies ExportedHandler<Env>;
}
