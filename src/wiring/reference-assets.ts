// The API reference of every environment, by the path of the asset that a deployed Worker reads. The build runs this file; the Worker
// never does.

import { ADDRESS_IN_ASSETS } from "./built-documents";
import { DOCUMENTS, documentOf } from "./documents";

const documents = ["local", "sandbox", "production"].flatMap((ENVIRONMENT) =>
	DOCUMENTS.map(async (name) => [`${ENVIRONMENT}/${name}`, await documentOf(name, ADDRESS_IN_ASSETS, { ENVIRONMENT })] as const),
);

export const assets: Readonly<Record<string, string>> = Object.fromEntries(await Promise.all(documents));
