// The API reference in a deployed Worker, which the bundler puts in the place of `documents.ts`: texts that were made ahead and are among
// the Worker's assets. So the code that makes them, and the texts of the operations, need not be in the bundle.

import type { DocumentName } from "./documents";

/** The service's address in the texts. Only the deployed Worker knows its own. */
export const ADDRESS_IN_ASSETS = "https://address.invalid";

/** The same in every environment. */
const SHARED: ReadonlySet<string> = new Set(["docs/reference.js", "docs/reference.css"]);

export async function documentOf(
	name: DocumentName,
	baseUrl: string,
	{ ASSETS, ENVIRONMENT = "production" }: Pick<Env, "ASSETS" | "ENVIRONMENT">,
): Promise<string | undefined> {
	if (!ASSETS) throw new Error("ASSETS is not bound");
	const asset = await ASSETS.fetch(`https://assets.invalid/${SHARED.has(name) ? name : `${ENVIRONMENT}/${name}`}`);
	if (!asset.ok) return undefined;
	const address = name.endsWith(".html") ? escaped(baseUrl) : JSON.stringify(baseUrl).slice(1, -1);
	return (await asset.text()).replaceAll(ADDRESS_IN_ASSETS, () => address);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
