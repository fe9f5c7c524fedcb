// An operation on its tag's page: who may call it, what is sent, what is answered, what is refused, and one call with its answer.

import { html, raw } from "hono/html";
import type { Contents, Operation } from "./contents";
import { hrefOf } from "./links";
import { clientOf, curlOf, exampleBody } from "./samples";
import { type Html, type ModelLink, members, prose, row, shape } from "./schema";

export type Place = {
	readonly contents: Contents;
	/** The page that is made. */
	readonly page: string;
	/** Whether anybody gets tokens of every kind, with which operations can be tried. */
	readonly sandbox: boolean;
};

export const linkOf =
	({ contents, page }: Place): ModelLink =>
	(name) =>
		hrefOf(page, `${contents.homes.get(name) ?? ""}#model-${name}`);

/** A heading that is a link to itself. */
export const heading = (level: 2 | 3, id: string, text: string | Html): Html =>
	level === 2 ? html`<h2 id="${id}"><a href="#${id}">${text}</a></h2>` : html`<h3 id="${id}"><a href="#${id}">${text}</a></h3>`;

export const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** A block of code that can be copied. */
export const code = (label: string, text: string, language = "sh"): Html =>
	html`<figure class="code"><figcaption>${label}<button type="button" class="copy">Copy</button></figcaption><pre${language === "json" ? raw(' tabindex="0"') : ""}><code class="${language}">${text}</code></pre></figure>`;

const PLACES = [
	["path", "Path"],
	["query", "Query"],
	["header", "Headers"],
] as const;

/** "organization", for a permission or a scope: where the roles that have it are listed. */
function credentials({ credentials: text }: Operation, { page }: Place): Html {
	if (text === "none") return html`<p class="who">Needs no credentials.</p>`;
	const parts = text.split(/(org:[\w.:-]+|(?<=scope )[\w]+:[\w]+)/);
	return html`<p class="who">Needs ${parts.map((part, index) =>
		index % 2 === 1 ? html`<a href="${hrefOf(page, `roles#${part}`)}">${part}</a>` : part,
	)}.</p>`;
}

/** The formats that a request gets by `Accept` in place of JSON. */
const asTable = (formats: readonly string[]): Html | string =>
	formats.length > 0
		? html` Also as ${formats.map((type, place) => html`${place > 0 ? " or " : ""}<code>${type}</code>`)}, by <code>Accept</code>.`
		: "";

export function operationSection(operation: Operation, place: Place): Html {
	const { contents, page, sandbox } = place;
	const link = linkOf(place);
	const { id, method, path, summary, about, parameters, body, answers, refusals } = operation;
	const first = answers.find(({ status, example }) => Number(status) < 300 && example !== undefined);
	return html`<section class="operation" data-method="${method}" data-path="${path}"${body ? html` data-body="${JSON.stringify(exampleBody(operation))}"` : ""}>
<div class="says">${heading(2, id, summary)}
<p class="path"><b class="${method}">${method}</b> <code>${path}</code></p>
${operation.deprecated ? html`<p><b class="old">Deprecated</b></p>` : ""}${about.map((paragraph) => html`<p>${prose(paragraph)}</p>`)}${credentials(operation, place)}
${PLACES.map(([within, title]) => {
	const rows = parameters.filter((parameter) => parameter.in === within);
	return rows.length > 0
		? html`<h3>${title}</h3><ul class="members">${rows.map((parameter) => row({ ...parameter, place: within }, link))}</ul>`
		: "";
})}
${body ? html`<h3>Body</h3>${shape(body.schema, link)}` : ""}
<h3>Answers</h3>${answers.map(({ status, description, formats, schema }) => html`<div class="answer"><p><b class="status">${status}</b> ${description === summary ? "" : prose(description)}${asTable(formats)}</p>${schema ? shape(schema, link) : ""}</div>`)}
<h3>Refusals</h3><ul class="refusals">${refusals.map(([status, codes]) => html`<li><b class="status">${status}</b> ${codes.map((one) => html`<a href="${hrefOf(page, `errors#${one}`)}">${one}</a> `)}</li>`)}</ul>
</div><div class="shows"><fieldset class="tabs"><legend>${id}</legend><label><input type="radio" name="${id}" value="curl" checked>curl</label><label><input type="radio" name="${id}" value="client">Client</label>
${code("Request", curlOf(operation, contents.address))}${code("Request", clientOf(operation), "ts")}</fieldset>
${sandbox ? html`<details class="try"><summary>Try it</summary></details>` : ""}${first ? code(`Answer ${first.status}`, json(first.example), "json") : ""}</div></section>`;
}

/** The models that are described on this page. */
export function modelSections(place: Place): Html {
	const { contents, page } = place;
	const here = [...contents.schemas].filter(([name]) => contents.homes.get(name) === page);
	if (here.length === 0) return html``;
	return html`<section class="models">${heading(2, "models", "Models")}${here.map(
		([name, schema]) =>
			html`<section>${heading(3, `model-${name}`, name)}${
				typeof schema.description === "string" ? html`<p>${prose(schema.description)}</p>` : ""
			}${schema.properties ? members(schema, linkOf(place)) : shape(schema, linkOf(place))}</section>`,
	)}</section>`;
}
