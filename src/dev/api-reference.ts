// Makes the API reference of every environment when the Worker is built, with the Worker's own code, so that a deployed Worker need not.

import type { Plugin } from "vite";
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
			type Made = { assets: Readonly<Record<string, string>> };
			const { assets } = await workerModule<Made>(this.environment.config.root, "src/wiring/reference-assets.ts");
			for (const [fileName, source] of Object.entries(assets)) this.emitFile({ type: "asset", fileName, source });
		},
	};
}
