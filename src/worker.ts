// The Worker's entry points and its Durable Objects.

import { createWorker } from "./wiring/create-worker";

export { DeliveryRetry } from "./domains/webhooks/deliveries/delivery-retry";
export { IdempotencyKey } from "./http/idempotency-key";
export { Sweeper } from "./wiring/sweeper";

export default createWorker();
