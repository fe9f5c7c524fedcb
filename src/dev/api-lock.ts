// `docs/api.lock`: what callers see of the API, a line an operation, an event and a model. It is what a reviewer reads of a change, and from
// it `npm run document` knows which operations were there before.

import type { Document } from "./client-printer.ts";
import { nameIn, type Schema } from "./client-types.ts";

const HEADER = `# What callers see of the API, made by \`npm run document\`. The whole is docs/openapi.json.
#
#   operation  method path  (what it takes)  statuses of success with what they answer | statuses of refusals
#   event  type  (its data)
#   model  name  (its members)
#
# In brackets: the names of parameters, ? before those of the query and : before headers, then the body. A name with ? at its end may be left
# out, [] is a list, / separates choices.
`;

/** The members of a schema in short: their names, and within them those of objects without a name of their own. */
export function inShort(schema: Schema): string {
	if (schema.$ref !== undefined) return nameIn(schema.$ref);
	const choices = schema.anyOf ?? schema.oneOf;
	if (choices) return [...new Set(choices.filter(({ type }) => type !== "null").map(inShort))].filter(Boolean).join("/");
	if (schema.allOf) return schema.allOf.map(inShort).join(" & ");
	if (schema.items) return `${inShort(schema.items)}[]`;
	if (typeof schema.additionalProperties === "object" && !schema.properties) return `{*: ${inShort(schema.additionalProperties)}}`;
	if (!schema.properties) return "";
	return `{${membersOf(schema)}}`;
}

function membersOf({ properties = {}, required = [] }: Schema): string {
	return Object.entries(properties)
		.map(([name, schema]) => {
			const within = inShort(schema);
			return `${name}${required.includes(name) ? "" : "?"}${within === "" || within === "[]" ? within : `: ${within}`}`;
		})
		.join(", ");
}

const SIGNS: Readonly<Record<string, string>> = { query: "?", header: ":" };
const JSON_TYPE = "application/json";

/** @param document the whole one, in which nothing but schemas and refusals is shared */
export function lockOf({ paths, webhooks, components }: Document): string {
	const operations = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => {
			const named = parameters
				.filter((parameter) => parameter.in !== "path")
				.map((parameter) => `${SIGNS[parameter.in]}${parameter.name}${parameter.required ? "" : "?"}`);
			const body = requestBody && `${inShort(requestBody.content[JSON_TYPE]?.schema ?? {}) || "body"}${requestBody.required ? "" : "?"}`;
			const [successes, refusals] = [true, false].map((success) =>
				Object.entries(responses)
					.filter(([status]) => Number(status) < 400 === success)
					.map(([status, { content }]) => [status, success && inShort(content?.[JSON_TYPE]?.schema ?? {})].filter(Boolean).join(" "))
					.join(success ? ", " : " "),
			);
			return `${operationId}  ${method.toUpperCase()} ${path}  (${[...named, body].filter(Boolean).join(", ")})  ${successes} | ${refusals}`;
		}),
	);
	const events = Object.entries(webhooks).map(
		([type, { post }]) => `event  ${type}  (${membersOf(post.requestBody?.content[JSON_TYPE]?.schema.properties?.data ?? {})})`,
	);
	const models = Object.entries(components.schemas).map(
		([name, schema]) => `model  ${name}  (${inShort(schema).replace(/^\{(.*)\}$/, "$1")})`,
	);
	return [HEADER, operations.sort().join("\n"), "", events.sort().join("\n"), "", models.sort().join("\n"), ""].join("\n");
}

/** The operations of a lock that clients would no longer find in another: under the same id, method and path. */
export function lostOperations(before: string, after: string): string[] {
	const now = new Set(operationsOf(after));
	return operationsOf(before).filter((operation) => !now.has(operation));
}

const operationsOf = (lock: string): string[] =>
	[...lock.matchAll(/^(\w+) {2}([A-Z]+ \S+) /gm)].map(([, id, address]) => `${id}: ${address}`);
