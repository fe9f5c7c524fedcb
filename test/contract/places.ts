// The places of a JSON schema that a caller fills in: its lists, maps and texts at any depth.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Schema = { readonly [keyword: string]: unknown };

export type Place = {
	/** As a reader names it: `.accounts[].label`. */
	readonly name: string;
	readonly path: readonly (string | number)[];
	readonly kind: "list" | "map" | "text" | "other";
	readonly schema: Schema;
	/** A value of the whole schema that consists of this one, as far as it can. */
	bodyWith(value: Json): Json;
};

function kindOf({ type, additionalProperties, enum: values, const: constant }: Schema): Place["kind"] {
	const types = [type].flat();
	if (types.includes("array")) return "list";
	if (types.includes("object")) return additionalProperties ? "map" : "other";
	return types.includes("string") && values === undefined && constant === undefined ? "text" : "other";
}

type Definitions = { readonly [name: string]: Schema };

function* visit(schema: Schema, defs: Definitions, place: Pick<Place, "name" | "path" | "bodyWith">): Generator<Place> {
	const { $ref } = schema;
	const referred = typeof $ref === "string" ? defs[$ref.replace("#/$defs/", "")] : undefined;
	if (referred) return yield* visit(referred, defs, place);
	const options = [schema.anyOf, schema.oneOf, schema.allOf].flat().filter((option) => option !== undefined) as Schema[];
	for (const option of options) yield* visit(option, defs, place);
	if (options.length === 0) yield { ...place, kind: kindOf(schema), schema };
	const below = (step: string | number, name: string, wrap: (value: Json) => Json) => ({
		name: place.name + name,
		path: [...place.path, step],
		bodyWith: (value: Json) => place.bodyWith(wrap(value)),
	});
	const properties = Object.entries((schema.properties ?? {}) as Definitions);
	// What distinguishes the options of a union.
	const tags = Object.fromEntries(properties.flatMap(([name, { const: tag }]) => (tag === undefined ? [] : [[name, tag as Json]])));
	for (const [name, member] of properties)
		yield* visit(
			member,
			defs,
			below(name, `.${name}`, (value) => ({ ...tags, [name]: value })),
		);
	const { items, additionalProperties } = schema as { items?: Schema; additionalProperties?: Schema | boolean };
	if (items)
		yield* visit(
			items,
			defs,
			below(0, "[]", (value) => [value]),
		);
	if (typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0) {
		const [member = "m"] = ((schema.propertyNames as Schema | undefined)?.enum ?? []) as string[];
		yield* visit(
			additionalProperties,
			defs,
			below(member, "{}", (value) => ({ [member]: value })),
		);
	}
}

export function placesIn({ $defs = {}, ...schema }: Schema): Place[] {
	return [...visit(schema, $defs as Definitions, { name: "", path: [], bodyWith: (value) => value })];
}
