// The core: its entry points and its Durable Objects.

import { createWorker } from "./wiring/create-worker";

export { DeliveryRetry } from "./domains/webhooks/deliveries/delivery-retry.object";
export { IdempotencyKeys } from "./http/idempotency/idempotency-keys";
export { Sweep } from "./wiring/sweep.object";

export default createWorker();
