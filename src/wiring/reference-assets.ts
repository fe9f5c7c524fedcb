// The API reference of every environment, by the path of the asset that a deployed Worker reads. The build runs this file; the Worker
// never does.

import { ADDRESS_IN_ASSETS } from "./built-documents";
import { documentOf, OPENAPI, pagesOf, STYLE_SHEET } from "./documents";

const documents = ["local", "sandbox", "production"].map(async (ENVIRONMENT) => {
	const [pages, document] = await Promise.all([
		pagesOf(ADDRESS_IN_ASSETS, ENVIRONMENT),
		documentOf(OPENAPI, ADDRESS_IN_ASSETS, { ENVIRONMENT }),
	]);
	const { [STYLE_SHEET]: style = "", ...own } = { ...pages, [OPENAPI]: document ?? "" };
	const texts = Object.entries(own).map(([name, text]) => [`${ENVIRONMENT}/${name}`, text] as const);
	return [[STYLE_SHEET, style] as const, ...texts];
});

export const assets: Readonly<Record<string, string>> = Object.fromEntries((await Promise.all(documents)).flat());
