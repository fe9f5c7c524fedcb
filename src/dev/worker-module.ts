// Runs modules of the Worker in Node, for what is made of them when it is built.

import { build, type Rolldown } from "vite";

/** Documents need no Durable Object and no entry point. */
const PLATFORM = "data:text/javascript,export class DurableObject {} export class RpcTarget {} export class WorkerEntrypoint {}";

/** What this file of the Worker exports. */
export async function workerModule<Exports>(root: string, file: string): Promise<Exports> {
	const built = await build({
		root,
		configFile: false,
		logLevel: "error",
		resolve: { alias: { "cloudflare:workers": PLATFORM } },
		ssr: { noExternal: true },
		build: { ssr: file, target: "esnext", write: false, rolldownOptions: { output: { codeSplitting: false } } },
	});
	const [{ code }] = (built as Rolldown.RolldownOutput).output;
	return import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
}
