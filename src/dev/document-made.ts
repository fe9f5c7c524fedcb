// The OpenAPI document with every operation of every environment at no address of its own: as it is committed, as it is served, and what is
// read of it.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { lockOf } from "./api-lock.ts";
import type { Document } from "./client-printer.ts";
import { workerModule } from "./worker-module.ts";

type Documents = {
	documentOf(name: "openapi.json", baseUrl: string, env: { ENVIRONMENT: "local" }): Promise<string | undefined>;
	committedDocument(): Promise<string>;
	wholeDocument(baseUrl: string, environment: "local"): Promise<Document>;
};

/** A file as the operations say it now, and as it is committed. */
type Made = { readonly text: string; readonly committed: string; write(): void };

const documents = (root: string) => workerModule<Documents>(root, "src/wiring/documents.ts");

/** The document in which each operation has all that is its own. */
export const wholeDocument = async (root: string): Promise<Document> => (await documents(root)).wholeDocument("/", "local");

/** As users get it, with its examples. */
export const servedDocument = async (root: string): Promise<string> =>
	(await (await documents(root)).documentOf("openapi.json", "/", { ENVIRONMENT: "local" })) ?? "";

export async function madeDocument(root: string): Promise<{ document: Made; lock: Made }> {
	const { committedDocument, wholeDocument } = await documents(root);
	const made = (name: string, text: string): Made => {
		const file = path.join(root, "docs", name);
		return { text, committed: existsSync(file) ? readFileSync(file, "utf8") : "", write: () => writeFileSync(file, text) };
	};
	return {
		document: made("openapi.json", `${inLines(JSON.parse(await committedDocument()))}\n`),
		lock: made("api.lock", lockOf(await wholeDocument("/", "local"))),
	};
}

/** So deep a line begins: for an operation and for a model. */
const DEEPEST = 3;

/** JSON in lines that a diff can show: an operation or a model each. Without indentation, which would be thousands of characters. */
function inLines(value: unknown, depth = 0): string {
	const flat = JSON.stringify(value);
	if (depth === DEEPEST || typeof value !== "object" || value === null) return flat;
	const [opened, closed] = Array.isArray(value) ? "[]" : "{}";
	const parts = Array.isArray(value)
		? value.map((item) => inLines(item, depth + 1))
		: Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${inLines(member, depth + 1)}`);
	return `${opened}\n${parts.join(",\n")}\n${closed}`;
}
