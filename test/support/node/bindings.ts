// The bindings that wrangler.toml declares, in Node, and the tests' own. `HOMES=3`: a directory and two databases of homes.

import { DeliveryRetry } from "../../../src/domains/webhooks/deliveries/delivery-retry.object";
import { IdempotencyKeys } from "../../../src/http/idempotency/idempotency-keys";
import { Sweep } from "../../../src/wiring/sweep.object";
import { workerVars } from "../vars";
import { env } from "./cloudflare-workers";
import { d1Over } from "./d1";
import { Objects } from "./durable-objects";
import { Sqlite } from "./sqlite";

const bound = process.env.HOMES === "3" ? ["DB", "SHARD_0", "SHARD_1"] : ["DB"];

/** By the names of their bindings. */
export const sqlites: ReadonlyMap<string, Sqlite> = new Map(bound.map((name) => [name, new Sqlite()]));

/** Puts the bindings that all tests have into the environment. @param trip gets each round trip to a database */
export function bind(alarms: "timed" | "rung", trip: () => void = () => {}) {
	const objects = {
		IDEMPOTENCY_KEYS: new Objects(IdempotencyKeys, env, alarms),
		DELIVERY_RETRIES: new Objects(DeliveryRetry, env, alarms),
		SWEEPS: new Objects(Sweep, env, alarms),
	};
	const databases = Object.fromEntries([...sqlites].map(([name, sqlite]) => [name, d1Over(sqlite, trip)]));
	const variables = { DEAD_LETTER_QUEUE: "webhook-dead-letters" };
	Object.assign(env, workerVars(), databases, objects, variables);
	return objects;
}
