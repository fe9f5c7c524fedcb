// Builds the console into the assets of the Worker: hashed scripts and styles, and the document that loads them.

import path from "node:path";
import type { Plugin } from "vite";
import { build, createServer, type Rolldown } from "vite";

const SOURCES = "src/console";
/** Where its files lie among the assets, and in the address. */
const BASE = "console";

const AREAS = [
	{ name: "forms", test: /console\/(?:pages\/(?:amounts|form|people|rows)|ui\/late)/ },
	{ name: "desk", test: /console\/pages\/(?:account|financing|products)\/|pages\/lending\/(?:products|terms)/ },
	{
		name: "books",
		test: /console\/pages\/lending\/(?:break-action|closings|credit-bureau|ledger|provider-statement|provisions|statement-import|statements|treasury)/,
	},
	{ name: "service", test: /console\/pages\/(?:connections|service)\// },
	{
		name: "account",
		test: /console\/(?:charts\/schedule|pages\/lending\/(?:about|account|current|entries|explanation|installments|issued|schedule|statement|why))/,
	},
	{ name: "lending", test: /console\/pages\/lending/ },
	{ name: "platform", test: /console\/pages\/platform/ },
	{ name: "decisions", test: /console\/pages\/organization\/(?:approvals|audit|before|currency|deeds|effect|held|lends|subjects)/ },
	{ name: "organization", test: /console\/(?:pages\/organization|ui\/secret)/ },
	{ name: "deliveries", test: /console\/(?:charts\/track|pages\/webhooks\/(?:deliver|event|signatures))/ },
	{ name: "webhooks", test: /console\/(?:charts\/(?:bars|spark)|pages\/webhooks)/ },
	{ name: "parts", test: /console\/(?:pages\/(?:list|may|save)|states|tail|ui\/(?:event-name|json|loaded|table|time))\.tsx?/ },
];

const sourcesIn = (repository: string) =>
	({ root: path.join(repository, SOURCES), base: `/${BASE}/`, configFile: false, publicDir: false, logLevel: "error" }) as const;

export function consolePages(): Plugin {
	return {
		name: "console-pages",
		// `npm run dev`: pages of the sources, which the browser reloads when they change, without the policy of the built ones.
		async configureServer({ config, middlewares, httpServer }) {
			const server = { middlewareMode: true, ...(httpServer && { hmr: { server: httpServer } }) };
			const pages = await createServer({
				...sourcesIn(config.root),
				cacheDir: path.join(config.root, "node_modules/.vite-console"),
				appType: "spa",
				server,
			});
			middlewares.use((request, response, next) => {
				if (/^\/console(?=[/?]|$)(?!\/config\.json)/.test(request.url ?? "")) pages.middlewares(request, response, next);
				else next();
			});
			httpServer?.once("close", () => void pages.close());
		},
		applyToEnvironment: ({ name }) => name === "client",
		async generateBundle() {
			for (const { name, source } of await consoleFiles(this.environment.config.root)) {
				this.emitFile({ type: "asset", fileName: name, source });
			}
		},
	};
}

/** The files of the console, by their paths among the assets. */
export async function consoleFiles(repository: string): Promise<{ readonly name: string; readonly source: string | Uint8Array }[]> {
	const built = await build({
		...sourcesIn(repository),
		mode: "production",
		build: {
			write: false,
			target: "es2024",
			// The policy of the page allows no data: URLs.
			assetsInlineLimit: 0,
			cssCodeSplit: false,
			modulePreload: false,
			// Pages that the same people open one after the other are one file: it compresses better than several.
			rolldownOptions: { output: { codeSplitting: { groups: AREAS, includeDependenciesRecursively: false } } },
		},
	});
	const { output } = built as Rolldown.RolldownOutput;
	return output.map((file) => ({ name: `${BASE}/${file.fileName}`, source: file.type === "chunk" ? file.code : file.source }));
}

/** Of the built files those that the document and the view of the sign-in load: the entry, the styles, and what both import. */
export function signInOf<File extends { readonly name: string; readonly text: string }>(files: readonly File[]): File[] {
	const found = new Set(files.filter(({ name }) => /^(?:index|sign-in)-[\w-]+\.|\.css$/.test(name)));
	for (const file of found) {
		for (const [, name] of file.text.matchAll(/(?:from|import)\s*["`]\.\/([\w-]+\.js)["`]/g)) {
			const imported = files.find((one) => one.name === name);
			if (imported) found.add(imported);
		}
	}
	return [...found];
}
