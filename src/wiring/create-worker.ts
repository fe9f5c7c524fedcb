// The Worker's handlers: requests, queue messages and the cron. `fetch` is what they reach the outside world by.

import { consume } from "../domains/webhooks/deliveries/consumer.job";
import type { Fetch } from "../runtime/ports";
import type { Edge } from "../runtime/services";
import { createApp } from "./app";
import { sweep, sweepAtStart } from "./cron";
import { servicesFor } from "./services";

const LANES = { "webhook-deliveries": "FIRST", "webhook-retries": "RETRY" } as const;

/** @param outside in place of the platform's own `fetch` */
export function createWorker(outside: { fetch?: Fetch } = {}) {
	const servicesAt = (edge: Edge) => servicesFor({ ...edge, ...outside });
	const app = createApp(servicesAt);
	/** Whether this isolate has swept: no cron runs locally, and the queues forget their messages when the process ends. */
	let swept = false;

	return {
		async fetch(request, env, ctx) {
			if (!swept && env.ENVIRONMENT === "local") {
				swept = true;
				ctx.waitUntil(
					servicesAt({ env, ctx }).then(
						(services) => services.afterwards(sweepAtStart(services)),
						() => {},
					),
				);
			}
			return app.fetch(request, env, ctx);
		},

		async queue(batch, env, ctx) {
			const services = await servicesAt({ env, ctx });
			const lane = Object.entries(LANES).find(([queue]) => queue === batch.queue)?.[1];
			if (lane) return consume(batch, lane, services);
			// Messages only wake the consumer up; the sweep queues again whatever is still due.
			services.log.error("messages ended as dead letters", undefined, { queue: batch.queue, count: batch.messages.length });
		},

		async scheduled(_, env, ctx) {
			const services = await servicesAt({ env, ctx });
			const starts = !swept && env.ENVIRONMENT === "local";
			swept = true;
			await (starts ? sweepAtStart(services) : sweep(services));
		},
	} satisfies ExportedHandler<Env>;
}
