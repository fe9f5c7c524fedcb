// The Worker of these tests in workerd: the objects that they ask, and nothing else of the service, whose sources take longer to load than
// all these tests to run.

import { DurableObject } from "cloudflare:workers";

export { DeliveryRetry } from "../../src/domains/webhooks/deliveries/delivery-retry.object";
export { IdempotencyKeys } from "../../src/http/idempotency/idempotency-keys";

/** The binding of the configuration asks for one. */
export class Sweep extends DurableObject {}

export default {
	fetch: async () => new Response(),
	/** A test puts its own in this place. */
	queue: async (_: MessageBatch<{ n: number }>): Promise<void> => undefined,
};
