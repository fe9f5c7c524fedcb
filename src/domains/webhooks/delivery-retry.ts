// The Durable Object of one delivery's manual retries.

import { DurableObject } from "cloudflare:workers";

export class DeliveryRetry extends DurableObject<Env> {}
