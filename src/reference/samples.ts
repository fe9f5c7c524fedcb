// One call of an operation with its recorded example, as curl and as the client.

import type { Operation, Parameter, Schema } from "./contents";

const TOKENS = { bearer: "Authorization: Bearer $TOKEN", apiKey: "X-API-Key: $API_KEY", signature: "X-Service-Signature: $SIGNATURE" };

/** In single quotes, within which a shell reads everything literally. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

const exampleOf = ({ name, example, schema }: Parameter): unknown =>
	example ?? (schema.format === "uuid" ? "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e20" : name.toUpperCase());

const among = (operation: Operation, place: string) => operation.parameters.filter((parameter) => parameter.in === place);

/** The parameters of the query that the example has, and those that every call needs. */
const queried = (operation: Operation) => among(operation, "query").filter(({ required, example }) => required || example !== undefined);

/** The recorded body; where there is none, what every call needs. */
export const exampleBody = ({ body }: Operation): unknown => body?.example ?? least(body?.schema ?? {}, "");

function least(schema: Schema, name: string): unknown {
	const [value] = (schema.enum as unknown[] | undefined) ?? [schema.const ?? schema.default];
	if (value !== undefined) return value;
	if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
	if (schema.type === "boolean") return true;
	if (schema.type === "array") return [];
	if (schema.type === "string") return schema.format === "date" ? "2026-03-02" : name.toUpperCase();
	const properties = Object.entries((schema.properties as Record<string, Schema> | undefined) ?? {});
	const required = new Set(schema.required as string[] | undefined);
	return Object.fromEntries(properties.filter(([member]) => required.has(member)).map(([member, one]) => [member, least(one, member)]));
}

function pathWithExamples(operation: Operation): string {
	const parameters = among(operation, "path");
	const path = operation.path.replaceAll(/{(\w+)}/g, (_, name: string) => {
		const parameter = parameters.find((one) => one.name === name);
		return encodeURIComponent(String(parameter ? exampleOf(parameter) : name));
	});
	const query = new URLSearchParams(queried(operation).map((parameter) => [parameter.name, String(exampleOf(parameter))]));
	return query.size > 0 ? `${path}?${query}` : path;
}

export function curlOf(operation: Operation, address: string): string {
	const { method, body, schemes } = operation;
	const url = `${address}${pathWithExamples(operation)}`;
	const [scheme] = schemes as (keyof typeof TOKENS)[];
	const lines = [
		`curl ${method === "GET" || (method === "POST" && body) ? "" : `-X ${method} `}${/[?&]/.test(url) ? quoted(url) : url}`,
		...(scheme ? [`-H "${TOKENS[scheme]}"`] : []),
		...(operation.parameters.some(({ name }) => name === "Idempotency-Key") ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
		...(body ? ["-H 'Content-Type: application/json'", `-d ${quoted(pretty(exampleBody(operation)))}`] : []),
	];
	return lines.join(" \\\n  ");
}

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** A value as TypeScript is written. */
function literal(value: unknown, indent: string): string {
	const inner = `${indent}  `;
	if (Array.isArray(value)) {
		const flat = `[${value.map((item) => literal(item, indent)).join(", ")}]`;
		if (!flat.includes("\n") && flat.length + indent.length < 70) return flat;
		return `[\n${value.map((item) => `${inner}${literal(item, inner)},\n`).join("")}${indent}]`;
	}
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const members = Object.entries(value);
	const flat = `{ ${members.map(([name, item]) => `${key(name)}: ${literal(item, indent)}`).join(", ")} }`;
	if (members.length === 0) return "{}";
	if (!flat.includes("\n") && flat.length + indent.length < 60) return flat;
	return `{\n${members.map(([name, item]) => `${inner}${key(name)}: ${literal(item, inner)},\n`).join("")}${indent}}`;
}

export function clientOf(operation: Operation): string {
	const { id, body, answers } = operation;
	const values = (parameters: readonly Parameter[]) =>
		Object.fromEntries(parameters.map((parameter) => [parameter.name, exampleOf(parameter)]));
	const path = among(operation, "path");
	const query = queried(operation);
	const sent = {
		...(path.length > 0 && { path: values(path) }),
		...(query.length > 0 && { query: values(query) }),
		...(body && { body: exampleBody(operation) }),
	};
	const args = Object.keys(sent).length > 0 ? literal(sent, "") : "";
	const hasAnswer = answers.some(({ schema, status }) => schema && Number(status) < 300);
	return `${hasAnswer ? `const ${resultOf(operation)} = ` : ""}await api.${id}(${args});`;
}

/** The name of the answer: of a list its rows, else what it is. */
function resultOf({ answers }: Operation): string {
	const schema = answers.find((answer) => answer.schema)?.schema as { $ref?: string; properties?: { data?: object } } | undefined;
	const name = schema?.$ref?.slice(schema.$ref.lastIndexOf("/") + 1);
	if (name) return name.charAt(0).toLowerCase() + name.slice(1);
	return schema?.properties?.data ? "{ data }" : "answer";
}
