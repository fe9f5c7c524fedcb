// Makes the API reference of every environment ahead, with the Worker's own code, and leaves out of the bundle what only that needs.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Plugin, rolldown } from "rolldown";
import { type ESTree, Visitor } from "rolldown/utils";

const ENVIRONMENTS = ["local", "sandbox", "production"];

/** What of `wiring/documents.ts` and `wiring/built-documents.ts` is used here. */
type Documents = {
	DOCUMENTS: readonly string[];
	documentOf(name: string, baseUrl: string, env: { ENVIRONMENT: string }): Promise<string>;
	ADDRESS_IN_ASSETS: string;
};

/** Writes a folder of documents for each environment. */
export async function writeApiReference(directory: string, assets: string): Promise<void> {
	const file = path.join(assets, "documents.js");
	const documents = JSON.stringify(path.join(directory, "src/wiring/documents"));
	const builtDocuments = JSON.stringify(path.join(directory, "src/wiring/built-documents"));
	const building = await rolldown({
		input: "documents",
		cwd: directory,
		platform: "node",
		plugins: [
			virtualModules({
				documents: `export * from ${documents}; export { ADDRESS_IN_ASSETS } from ${builtDocuments};`,
				// The documents need no Durable Object and no entry point.
				"cloudflare:workers": "export class DurableObject {} export class RpcTarget {} export class WorkerEntrypoint {}",
			}),
		],
	});
	await building.write({ file, codeSplitting: false });
	await building.close();
	const { DOCUMENTS, documentOf, ADDRESS_IN_ASSETS }: Documents = await import(pathToFileURL(file).href);
	rmSync(file);
	for (const environment of ENVIRONMENTS) {
		mkdirSync(path.join(assets, environment));
		for (const name of DOCUMENTS) {
			writeFileSync(path.join(assets, environment, name), await documentOf(name, ADDRESS_IN_ASSETS, { ENVIRONMENT: environment }));
		}
	}
}

const virtualModules = (modules: Readonly<Record<string, string>>): Plugin => ({
	name: "virtual modules",
	resolveId: (id) => (id in modules ? id : undefined),
	load: (id) => modules[id],
});

/**
 * Puts the reader of the assets in the place of what makes the documents, and leaves out the texts of operations and of what they take and
 * answer. Those of events stay, because `GET /v1/webhooks/events/types` shows them.
 */
export const readsApiReference: Plugin = {
	name: "API reference from assets",
	resolveId(id, importer) {
		if (id === "./documents" && importer?.endsWith("src/wiring/app.ts")) return this.resolve("./built-documents", importer);
		return undefined;
	},
	transform: {
		filter: { id: /\/src\/.*\b(operations|wire)\.ts$/ },
		handler(code, _, { magicString }) {
			if (!magicString) throw new Error("rolldown runs without experimental.nativeMagicString");
			new Visitor({
				CallExpression({ callee, arguments: [argument], end }) {
					if (argument?.type !== "ObjectExpression") return;
					const texts = argument.properties.filter((property) => isText(property));
					if (callee.type === "Identifier" && callee.name === "operation") {
						for (const { value } of texts) magicString.overwrite(value.start, value.end, '""');
					}
					const isMeta = callee.type === "MemberExpression" && callee.property.type === "Identifier" && callee.property.name === "meta";
					// Other members say what the schema is, which the audit trail reads.
					if (isMeta && texts.length === argument.properties.length) magicString.remove(callee.object.end, end);
				},
			}).visit(this.parse(code, { lang: "ts" }));
			return { code: magicString };
		},
	},
};

const TEXTS = ["summary", "description", "examples"];

const isText = (property: ESTree.ObjectPropertyKind): property is ESTree.ObjectProperty =>
	property.type === "Property" && property.key.type === "Identifier" && TEXTS.includes(property.key.name);
