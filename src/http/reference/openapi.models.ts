// What schemas have alike stands in the served document once, under a name. The name is that of a model which says the same, or the `title`
// that a schema has at its source; without either it stays at each place, because generators would make a name of its place.

import type { Document, JsonSchema } from "./openapi";

/** A shorter schema says no more than a reference to it. */
const WORTH_A_REFERENCE = 80;
/** Members that are no schemas, and contain none. */
const PLAIN = new Set(["const", "description", "enum", "example", "examples", "required", "x-extensible-enum"]);

export function shareModels({ components, paths }: Document): void {
	const { schemas } = components;
	for (const [title, schema] of titledIn([schemas, paths])) {
		if (schemas[title]) throw new Error(`the name ${title} stands for two schemas`);
		schemas[title] = schema;
	}
	const models = namesOf(schemas);
	const shared = (value: unknown, isModel = false): unknown => {
		if (Array.isArray(value)) return value.map((item) => shared(item));
		if (typeof value !== "object" || value === null) return value;
		const schema = untitled(value as JsonSchema);
		const name = isModel ? undefined : models.get(JSON.stringify(schema));
		if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
		return Object.fromEntries(Object.entries(schema).map(([member, part]) => [member, PLAIN.has(member) ? part : shared(part)]));
	};
	components.schemas = Object.fromEntries(Object.entries(schemas).map(([name, model]) => [name, shared(model, true) as JsonSchema]));
	for (const [path, methods] of Object.entries(paths)) paths[path] = shared(methods) as typeof methods;
}

/** A member of a body may be called `title` as well: its value is a schema. */
function untitled(value: JsonSchema): JsonSchema {
	const { title, ...schema } = value;
	return typeof title === "string" ? schema : value;
}

/** The schemas with a title. Of two with the same one, such as where one place describes it further, that which stands at more places. */
function titledIn(value: unknown): Map<string, JsonSchema> {
	const found: [string, JsonSchema][] = [];
	const look = (within: unknown): void => {
		if (typeof within !== "object" || within === null) return;
		const { title } = within as JsonSchema;
		if (typeof title === "string") found.push([title, untitled(within as JsonSchema)]);
		for (const [member, part] of Object.entries(within)) if (!PLAIN.has(member)) look(part);
	};
	look(value);
	return new Map(
		[...Map.groupBy(found, ([title]) => title)].map(([title, places]) => {
			const alike = [...Map.groupBy(places, ([, schema]) => JSON.stringify(schema)).values()];
			const [most] = alike.sort((a, b) => b.length - a.length);
			return [title, most?.[0]?.[1] ?? {}];
		}),
	);
}

/** The model that says a text, where only one does. */
function namesOf(schemas: Document["components"]["schemas"]): Map<string, string> {
	const names = Map.groupBy(Object.entries(schemas), ([, model]) => JSON.stringify(model));
	return new Map(
		[...names].flatMap(([text, [[name, model] = ["", {}], ...others]]) =>
			others.length === 0 && text.length > WORTH_A_REFERENCE && model.type !== undefined ? [[text, name] as const] : [],
		),
	);
}
