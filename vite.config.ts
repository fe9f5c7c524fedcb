// The build of the Workers and of the core's assets, which `npm start`, the tests of the bundle and `npm run deploy` share (src/dev/bundle.ts).

import { cloudflare } from "@cloudflare/vite-plugin";
import { defineConfig, type Plugin } from "vite";
import { API_REFERENCE, apiReference } from "./src/dev/api-reference.ts";
import { consolePages } from "./src/dev/console.ts";

// Nothing is reported, nothing is asked of the network, and that secrets of .dev.vars are known is not worth a line.
process.env.WRANGLER_LOG ??= "warn";
process.env.WRANGLER_SEND_METRICS ??= "false";
process.env.CLOUDFLARE_CF_FETCH_ENABLED ??= "false";

/** Cloudflare's plugin copies the secrets of .dev.vars beside the Worker, for its preview. */
const withoutSecrets: Plugin = {
	name: "without-secrets",
	enforce: "post",
	generateBundle(_, bundle) {
		delete bundle[".dev.vars"];
	},
};

export default defineConfig({
	plugins: [
		// Before the Worker, which answers every path.
		consolePages(),
		cloudflare({
			configPath: "./wrangler.toml",
			viteEnvironment: { name: "worker" },
			auxiliaryWorkers: [{ configPath: "./wrangler.edge.toml", viteEnvironment: { name: "edge" } }],
		}),
		apiReference(),
		withoutSecrets,
	],
	publicDir: false,
	environments: {
		// Nobody caches a module of the Worker by its name, and hashes do not compress.
		worker: { build: { minify: true, sourcemap: true, rolldownOptions: { output: { chunkFileNames: "chunks/[name].js" } } } },
		edge: { build: { minify: true, sourcemap: true } },
		client: { build: { rolldownOptions: { input: [API_REFERENCE] } } },
	},
});
