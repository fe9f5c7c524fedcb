// The API reference of each environment: the OpenAPI document, and the pages that are made of it. A deployed Worker reads them from its
// assets instead (`built-documents.ts`), into which the bundler puts what this file makes. The pages' script is made by the build alone:
// they can be read without it.

import { existsIn } from "../http/operation";
import type { Examples } from "../http/reference/openapi.examples";
import { BoundedCache } from "../shared/cache";
import { allEventTypes, operationsByTag } from "./loading";

export const OPENAPI = "openapi.json";
export const STYLE_SHEET = "docs/reference.css";
/** A page, or what pages load. */
export type DocumentName = typeof OPENAPI | `docs/${string}`;

/** Made once for each base address, because that takes longer than most operations. */
const made = new BoundedCache<Readonly<Record<string, string>>>(8, Number.POSITIVE_INFINITY);

/** @param baseUrl the address of the service */
export async function documentOf(
	name: DocumentName,
	baseUrl: string,
	{ ENVIRONMENT: environment = "production" }: Pick<Env, "ENVIRONMENT">,
): Promise<string | undefined> {
	const [kind, make] = name === OPENAPI ? (["document", openapiOf] as const) : (["pages", pagesOf] as const);
	const key = `${kind} ${environment} ${baseUrl}`;
	const texts = made.get(key, 0)?.value ?? (await make(baseUrl, environment));
	made.set(key, texts, 0);
	return texts[name];
}

/** The document with the operations that exist in the environment. */
async function openapiOf(baseUrl: string, environment: string): Promise<Readonly<Record<string, string>>> {
	const { published } = await import("../http/reference/openapi.published");
	return { [OPENAPI]: JSON.stringify(published(await wholeDocument(baseUrl, environment))) };
}

export async function pagesOf(baseUrl: string, environment: string): Promise<Readonly<Record<string, string>>> {
	const [{ pagesOf }, { STYLE }, document] = await Promise.all([
		import("../reference/pages"),
		import("../reference/style"),
		wholeDocument(baseUrl, environment),
	]);
	const guides = import.meta.glob<string>("../../docs/guides/*.md", { query: "?raw", import: "default", eager: true });
	const pages = await pagesOf(document as unknown as Parameters<typeof pagesOf>[0], guides, environment);
	const named = Object.entries(pages).map(([name, text]) => [`docs/${name}`, text] as const);
	return { ...Object.fromEntries(named), [STYLE_SHEET]: STYLE };
}

/**
 * The document of every operation, for the repository: the examples stand there in `http/reference/examples.json`
 * and with the types of events, and so not here too.
 */
export async function committedDocument(): Promise<string> {
	const { published } = await import("../http/reference/openapi.published");
	return JSON.stringify(
		published(await wholeDocument("/", "local", { operations: {}, events: false, refusals: { Error: {}, Problem: {} } })),
	);
}

/** The document in which each operation has all that is its own, instead of naming what others have alike. */
export async function wholeDocument(baseUrl: string, environment: string, examples?: Examples) {
	const [{ openapi }, { Approval }, groups, eventTypes] = await Promise.all([
		import("../http/reference/openapi"),
		import("../domains/approvals/wire"),
		operationsByTag(),
		allEventTypes(),
	]);
	const existing = new Map(
		[...groups]
			.map(([tag, group]) => [tag, { ...group, operations: group.operations.filter((op) => existsIn(op, environment)) }] as const)
			.filter(([, { operations }]) => operations.length > 0),
	);
	return openapi(existing, eventTypes, { baseUrl, held: Approval, ...(examples && { examples }) });
}
