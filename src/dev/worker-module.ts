// Runs modules of the Worker in Node, for what is made of them when it is built.

import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Rolldown } from "vite";
import { digestOf, keepUsed } from "./inputs.ts";

/** Documents need no Durable Object and no entry point. */
const PLATFORM = "data:text/javascript,export class DurableObject {} export class RpcTarget {} export class WorkerEntrypoint {}";

/** What this file of the Worker exports. It is built once for all processes that ask for it, until something of the sources changes. */
export async function workerModule<Exports>(root: string, file: string): Promise<Exports> {
	const built = path.join(root, "node_modules/.cache/worker-modules", `${digestOf(root)}-${path.basename(file, ".ts")}.mjs`);
	if (!existsSync(built)) {
		const code = await codeOf(root, file);
		const unfinished = `${built}.${crypto.randomUUID()}`;
		mkdirSync(path.dirname(built), { recursive: true });
		writeFileSync(unfinished, code);
		renameSync(unfinished, built);
	}
	keepUsed(built);
	return import(pathToFileURL(built).href);
}

async function codeOf(root: string, file: string): Promise<string> {
	const { build } = await import("vite");
	const built = await build({
		root,
		configFile: false,
		logLevel: "error",
		resolve: { alias: { "cloudflare:workers": PLATFORM } },
		ssr: { noExternal: true },
		build: { ssr: file, target: "esnext", write: false, rolldownOptions: { output: { codeSplitting: false } } },
	});
	const [{ code }] = (built as Rolldown.RolldownOutput).output;
	return code;
}
