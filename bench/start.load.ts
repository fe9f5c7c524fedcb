// One start of an isolate, in this process: imports the bundle that the first argument names, and sends it one request to the path that
// the second names. Prints the processor time of all threads as JSON.

import { readFileSync } from "node:fs";
import vm from "node:vm";
import { freshMasterKey, freshServiceKeys } from "../src/dev/local-variables.ts";

/** In ms. */
export type Started = { parseMs: number; runMs: number; firstMs: number; status: number };

type Worker = { fetch(request: Request, env: object, ctx: object): Promise<Response> };

const [file = "", first = ""] = process.argv.slice(2);
const elsewhere = "https://elsewhere.example";
const unlimited = { limit: async () => ({ success: true }) };
const env = {
	ENVIRONMENT: "production",
	BASE_URL: "https://service.example",
	SERVICE_KEYS: freshServiceKeys(),
	MASTER_KEY: freshMasterKey(),
	MESSAGE_SENDER_URL: elsewhere,
	MESSAGE_SENDER_TOKEN: "token",
	CUSTODIAN_URL: elsewhere,
	DISBURSER_URL: elsewhere,
	DISBURSER_SECRET: "secret",
	DB: { withSession: () => ({ getBookmark: () => null }) },
	ADDRESS_LIMIT: unlimited,
	CLIENT_LIMIT: unlimited,
	FAILURE_LIMIT: unlimited,
};
const waiting: Promise<unknown>[] = [];
const ctx = { waitUntil: (work: Promise<unknown>) => waiting.push(work), passThroughOnException() {}, props: {} };

/** What the bundle imports of the platform; no request of the bench uses it. */
const platform = ["DurableObject", "RpcTarget", "WorkerEntrypoint"];
/** As on Workers: Node's own object is slow to make, and zod asks it where it runs. */
Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Cloudflare-Workers" } });

function synthetic(members: Readonly<Record<string, unknown>>): vm.SyntheticModule {
	const names = Object.keys(members);
	return new vm.SyntheticModule(names, function () {
		for (const name of names) this.setExport(name, members[name]);
	});
}

async function timed<T>(work: () => T | Promise<T>): Promise<[T, number]> {
	const before = process.cpuUsage();
	const result = await work();
	const { user, system } = process.cpuUsage(before);
	return [result, (user + system) / 1000];
}

const source = readFileSync(file, "utf8");
const [module, parseMs] = await timed(() => new vm.SourceTextModule(source, { identifier: file }));
await module.link(async (specifier) =>
	synthetic(specifier.startsWith("node:") ? await import(specifier) : Object.fromEntries(platform.map((name) => [name, class {}]))),
);
const [, runMs] = await timed(() => module.evaluate());
const { default: worker } = module.namespace as { default: Worker };
// Its log would end up in the output, which is JSON.
console.log = console.warn = console.error = () => {};
const request = new Request(`https://service.example${first}`);
const [response, firstMs] = await timed(() => worker.fetch(request, env, ctx));
await Promise.allSettled(waiting);
process.stdout.write(JSON.stringify({ parseMs, runMs, firstMs, status: response.status } satisfies Started));
