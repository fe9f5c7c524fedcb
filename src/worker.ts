// The Worker's entry points and its Durable Objects.

import { createWorker } from "./wiring/create-worker";

export { DeliveryRetry } from "./domains/webhooks/deliveries/delivery-retry.object";
export { IdempotencyKeys } from "./http/idempotency/idempotency-keys";
export { Sweeper } from "./wiring/sweeper";

export default createWorker();
