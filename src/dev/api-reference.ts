// Makes the API reference of every environment when the Worker is built, with the Worker's own code, so that a deployed Worker need not.

import { build, type Plugin, type Rolldown } from "vite";

/** The entry by which the client build makes the reference. It has no code. */
export const API_REFERENCE = "virtual:api-reference";

/** The documents need no Durable Object and no entry point. */
const PLATFORM = "data:text/javascript,export class DurableObject {} export class RpcTarget {} export class WorkerEntrypoint {}";

export function apiReference(): Plugin {
	return {
		name: "api-reference",
		applyToEnvironment: ({ name }) => name === "client",
		resolveId: (id) => (id === API_REFERENCE ? id : undefined),
		load: (id) => (id === API_REFERENCE ? "" : undefined),
		async generateBundle(_, bundle) {
			for (const [name, chunk] of Object.entries(bundle)) {
				if (chunk.type === "chunk" && chunk.facadeModuleId === API_REFERENCE) delete bundle[name];
			}
			const assets = await makeAssets(this.environment.config.root);
			for (const [fileName, source] of Object.entries(assets)) this.emitFile({ type: "asset", fileName, source });
		},
	};
}

/** Bundles what makes the documents for Node, and runs it. */
async function makeAssets(root: string): Promise<Readonly<Record<string, string>>> {
	const built = await build({
		root,
		configFile: false,
		logLevel: "error",
		resolve: { alias: { "cloudflare:workers": PLATFORM } },
		ssr: { noExternal: true },
		build: {
			ssr: "src/wiring/reference-assets.ts",
			target: "esnext",
			write: false,
			rolldownOptions: { output: { codeSplitting: false } },
		},
	});
	const [{ code }] = (built as Rolldown.RolldownOutput).output;
	const { assets } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
	return assets;
}
