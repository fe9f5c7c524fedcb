// The API reference as one page: rendered from the OpenAPI document, without scripts or anything fetched from elsewhere.

import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { openapi } from "./openapi";

type Document = ReturnType<typeof openapi>;
type Schema = { [member: string]: unknown };
type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8882;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
*{box-sizing:border-box}body{margin:0;font:15px/1.5 system-ui,sans-serif;display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem;border-right:1px solid var(--line);font-size:13px}
nav h2{font-size:12px;text-transform:uppercase;letter-spacing:.05em;margin:1.2rem 0 .3rem;opacity:.7}
nav a{display:block;color:inherit;text-decoration:none;padding:.1rem 0;overflow-wrap:anywhere}nav a:hover{text-decoration:underline}
main{padding:2rem;max-width:62rem}h1{margin-top:0}section{border-top:1px solid var(--line);padding:1.2rem 0}
h3{font:600 15px/1.4 var(--mono);margin:0 0 .4rem;overflow-wrap:anywhere}
.method{display:inline-block;min-width:4.2rem;padding:.05rem .5rem;margin-right:.5rem;border-radius:4px;text-align:center;color:#fff;background:#456}
.GET{background:#1d6fa5}.POST{background:#2a7d46}.PUT,.PATCH{background:#9a6700}.DELETE{background:#b3261e}
table{border-collapse:collapse;width:100%;font-size:13px;margin:.4rem 0}td,th{border-bottom:1px solid var(--line);padding:.25rem .5rem .25rem 0;text-align:left;vertical-align:top}
pre{background:var(--soft);padding:.7rem .9rem;border-radius:6px;overflow:auto;font:13px/1.45 var(--mono);margin:.4rem 0}code{font-family:var(--mono)}td code{overflow-wrap:anywhere}
h4{margin:.8rem 0 .2rem;font-size:13px}.note{opacity:.75;margin:.2rem 0}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1rem}}`;

export function reference(document: Document): Html {
	const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation: operation as Schema })),
	);
	const groups = document.tags.map(
		({ name }) => [name, operations.filter(({ operation }) => (operation.tags as string[]).includes(name))] as const,
	);
	return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${document.info.title} - API reference</title><style>${raw(STYLE)}</style></head><body>
<nav><strong>${document.info.title}</strong>${groups.map(
		([tag, members]) =>
			html`<h2>${tag}</h2>${members.map(({ operation }) => html`<a href="#${operation.operationId as string}">${operation.summary as string}</a>`)}`,
	)}<h2>Events</h2>${Object.keys(document.webhooks).map((type) => html`<a href="#event-${type}">${type}</a>`)}<h2>Models</h2>${Object.keys(document.components.schemas).map((name) => html`<a href="#model-${name}">${name}</a>`)}</nav>
<main><h1>${document.info.title}</h1><p>${document.info.description} The machine-readable form is <a href="/openapi.json">openapi.json</a>.</p>
${groups.map(([tag, members]) => html`<h2>${tag}</h2>${members.map((member) => section(member, document))}`)}
<h2>Events</h2>${Object.entries(document.webhooks).map(([type, { post }]) => eventSection(type, post))}
<h2>Models</h2>${Object.entries(document.components.schemas).map(
		([name, schema]) => html`<section id="model-${name}"><h3>${name}</h3><pre>${shape(schema)}</pre></section>`,
	)}</main></body></html>`;
}

type Content = { content: { "application/json": { schema: Schema } } };
type Described = { description: string } & Partial<Content>;
type Answer = Described | { $ref: string };
type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Schema };

function section({ path, method, operation }: { path: string; method: string; operation: Schema }, document: Document): Html {
	const body = (operation.requestBody as Content | undefined)?.content["application/json"].schema;
	const responses = Object.entries(operation.responses as { [status: string]: Answer }).map(
		([status, answer]) => [status, "$ref" in answer ? (component(answer.$ref, document) as Described) : answer] as const,
	);
	const { summary } = operation as { summary: string };
	return html`<section id="${operation.operationId as string}"><h3><span class="method ${method}">${method}</span>${path}</h3>
<p>${summary}${operation.deprecated ? html` <em>(deprecated)</em>` : ""}</p>${(operation.description as string).split("\n\n").map((paragraph) => html`<p class="note">${paragraph}</p>`)}
${parameterTable(operation.parameters as Parameter[])}
${body ? html`<h4>Body</h4><pre>${shape(deref(body, document))}</pre>` : ""}
${responses.map(([status, { description, content }]) =>
	Number(status) < 300
		? html`<h4>${status}${description === summary ? "" : html` <span class="note">${description}</span>`}</h4>${content ? html`<pre>${shape(content["application/json"].schema)}</pre>` : html`<p class="note">no body</p>`}`
		: "",
)}
<table>${responses.filter(([status]) => Number(status) >= 400).map(([status, { description }]) => html`<tr><td>${status}</td><td>${description.split("\n\n").map((code) => html`<div>${code.replaceAll("`", "")}</div>`)}</td></tr>`)}</table></section>`;
}

const eventSection = (type: string, post: Schema): Html => html`<section id="event-${type}"><h3>${type}</h3>
<p>${post.summary as string}</p>${post.description ? html`<p class="note">${post.description as string}</p>` : ""}
${parameterTable(post.parameters as Parameter[])}
<h4>Body</h4><pre>${shape((post.requestBody as Content).content["application/json"].schema)}</pre></section>`;

const parameterTable = (parameters: readonly Parameter[]): Html | "" =>
	parameters.length > 0
		? html`<table><tr><th>Parameter</th><th>In</th><th>Type</th><th></th></tr>${parameters.map(
				(parameter) =>
					html`<tr><td><code>${parameter.name}</code>${parameter.required ? " *" : ""}</td><td>${parameter.in}</td><td><code>${shape(parameter.schema)}</code></td><td>${parameter.description ?? ""}</td></tr>`,
			)}</table>`
		: "";

const deref = (schema: Schema, document: Document): Schema => (typeof schema.$ref === "string" ? component(schema.$ref, document) : schema);

function component(reference: string, { components }: Document): Schema {
	const [name = "", kind = "schemas"] = reference.split("/").toReversed();
	return components[kind as keyof Document["components"]][name] ?? {};
}

/** A JSON schema in the shorthand that people read: `{ name: string, size?: integer }`. */
function shape(schema: Schema, indent = ""): string {
	if (typeof schema.$ref === "string") return schema.$ref.split("/").at(-1) ?? "";
	if (schema.const !== undefined) return JSON.stringify(schema.const);
	if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
	const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
	if (choices) return choices.map((choice) => shape(choice, indent)).join(" | ");
	if (schema.type === "array") return `[${shape((schema.items as Schema | undefined) ?? {}, indent)}]`;
	const properties = Object.entries((schema.properties as { [name: string]: Schema } | undefined) ?? {});
	if (properties.length > 0) {
		const required = new Set(schema.required as string[] | undefined);
		const inner = `${indent}  `;
		const lines = properties.map(([name, value]) => {
			const note = typeof value.description === "string" ? `  // ${value.description}` : "";
			return `${inner}${name}${required.has(name) ? "" : "?"}: ${shape(value, inner)}${note}`;
		});
		return `{\n${lines.join("\n")}\n${indent}}`;
	}
	const type = Array.isArray(schema.type) ? schema.type.join(" | ") : ((schema.type as string | undefined) ?? "any");
	const format = typeof schema.format === "string" ? ` (${schema.format})` : "";
	return `${type}${format}`;
}
