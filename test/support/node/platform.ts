// Makes Node look like workerd to the tests of the project `local`, in real time: the same files run in workerd in the project `workers`.

import { inject } from "vitest";
import deployed from "../../../src/worker";
import { bind, sqlites } from "./bindings";
import { Bucket } from "./bucket";
import { DataCentreCache } from "./caches";
import { callsTake, turn, waited } from "./clock";
import { env, exports } from "./cloudflare-workers";
import "./crypto";
import { d1Over } from "./d1";
import { declared } from "./declared";
import { contextsExport, createExecutionContext, waitOnExecutionContext } from "./execution";
import { Broker, type Consumer } from "./queues";
import { Limiter } from "./rate-limit";
import { whenReset } from "./reset";
import { migrate, Sqlite } from "./sqlite";

// What the Worker loads when it first sweeps or consumes: to load it takes seconds here, in which a test has gone on.
await Promise.all([import("../../../src/wiring/cron"), import("../../../src/domains/webhooks/deliveries/consumer.job")]);

callsTake(turn);

const objects = bind("timed");
const second = new Sqlite();
const databases = [...sqlites.values(), second];
for (const database of databases) database.mark();

const broker = new Broker(declared<Consumer>("queues.consumers"), () => (batch, ctx) => deployed.queue(batch, env as never, ctx));
const cache = new DataCentreCache();
const bucket = new Bucket();
const limits = declared<{ name: string; simple: { limit: number; period: number } }>("ratelimits").map(
	({ name, simple }) => [name, new Limiter(simple)] as const,
);
const queues = declared<{ binding: string; queue: string }>("queues.producers");

Object.assign(env, {
	SECOND_DB: d1Over(second),
	TEST_MIGRATIONS: inject("migrations"),
	BUCKET: bucket,
	METRICS: { writeDataPoint() {} },
	...Object.fromEntries(limits),
	...Object.fromEntries(queues.map(({ binding, queue }) => [binding, broker.producer(queue)])),
	...Object.fromEntries(
		["EXAMPLES_URL", "CROWD_ROWS", "PRINT_BUDGETS", "SIMULATE", "SIMULATION_SEED"].map((name) => [name, process.env[name] ?? ""]),
	),
});

Object.assign(exports, {
	default: {
		async fetch(input: RequestInfo | URL, init?: RequestInit) {
			const ctx = createExecutionContext();
			const response = await deployed.fetch(new Request(input, init) as never, env as never, ctx);
			await waitOnExecutionContext(ctx);
			return response;
		},
	},
});
contextsExport(exports);

whenReset(() => {
	for (const database of databases) database.takeBack();
	for (const each of [...Object.values(objects), broker, cache, bucket]) each.clear();
	for (const [, limit] of limits) limit.clear();
});

/** Every database begins again, with migrations that are altered or, without a word, as they are. */
export function migrateAgain(altered?: (migration: string) => string): void {
	const migrated = altered && migrate(altered);
	for (const database of databases) database.beginAnew(migrated);
}

/** Node asks for a word more where a body is a stream. */
const withDuplex = (init: RequestInit | undefined) => (init?.body instanceof ReadableStream ? { duplex: "half", ...init } : init);

const { fetch } = globalThis;

Object.assign(globalThis, {
	Request: new Proxy(Request, {
		construct: (made, [input, init]: [RequestInfo, RequestInit?]) => Reflect.construct(made, [input, withDuplex(init)]) as Request,
	}),
	scheduler: { wait: waited },
	caches: { default: cache },
	fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
		const url = input instanceof Request ? input.url : String(input);
		// A server of the test's own.
		if (new URL(url).hostname === "127.0.0.1") return fetch(input, init);
		throw new Error(`nothing is asked from here, and this is: ${url}`);
	},
});

declare module "vitest" {
	interface ProvidedContext {
		migrations: { name: string; queries: string[] }[];
	}
}
