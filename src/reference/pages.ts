// All pages of the reference and the index of its search, by their paths below `/docs`.

import { html } from "hono/html";
import { type Contents, contentsOf, type Document } from "./contents";
import { errorsPage, eventsPage, rolesPage, startPage } from "./general";
import { guideBody, guidesOf, withTestIssuer } from "./guides";
import { layout, type Page, type Site } from "./layout";
import { modelSections, operationSection } from "./operation";
import { prose } from "./schema";
import { searchIndex } from "./search-index";

function tagPage({ slug, name, about, operations }: Contents["tags"][number], site: Site): Page {
	const place = { ...site, page: slug };
	const hasModels = [...site.contents.homes.values()].includes(slug);
	return {
		path: slug,
		title: name,
		sections: [...operations.map(({ id, summary }) => [id, summary] as const), ...(hasModels ? [["models", "Models"] as const] : [])],
		body: html`<p class="lead">${prose(about)}</p>${operations.map((operation) => operationSection(operation, place))}${modelSections(place)}`,
	};
}

/** @param files Markdown of the guides by the names of its files */
export async function pagesOf(
	document: Document,
	files: Readonly<Record<string, string>>,
	environment: string,
): Promise<Record<string, string>> {
	const contents = contentsOf(document);
	const isDeployed = environment === "sandbox";
	const guides = isDeployed ? Object.fromEntries(Object.entries(files).map(([name, text]) => [name, withTestIssuer(text)])) : files;
	const site: Site = { contents, guides: guidesOf(guides), sandbox: environment === "local" };
	const pages: Page[] = [
		startPage(site),
		errorsPage(site),
		eventsPage(site),
		rolesPage(site),
		...contents.tags.map((tag) => tagPage(tag, site)),
		...(await Promise.all(
			site.guides.map(async (guide) => ({
				path: guide.path,
				title: guide.title,
				sections: guide.sections.map(({ id, title }) => [id, title] as const),
				body: await guideBody(guide, contents.address),
			})),
		)),
	];
	const made = await Promise.all(pages.map(async (page) => [`${page.path || "index"}.html`, String(await layout(page, site))] as const));
	return { ...Object.fromEntries(made), "search.json": JSON.stringify(searchIndex(site)) };
}
