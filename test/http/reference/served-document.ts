// The served document, with every schema in it and the place at which it stands.

import { workerModule } from "../../../src/dev/worker-module.ts";

export type Schema = { readonly [keyword: string]: unknown };
export type Found = { readonly place: string; readonly schema: Schema };
export type Media = { readonly schema: Schema; readonly example?: unknown };
export type Operation = {
	readonly tags: readonly string[];
	readonly security?: readonly object[];
	readonly parameters: readonly Schema[];
	readonly requestBody?: { readonly content: { readonly [type: string]: Media } };
	readonly responses: { readonly [status: string]: { readonly $ref?: string; readonly content?: { readonly [type: string]: Media } } };
};
export type Document = {
	readonly info: { readonly description: string };
	readonly tags: readonly { readonly name: string }[];
	readonly paths: { readonly [path: string]: { readonly [method: string]: Operation & { readonly operationId: string } } };
	readonly webhooks: { readonly [type: string]: { readonly post: Operation } };
	readonly components: { readonly [kind: string]: { readonly [name: string]: Schema } };
};
type Documents = { documentOf(name: "openapi.json", baseUrl: string, env: { ENVIRONMENT: string }): Promise<string> };

export const isObject = (value: unknown): value is Schema => typeof value === "object" && value !== null && !Array.isArray(value);

export function within(schema: unknown, place: string): Found[] {
	if (!isObject(schema)) return [];
	const properties = Object.entries((schema.properties as Schema | undefined) ?? {});
	const choices = ["anyOf", "oneOf", "allOf"].flatMap((list) => (schema[list] as unknown[] | undefined) ?? []);
	return [
		{ place, schema },
		...properties.flatMap(([name, member]) => within(member, `${place} › ${name}`)),
		...choices.flatMap((choice) => within(choice, place)),
		...within(schema.items, `${place}[]`),
		...within(schema.additionalProperties, `${place}[*]`),
	];
}

/** The schemas of parameters and bodies, wherever in the part they stand. */
export function schemasIn(part: unknown, place: string): Found[] {
	if (Array.isArray(part)) return part.flatMap((one) => schemasIn(one, place));
	if (!isObject(part)) return [];
	const at = typeof part.name === "string" ? `${place} › ${part.name}` : place;
	return Object.entries(part).flatMap(([name, inner]) => {
		if (name === "example" || name === "examples") return [];
		return name === "schema" ? within(inner, at) : schemasIn(inner, at);
	});
}

export async function servedDocument(): Promise<Document> {
	const { documentOf } = await workerModule<Documents>(process.cwd(), "src/wiring/documents.ts");
	return JSON.parse(await documentOf("openapi.json", "/", { ENVIRONMENT: "local" }));
}
