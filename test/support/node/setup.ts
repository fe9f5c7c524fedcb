// Makes Node look like workerd to plans of faults, where time passes as the plan says and a queue is what the plan makes of it.

import { bind, sqlites } from "./bindings";
import { env } from "./cloudflare-workers";
import "./crypto";

export { sqlites };

let passing: (ms: number) => void = () => {};
/** Who is informed that time passes: a millisecond with each round trip, and as long as the service waits. */
export function whenTimePasses(tell: (ms: number) => void): void {
	passing = tell;
}

/** By the names of their bindings. */
export const objects = bind("rung", () => passing(1));

const silent = { send: async () => {}, sendBatch: async () => {} };
Object.assign(env, { WEBHOOK_QUEUE: silent, WEBHOOK_SLOW_QUEUE: silent });

/** A waiting caller continues in the next turn. */
const wait = async (ms: number) => {
	passing(ms);
	await new Promise((resolve) => setImmediate(resolve));
};
Object.assign(globalThis, {
	scheduler: { wait },
	caches: { default: { match: async () => undefined, put: async () => {} } },
});
