// Prints the client's types, and what its runtime knows of each operation, from the OpenAPI document.

import { docOf, isUnion, nameIn, type Schema, typeOf } from "./client-types.ts";

type Content = { readonly [type: string]: { readonly schema: Schema } };
type Parameter = {
	readonly name: string;
	readonly in: string;
	readonly required?: boolean;
	readonly description?: string;
	readonly schema: Schema;
};
type Response = { readonly $ref?: string; readonly content?: Content };
type Operation = {
	readonly operationId: string;
	readonly summary?: string;
	readonly description?: string;
	readonly deprecated?: boolean;
	readonly security?: readonly object[];
	readonly parameters?: readonly Parameter[];
	readonly requestBody?: { readonly required?: boolean; readonly content: Content };
	readonly responses: { readonly [status: string]: Response };
};
export type Document = {
	readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
	readonly webhooks: { readonly [type: string]: { readonly post: Operation } };
	readonly components: { readonly schemas: { readonly [name: string]: Schema }; readonly responses: { readonly [name: string]: Response } };
};

type Op = Operation & { readonly method: string; readonly path: string };

const JSON_TYPE = "application/json";
const byName = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The whole generated module. The same document gives the same text. */
export function printClient(document: Document): string {
	const operations = Object.entries(document.paths)
		.flatMap(([path, methods]) => Object.entries(methods).map(([method, op]): Op => ({ ...op, method: method.toUpperCase(), path })))
		.toSorted((a, b) => byName(a.operationId, b.operationId));
	const events = Object.entries(document.webhooks).toSorted(([a], [b]) => byName(a, b));
	const models = modelsOf(document, operations);
	return [
		"// Made from the OpenAPI document by `npm run client`: a change by hand is lost.\n\n",
		'import type { Answer, Call, Keyed, List, Matched, Options, Organizational, Page, Printed, Tagged, Verbatim } from "./types.ts";\n\n',
		"/** A line an operation: its path, its method, its name, and whether it takes no credentials. */\nexport const OPERATIONS = `\\\n",
		...operations
			.toSorted((a, b) => byName(a.path, b.path))
			.map(({ operationId, method, path, security }) => `${path} ${method} ${operationId}${security?.length === 0 ? " public" : ""}\n`),
		"`;\n\n/** Of each operation its method and its path. */\nexport interface Lines {\n",
		...operations.map(({ operationId, method, path }) => `\t${operationId}: "${method} ${path}";\n`),
		"}\n\n",
		"/** Every operation of the service, by its name. */\nexport interface Api {\n",
		...operations.map((op) => methodOf(op, document)),
		"}\n\n/** The codes with which each operation refuses. */\nexport interface ErrorCodes {\n",
		...operations.map(
			(op) =>
				`\t${op.operationId}: ${codesOf(op, document)
					.map((code) => JSON.stringify(code))
					.join(" | ")};\n`,
		),
		"}\n\n",
		...operations.map(requestOf),
		...models,
		"/** What happened, by the event's type: the `data` of a webhook. */\nexport interface Events {\n",
		...events.map(([type, { post }]) => {
			const { data } = post.requestBody?.content[JSON_TYPE]?.schema.properties ?? {};
			return `${docOf(sentence(post.summary), "\t")}\t${JSON.stringify(type)}: ${typeOf(data ?? {}, { indent: "\t" })};\n`;
		}),
		"}\n",
	].join("");
}

const sentence = (text = ""): string => (text === "" || /[.!?]$/.test(text) ? text : `${text}.`);
const parametersIn = (op: Op, place: string): readonly Parameter[] => (op.parameters ?? []).filter((parameter) => parameter.in === place);
const takes = (op: Op, header: string): boolean => parametersIn(op, "header").some(({ name }) => name === header);

/** The schemas that requests and answers name, as declarations. Lists of those that are only sent may be readonly. */
function modelsOf({ components, webhooks }: Document, operations: readonly Op[]): string[] {
	const reach = (parts: unknown, found = new Set<string>()): Set<string> => {
		for (const [, name = ""] of JSON.stringify(parts).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
			if (found.has(name)) continue;
			found.add(name);
			reach(components.schemas[name], found);
		}
		return found;
	};
	const got = reach([operations.map(({ responses }) => responses), webhooks]);
	const sent = reach(operations.map(({ parameters, requestBody }) => [parameters ?? [], requestBody ?? {}]));
	return [...new Set([...got, ...sent])].toSorted(byName).map((name) => {
		const schema = components.schemas[name] ?? {};
		const type = typeOf(schema, { sent: !got.has(name) });
		const doc = docOf(sentence(schema.description));
		return type.startsWith("{\n") && !isUnion(type)
			? `${doc}export interface ${name} ${type}\n\n`
			: `${doc}export type ${name} = ${type};\n\n`;
	});
}

/** Every code that a refusal's `code` may be. */
function codesOf(op: Op, { components }: Document): string[] {
	const found = new Set<string>();
	const look = (part: unknown): void => {
		if (typeof part !== "object" || part === null) return;
		const { properties } = part as Schema;
		for (const code of (properties?.code?.enum ?? []) as readonly string[]) found.add(code);
		for (const inner of Object.values(part)) look(inner);
	};
	for (const [status, response] of Object.entries(op.responses)) {
		if (Number(status) >= 400)
			look((response.$ref === undefined ? response : components.responses[nameIn(response.$ref)])?.content?.[JSON_TYPE]);
	}
	return [...found].toSorted(byName);
}

/** The members of a request: an interface of its own, which extends the options that the operation understands. */
function requestOf(op: Op): string {
	const members = (place: string): string => {
		const parameters = parametersIn(op, place);
		if (parameters.length === 0) return "";
		const properties = Object.fromEntries(
			parameters.map(({ name, description, schema }) => [
				name,
				{ ...(description !== undefined && { description }), ...withoutDigits(schema) },
			]),
		);
		const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
		const type = typeOf({ type: "object", properties, required }, { indent: "\t", sent: true });
		return `\t${place}${required.length > 0 ? "" : "?"}: ${type};\n`;
	};
	const content = op.requestBody?.content;
	const body = content?.[JSON_TYPE]?.schema;
	const lines = content?.["application/x-ndjson"] ? " | string" : "";
	const extended = [
		"Options",
		...(takes(op, "Idempotency-Key") ? ["Keyed"] : []),
		...(takes(op, "X-Organization-Id") ? ["Organizational"] : []),
		...(takes(op, "If-None-Match") ? ["Tagged"] : []),
		...(takes(op, "If-Match") ? ["Matched"] : []),
	];
	return [
		`/** What {@link Api.${op.operationId}} takes. */\nexport interface ${pascal(op.operationId)}Request extends ${extended.join(", ")} {\n`,
		members("path"),
		members("query"),
		body
			? `${docOf(lines && "A text is sent as it is: NDJSON, one item a line.", "\t")}\tbody${op.requestBody?.required ? "" : "?"}: ${typeOf(body, { indent: "\t", sent: true })}${lines};\n`
			: "",
		"}\n\n",
	].join("");
}

/** A number in a query is sent as digits, which its type says already. */
const withoutDigits = ({ pattern, ...schema }: Schema): Schema =>
	schema.type === "integer" ? schema : { ...schema, ...(pattern !== undefined && { pattern }) };

function methodOf(op: Op, { components }: Document): string {
	const successes = Object.entries(op.responses).filter(([status]) => Number(status) < 400);
	const schemaOf = (response: Response) => response.content?.[JSON_TYPE]?.schema;
	// Of several statuses one schema is the operation's own. A call that is held answers with a request for approval.
	const own = successes.map(([, response]) => schemaOf(response)).find((schema) => schema !== undefined);
	const use = { indent: "\t" };
	const typeOfAnswer = (response: Response) => {
		const schema = schemaOf(response);
		return schema ? typeOf(schema, use) : "undefined";
	};
	const resolved = own?.$ref === undefined ? own : components.schemas[nameIn(own.$ref)];
	const body = own ? typeOf(own, use) : "undefined";
	const isList = parametersIn(op, "query").some(({ name }) => name === "after");
	const rows = isList && Object.values(resolved?.properties ?? {}).find(({ type }) => type === "array");
	const isPlainPage =
		own?.$ref === undefined &&
		rows &&
		Object.keys(resolved?.properties ?? {})
			.sort()
			.join() === "data,links";
	const row = rows ? typeOf(rows.items ?? {}, use) : "";
	const awaited = isPlainPage ? `Page<${row}>` : body;
	const byType = Map.groupBy(successes, ([, response]) => typeOfAnswer(response));
	const answers = [...byType].map(([type, of]) => `Answer<${of.map(([status]) => status).join(" | ")}, ${type === body ? awaited : type}>`);
	const given = answers.join(" | ") === `Answer<200, ${awaited}>` ? "" : `, ${answers.join(" | ")}`;
	const request = `${pascal(op.operationId)}Request`;
	const needs = parametersIn(op, "path").length > 0 || (op.parameters ?? []).some(({ required }) => required) || op.requestBody?.required;
	const text = [sentence(op.summary), op.description, `\`${op.method} ${op.path}\``, op.deprecated && "@deprecated"]
		.filter(Boolean)
		.join("\n\n");
	const doc = docOf(text, "\t");
	const tabular = successes.some(([, response]) => response.content?.["text/csv"]);
	const printed = successes.some(([, response]) => response.content?.["application/pdf"]);
	const asText = `\t${op.operationId}(request: ${request} & ${printed ? "Printed" : "Verbatim"}): ${rows ? "List<string, string>" : "Call<string>"};\n`;
	const result = rows ? `List<${row}, ${awaited}${given}>` : `Call<${awaited}${given}>`;
	return `${doc}\t${op.operationId}(request${needs ? "" : "?"}: ${request}): ${result};\n${tabular ? doc + asText : ""}`;
}
