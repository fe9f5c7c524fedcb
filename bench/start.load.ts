// One start of an isolate, in this process: imports the bundle in the directory that the first argument names, and sends it one request
// to the path that the second names. It compiles all files first, as workerd does. Prints the processor time of all threads as JSON.

import { readFileSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { codeIn, modulesIn } from "../src/dev/bundle.ts";
import { freshMasterKey, freshServiceKeys } from "../src/dev/local-variables.ts";

/** In ms. */
export type Started = { parseMs: number; runMs: number; firstMs: number; status: number };

type Worker = { fetch(request: Request, env: object, ctx: object): Promise<Response> };

const [outdir = "", first = ""] = process.argv.slice(2);
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

const sources = modulesIn(outdir).map(({ path: file }) => [file, readFileSync(file, "utf8")] as const);
const [modules, parseMs] = await timed(
	() => new Map(sources.map(([file, source]) => [file, new vm.SourceTextModule(source, { identifier: file, importModuleDynamically })])),
);
const platformModules = new Map<string, Promise<vm.Module>>();
/** Two links at once may not share a module that is not linked yet. */
let linked = Promise.resolve();

async function moduleOf(specifier: string, importer: string): Promise<vm.Module> {
	const module = modules.get(path.resolve(path.dirname(importer), specifier));
	if (module) return module;
	const known = platformModules.get(specifier) ?? platformModule(specifier);
	platformModules.set(specifier, known);
	return known;
}

async function platformModule(specifier: string): Promise<vm.Module> {
	if (specifier.startsWith("node:")) return synthetic(await import(specifier));
	return synthetic(Object.fromEntries(platform.map((name) => [name, class {}])));
}

async function link(module: vm.Module): Promise<void> {
	linked = linked.then(async () => {
		if (module.status === "unlinked") await module.link((specifier, importer) => moduleOf(specifier, importer.identifier));
	});
	await linked;
}

async function importModuleDynamically(specifier: string, importer: { identifier?: string }): Promise<vm.Module> {
	const module = await moduleOf(specifier, importer.identifier ?? "");
	await link(module);
	await module.evaluate();
	return module;
}

const module = await moduleOf("worker.js", path.join(codeIn(outdir), "importer"));
await link(module);
const [, runMs] = await timed(() => module.evaluate());
const { default: worker } = module.namespace as { default: Worker };
// Its log would end up in the output, which is JSON.
console.log = console.warn = console.error = () => {};
const request = new Request(`https://service.example${first}`);
const [response, firstMs] = await timed(() => worker.fetch(request, env, ctx));
await Promise.allSettled(waiting);
process.stdout.write(JSON.stringify({ parseMs, runMs, firstMs, status: response.status } satisfies Started));
