// The API reference of each environment: the OpenAPI document, and the page that is made of it. A deployed Worker reads them from its
// assets instead (`built-documents.ts`), into which the bundler puts what this file makes.

import { existsIn } from "../http/operation";
import { BoundedCache } from "../shared/cache";
import { allEventTypes, operationsByTag } from "./loading";

export const DOCUMENTS = ["openapi.json", "docs.html"] as const;
export type DocumentName = (typeof DOCUMENTS)[number];

/** Made once for each base address, because that takes longer than most operations. */
const texts = new BoundedCache<string>(8, Number.POSITIVE_INFINITY);

/** @param baseUrl the address of the service */
export async function documentOf(
	name: DocumentName,
	baseUrl: string,
	{ ENVIRONMENT: environment = "production" }: Pick<Env, "ENVIRONMENT">,
): Promise<string> {
	const key = `${name} ${environment} ${baseUrl}`;
	const text = texts.get(key, 0)?.value ?? (await make(name, baseUrl, environment));
	texts.set(key, text, 0);
	return text;
}

/** The documents with the operations that exist in the environment. */
async function make(name: DocumentName, baseUrl: string, environment: string): Promise<string> {
	const [{ openapi }, { Approval }, { reference }, groups, eventTypes] = await Promise.all([
		import("../http/reference/openapi"),
		import("../domains/approvals/wire"),
		import("../http/reference/page"),
		operationsByTag(),
		allEventTypes(),
	]);
	const existing = new Map(
		[...groups]
			.map(([tag, group]) => [tag, { ...group, operations: group.operations.filter((op) => existsIn(op, environment)) }] as const)
			.filter(([, { operations }]) => operations.length > 0),
	);
	const document = openapi(existing, eventTypes, { baseUrl, held: Approval });
	return name === "openapi.json" ? JSON.stringify(document) : String(await reference(document));
}
