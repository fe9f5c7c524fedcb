// The OpenAPI document as it is committed: every operation of every environment, at no address of its own.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { workerModule } from "./worker-module.ts";

const FILE = "docs/openapi.json";
type Documents = { documentOf(name: "openapi.json", baseUrl: string, env: { ENVIRONMENT: "local" }): Promise<string | undefined> };
type Paths = { readonly [path: string]: { readonly [method: string]: { readonly operationId: string } } };

/** The document of the operations as they are now, and the one that is committed. */
export async function madeDocument(root: string): Promise<{ text: string; committed: string; write(): void }> {
	const { documentOf } = await workerModule<Documents>(root, "src/wiring/documents.ts");
	const text = `${JSON.stringify(JSON.parse((await documentOf("openapi.json", "/", { ENVIRONMENT: "local" })) ?? ""), null, "\t")}\n`;
	const file = path.join(root, FILE);
	return { text, committed: readFileSync(file, "utf8"), write: () => writeFileSync(file, text) };
}

/** The operations of the committed document that clients would no longer find: under the same id, method and path. */
export function lostOperations(committed: string, text: string): string[] {
	const now = new Set(operationsOf(text));
	return operationsOf(committed).filter((operation) => !now.has(operation));
}

const operationsOf = (document: string): string[] =>
	Object.entries((JSON.parse(document) as { paths: Paths }).paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`),
	);
