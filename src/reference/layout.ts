// What all pages of the reference share: head, menu, search and the place where each stands.

import { html } from "hono/html";
import type { Contents } from "./contents";
import { EVENTS } from "./contents";
import type { Guide } from "./guides";
import { fileHref, hrefOf } from "./links";
import type { Html } from "./schema";

export type Page = {
	/** Below `/docs`; the start page is "". */
	readonly path: string;
	readonly title: string;
	readonly body: Html;
	/** What the menu lists below the page: anchors with their texts. */
	readonly sections: readonly (readonly [anchor: string, text: string])[];
};

export type Site = { readonly contents: Contents; readonly guides: readonly Guide[]; readonly sandbox: boolean };

const GENERAL = [
	["", "Start"],
	["errors", "Errors"],
	[EVENTS, "Events"],
	["roles", "Roles and scopes"],
] as const;

function menu(page: Page, { contents, guides }: Site): Html {
	const entry = (path: string, text: string) =>
		path === page.path
			? html`<li><a href="${hrefOf(page.path, path)}" aria-current="page">${text}</a>${
					page.sections.length > 0
						? html`<ul>${page.sections.map(([anchor, title]) => html`<li><a href="#${anchor}">${title}</a></li>`)}</ul>`
						: ""
				}</li>`
			: html`<li><a href="${hrefOf(page.path, path)}">${text}</a></li>`;
	return html`<nav id="menu" aria-label="Pages" popover>
<p class="brand"><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/><path d="M9 10h9M9 16h14M9 20h14M9 24h14"/></svg><a href="${hrefOf(page.path, "")}">Financial Account Service<small>API ${contents.version}</small></a></p>
<ul>${GENERAL.map(([path, text]) => entry(path, text))}</ul>
<h2>Guides</h2><ul>${guides.map(({ path, title }) => entry(path, title))}</ul>
<h2>Operations</h2><ul>${contents.tags.map(({ slug, name }) => entry(slug, name))}</ul></nav>`;
}

export function layout(page: Page, site: Site): Html {
	const title = page.path === "" ? `${site.contents.title}: API` : `${page.title} · ${site.contents.title}`;
	return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="${hrefOf(page.path, "reference.css")}"><script src="${hrefOf(page.path, "reference.js")}" type="module"></script></head>
<body data-docs="${fileHref(page.path, "")}"><a class="skip" href="#main">To the text</a>
<header><button type="button" popovertarget="menu" class="fold">Menu</button><search><input type="search" role="combobox" aria-label="Search the documentation" aria-expanded="false" aria-controls="found" aria-autocomplete="list" placeholder="Search" autocomplete="off" spellcheck="false"><kbd>/</kbd><div id="found" role="listbox" aria-label="Found" hidden></div></search><a class="raw" href="${fileHref(page.path, "openapi.json")}">openapi.json</a></header>
${menu(page, site)}<main id="main" tabindex="-1"><h1>${page.title}</h1>${page.body}</main></body></html>`;
}
