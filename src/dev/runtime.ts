// The only file that uses what wrangler and Miniflare do not promise to keep: wrangler's `unstable_getMiniflareWorkerOptions`,
// `unstable_splitSqlQuery` and `unstable_readConfig`, and Miniflare's `convertV4MiniflareOptions`, in an alpha, its variable for flags,
// its header for routes and its address of crons. `test/dev/runtime.test.ts` fails when an upgrade breaks one of the functions.

import { readFileSync } from "node:fs";
import path from "node:path";
import type { Miniflare, V4MiniflareOptions } from "miniflare";
import type { Unstable_Config } from "wrangler";
import type { Configured, Environments } from "./environments.ts";

/** What the configuration of a built Worker says that is used here. */
export type BuiltConfig = Pick<Unstable_Config, "d1_databases" | "triggers">;

/**
 * Lets the runtime collect garbage in the thread that runs the code.
 *
 * On two cores V8 has a single thread in the background. When that one compiles, needs memory and waits for a collection, while the
 * main thread sweeps and waits for the same thread to sweep with it, neither goes on: one core is busy for ever, and no request is
 * answered. Three hundred tests in one process came to it every second time.
 */
export function avoidDeadlockOfCollectors(): void {
	process.env.MINIFLARE_WORKERD_V8_FLAGS ??= "--single-threaded-gc";
}

/** Loads wrangler and Miniflare, which takes a second, and reads NODE_EXTRA_CA_CERTS. */
export async function loadRuntime() {
	avoidDeadlockOfCollectors();
	const [{ unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery }, miniflare] = await Promise.all([
		import("wrangler"),
		import("miniflare"),
	]);
	const log = new miniflare.Log(miniflare.LogLevel.WARN);
	return {
		/** Splits a script into statements as wrangler does; a split at semicolons would cut triggers apart. */
		splitSql: unstable_splitSqlQuery,
		Response: miniflare.Response,
		isRuntimeError: (error: unknown): error is Error => error instanceof miniflare.MiniflareCoreError,

		/** The configuration in this file, and the Worker's options by it and by the `.dev.vars` of the checkout. */
		configured(file: string) {
			const config = JSON.parse(readFileSync(file, "utf8")) as Unstable_Config;
			return { config: config as BuiltConfig, options: unstable_getMiniflareWorkerOptions(config).workerOptions };
		},

		/** Starts the Workers in a process of the runtime. */
		run(workers: readonly object[], shared: object): Miniflare {
			const options = { cf: false, telemetry: { enabled: false }, unsafeTriggerHandlers: true, log, ...shared, workers };
			return new miniflare.Miniflare(miniflare.convertV4MiniflareOptions(options as unknown as V4MiniflareOptions));
		},

		/**
		 * Runs the Worker of this name for the cron, to its end. A request, because `getWorker()` gives a proxy whose use stops this thread until the
		 * runtime has answered, and the runtime may wait for this thread to read what it logs.
		 */
		async trigger(runtime: Miniflare, worker: string, cron: string): Promise<void> {
			const query = new URLSearchParams({ cron, time: String(Date.now()) });
			const headers = { "MF-Route-Override": worker };
			await (await runtime.dispatchFetch(`http://localhost/cdn-cgi/local/scheduled?${query}`, { headers })).text();
		},
	};
}

/** What a file of wrangler says at its top level and in each environment. Environments that it lacks are not asked for. */
export async function loadConfigured(file: string): Promise<Configured> {
	const { unstable_readConfig } = await import("wrangler");
	const read = (env?: string) => unstable_readConfig({ config: file, ...(env !== undefined && { env }) }, { hideWarnings: true });
	const top = read();
	return { top, deployed: new Map((top.definedEnvironments ?? []).map((env: string) => [env, read(env)])) };
}

/** The environments of the checkout, each with its core and its edge. */
export async function loadEnvironments(directory: string): Promise<Environments> {
	const [cores, edges] = await Promise.all(
		["wrangler.toml", "wrangler.edge.toml"].map((name) => loadConfigured(path.join(directory, name))),
	);
	if (!cores || !edges) throw new Error("a file of wrangler could not be read");
	return { ...cores, edges: edges.deployed };
}
