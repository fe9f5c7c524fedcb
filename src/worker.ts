// The Worker's entry points. Wiring only.

import { consume } from "./domains/webhooks/deliveries/consumer.job";
import { app } from "./wiring/app";
import { sweep, sweepAtStart } from "./wiring/cron";
import { servicesFor } from "./wiring/services";

export { DeliveryRetry } from "./domains/webhooks/deliveries/delivery-retry";
export { IdempotencyKey } from "./http/idempotency-key";

const LANES = { "webhook-deliveries": "FIRST", "webhook-retries": "RETRY" } as const;

/** Whether this isolate has swept: no cron fires locally, and what was queued when the last process ended is lost. */
let swept = false;

export default {
	async fetch(request, env, ctx) {
		if (!swept && env.ENVIRONMENT === "local") {
			swept = true;
			ctx.waitUntil(
				servicesFor({ env, ctx }).then(
					(services) => services.afterwards(sweepAtStart(services)),
					() => {},
				),
			);
		}
		return app.fetch(request, env, ctx);
	},

	async queue(batch, env, ctx) {
		const services = await servicesFor({ env, ctx });
		const lane = Object.entries(LANES).find(([queue]) => queue === batch.queue)?.[1];
		if (lane) return consume(batch, lane, services);
		// Dead letters are hints that could not be taken; the sweep gives them anew.
		services.log.error("messages ended as dead letters", undefined, { queue: batch.queue, count: batch.messages.length });
	},

	async scheduled(_, env, ctx) {
		const services = await servicesFor({ env, ctx });
		const starts = !swept && env.ENVIRONMENT === "local";
		swept = true;
		await (starts ? sweepAtStart(services) : sweep(services));
	},
} satisfies ExportedHandler<Env>;
