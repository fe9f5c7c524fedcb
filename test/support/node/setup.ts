// Makes Node look like workerd to the sources and to the tests' support: bindings, and the globals that only workerd has.
// `HOMES=3`: a directory and two databases of homes beside it.

import { DeliveryRetry } from "../../../src/domains/webhooks/deliveries/delivery-retry.object";
import { IdempotencyKeys } from "../../../src/http/idempotency/idempotency-keys";
import { workerVars } from "../vars";
import { env } from "./cloudflare-workers";
import "./crypto";
import { d1Over } from "./d1";
import { Objects } from "./durable-objects";
import { Sqlite } from "./sqlite";

const bound = process.env.HOMES === "3" ? ["DB", "SHARD_0", "SHARD_1"] : ["DB"];

/** By the names of their bindings. */
export const sqlites: ReadonlyMap<string, Sqlite> = new Map(bound.map((name) => [name, new Sqlite()]));
/** By the names of their bindings. */
export const objects = { IDEMPOTENCY_KEYS: new Objects(IdempotencyKeys), DELIVERY_RETRIES: new Objects(DeliveryRetry) };

let passing: (ms: number) => void = () => {};
/** Who is told that time passes: a millisecond with each round trip, and as long as the service waits. */
export function whenTimePasses(tell: (ms: number) => void): void {
	passing = tell;
}

const silent = { send: async () => {}, sendBatch: async () => {} };

Object.assign(
	env,
	workerVars(),
	Object.fromEntries([...sqlites].map(([name, sqlite]) => [name, d1Over(sqlite, () => passing(1))])),
	objects,
	{
		WEBHOOK_QUEUE: silent,
		WEBHOOK_SLOW_QUEUE: silent,
		DEAD_LETTER_QUEUE: "webhook-dead-letters",
	},
);

/** Whoever waits goes on in the next turn. */
const wait = async (ms: number) => {
	passing(ms);
	await new Promise((resolve) => setImmediate(resolve));
};
Object.assign(globalThis, {
	scheduler: { wait },
	caches: { default: { match: async () => undefined, put: async () => {} } },
});
