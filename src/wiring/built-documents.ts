// The API reference in a deployed Worker, which the bundler puts in the place of `documents.ts`: texts that were made ahead and are among
// the Worker's assets. So the code that makes them, and the texts of the operations, need not be in the bundle.

import type { DocumentName } from "./documents";

/** The service's address in the texts. Only the deployed Worker knows its own. */
export const ADDRESS_IN_ASSETS = "https://address.invalid";

export async function documentOf(
	name: DocumentName,
	baseUrl: string,
	{ ASSETS, ENVIRONMENT = "production" }: Pick<Env, "ASSETS" | "ENVIRONMENT">,
): Promise<string> {
	const asset = await ASSETS?.fetch(`https://assets.invalid/${ENVIRONMENT}/${name}`);
	if (!asset?.ok) throw new Error(`the asset ${ENVIRONMENT}/${name} is missing: ${asset?.status ?? "ASSETS is not bound"}`);
	return (await asset.text()).replaceAll(JSON.stringify(ADDRESS_IN_ASSETS), () => JSON.stringify(baseUrl));
}
