// The Worker's entry points. Wiring only.

import { app } from "./app";

export { DeliveryRetry } from "./domains/webhooks/delivery-retry";
export { IdempotencyKey } from "./http/idempotency-key";

export default {
	fetch: app.fetch,
} satisfies ExportedHandler<Env>;
