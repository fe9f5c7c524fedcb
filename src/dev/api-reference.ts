// Makes the API reference of every environment when the Worker is built, with the Worker's own code, so that a deployed Worker need not.

import path from "node:path";
import { build, type Plugin, type Rolldown } from "vite";
import { workerModule } from "./worker-module.ts";

/** The entry by which the client build makes the reference. It has no code. */
export const API_REFERENCE = "virtual:api-reference";

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
			const { root } = this.environment.config;
			type Made = { assets: Readonly<Record<string, string>> };
			const { assets } = await workerModule<Made>(root, "src/wiring/reference-assets.ts");
			for (const [fileName, source] of Object.entries(assets)) this.emitFile({ type: "asset", fileName, source });
			this.emitFile({ type: "asset", fileName: "docs/reference.js", source: await script(root) });
		},
	};
}

/** The script of the pages, in one file. */
async function script(root: string): Promise<string> {
	const built = await build({
		root,
		configFile: false,
		logLevel: "error",
		build: {
			write: false,
			target: "es2022",
			modulePreload: false,
			rolldownOptions: { input: path.join(root, "src/reference/browser/main.ts"), output: { codeSplitting: false } },
		},
	});
	const [{ code }] = (built as Rolldown.RolldownOutput).output;
	return code;
}
