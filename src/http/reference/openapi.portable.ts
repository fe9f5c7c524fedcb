// How schemas are said in the document that is served, so that clients which generators make of it in any language compile and decode. Our
// own client and the pages are made of the whole document, which says more: narrower constants, patterns next to formats, choices of
// scalars.

import type { Document, JsonSchema } from "./openapi";

type Schemas = { readonly [name: string]: JsonSchema };
/** `name`: of the member or parameter that has the schema. `answered`: it stands in something that the service says. */
type Place = { readonly name: string; readonly answered: boolean };

export function portable(whole: Document): Document {
	const document = structuredClone(whole);
	const { components, paths, webhooks } = document;
	const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
	const answers = reached([operations.map(({ responses }) => responses), webhooks, components.responses], components.schemas);
	/** What contains schemas, as the members named `schema` of media types and parameters. */
	const inside = (value: unknown, place: Place): unknown => {
		if (Array.isArray(value)) return value.map((item) => inside(item, place));
		if (!isObject(value)) return value;
		const named = typeof value.name === "string" ? { ...place, name: value.name } : place;
		const said = Object.fromEntries(
			Object.entries(value).map(([name, part]) => {
				if (name === "example" || name === "examples") return [name, part];
				if (name === "schema") return [name, portableSchema(part as JsonSchema, named)];
				return [name, inside(part, { ...named, answered: named.answered || name === "responses" })];
			}),
		);
		// An example that was one of the things of which the schema now says a list.
		const isOneOfList = isObject(said.schema) && said.schema.type === "array" && typeof said.example === "string";
		return isOneOfList ? { ...said, example: [said.example] } : said;
	};
	document.paths = inside(paths, { name: "", answered: false }) as Document["paths"];
	document.webhooks = inside(webhooks, { name: "", answered: true }) as Document["webhooks"];
	components.responses = inside(components.responses, { name: "", answered: true }) as Document["components"]["responses"];
	components.headers = Object.fromEntries(
		Object.entries(components.headers).map(([name, header]) => [
			name,
			{ ...header, schema: portableSchema(header.schema as JsonSchema, { name, answered: true }) },
		]),
	);
	components.schemas = Object.fromEntries(
		Object.entries(components.schemas).map(([name, schema]) => [name, portableSchema(schema, { name: "", answered: answers.has(name) })]),
	);
	for (const schema of Object.values(components.schemas)) addDiscriminator(schema, components.schemas);
	for (const refusal of Object.values(components.responses)) nameErrors(refusal);
	return document;
}

type Refusal = { content?: { [type: string]: { schema: JsonSchema } } };
type Narrowed = {
	readonly allOf?: readonly [JsonSchema, { readonly properties: { readonly code: { readonly "x-extensible-enum": readonly string[] } } }];
};

/** One schema for the errors of all operations, so that one function handles them; the response has the codes. */
function nameErrors(response: JsonSchema & Refusal): void {
	for (const media of Object.values(response.content ?? {})) {
		const { allOf } = media.schema as Narrowed;
		if (!allOf) continue;
		response["x-error-codes"] = allOf[1].properties.code["x-extensible-enum"];
		media.schema = allOf[0];
	}
}

export const nameIn = (schema: JsonSchema | undefined): string | undefined =>
	typeof schema?.$ref === "string" ? schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1) : undefined;

/** Which of its named variants something is, by the member that is a constant of each. */
function addDiscriminator(schema: JsonSchema, schemas: Schemas): void {
	const variants = ((schema.oneOf as JsonSchema[] | undefined) ?? []).map((variant) => ({
		ref: variant.$ref,
		constants: constantsOf(variant, schemas),
	}));
	const [first] = variants;
	const propertyName = Object.keys(first?.constants ?? {}).find(
		(name) => new Set(variants.map(({ constants }) => constants[name])).size === variants.length,
	);
	if (propertyName === undefined) return;
	schema.discriminator = {
		propertyName,
		mapping: Object.fromEntries(variants.map(({ ref, constants }) => [constants[propertyName], ref])),
	};
}

/** The members of a variant that are always the same. */
function constantsOf(variant: JsonSchema, schemas: Schemas): { readonly [name: string]: string } {
	const model = schemas[nameIn(variant) ?? ""] ?? {};
	const constants = Object.entries((model.properties as Schemas | undefined) ?? {}).flatMap(([name, member]) =>
		typeof member.const === "string" ? [[name, member.const] as const] : [],
	);
	const [first = {}, ...others] = ((model.oneOf as JsonSchema[] | undefined) ?? []).map((inner) => constantsOf(inner, schemas));
	const shared = Object.entries(first).filter(([name, value]) => others.every((other) => other[name] === value));
	return Object.fromEntries([...constants, ...shared]);
}

const isObject = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null && !Array.isArray(value);

/** The names of the schemas that the parts name, also by others. */
function reached(parts: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
	for (const [, name = ""] of JSON.stringify(parts).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
		if (found.has(name)) continue;
		found.add(name);
		reached(schemas[name] ?? {}, schemas, found);
	}
	return found;
}

/** @public for its test */
export function portableSchema(schema: JsonSchema, place: Place): JsonSchema {
	const within = partsOf(schema, place);
	return [
		withoutChoices,
		withoutConstant,
		withLaterValues,
		withWidth,
		withoutWhatFormatSays,
		withoutDefault,
		withoutOthers,
		withoutSets,
	].reduce((said, rule) => rule(said, place), within);
}

const LISTS = ["anyOf", "oneOf", "allOf"] as const;
const SINGLE = ["items", "additionalProperties", "propertyNames", "then", "else"] as const;

/** The schema with the schemas within it said portably. */
function partsOf(schema: JsonSchema, place: Place): JsonSchema {
	const said = { ...schema };
	for (const list of LISTS)
		if (Array.isArray(said[list])) said[list] = (said[list] as JsonSchema[]).map((part) => portableSchema(part, place));
	for (const single of SINGLE) if (isObject(said[single])) said[single] = portableSchema(said[single], place);
	if (isObject(said.properties))
		said.properties = Object.fromEntries(
			Object.entries(said.properties as Schemas).map(([name, part]) => [name, portableSchema(part, { ...place, name })]),
		);
	return said;
}

const SCALARS = ["string", "integer", "number", "boolean"];
const typesOf = ({ type }: JsonSchema): string[] => (type === undefined ? [] : [type].flat().map(String));

/** Null is one of the types of a schema, a text that has one of several forms is a text, and what may be of several scalar types has none. */
function withoutChoices(schema: JsonSchema): JsonSchema {
	const { anyOf, oneOf, ...rest } = schema;
	if (typesOf(rest).filter((type) => type !== "null").length > 1) return withoutType(rest);
	const all = ((anyOf ?? oneOf ?? []) as JsonSchema[]).flatMap((choice) => (isOnlyChoices(choice) ? choicesOf(choice) : [choice]));
	if (all.length === 0) return schema;
	const choices = all.filter(({ type }) => type !== "null");
	const isNullable = choices.length < all.length || choices.some((choice) => typesOf(choice).includes("null"));
	const [first = {}] = choices;
	if (choices.some(isAnything)) return rest;
	if (choices.length === 1 && first.$ref === undefined) {
		const told = first["x-extensible-enum"] && rest.description !== undefined ? described(rest, String(first.description)) : rest;
		return isNullable ? orNull({ ...first, ...told }) : { ...first, ...told };
	}
	const types = new Set(choices.flatMap(typesOf).filter((type) => type !== "null"));
	const [type = ""] = types;
	if (choices.every(isScalar)) return types.size > 1 ? withoutType(rest) : isNullable ? orNull({ ...rest, type }) : { ...rest, type };
	// One, or a list of such: the list may have one.
	const list = choices.find((choice) => choice.type === "array");
	if (list && choices.every((choice) => choice === list || isScalar(choice))) return { ...list, ...rest };
	return { ...rest, [anyOf ? "anyOf" : "oneOf"]: all };
}

const choicesOf = ({ anyOf, oneOf }: JsonSchema) => (anyOf ?? oneOf ?? []) as JsonSchema[];
const isOnlyChoices = (schema: JsonSchema) => choicesOf(schema).length > 0 && Object.keys(schema).length === 1;
const isAnything = (schema: JsonSchema) => Object.keys(schema).every((keyword) => keyword === "description");
const isScalar = (schema: JsonSchema) => typesOf(schema).some((type) => SCALARS.includes(type));
const withoutType = ({ type: _, ...schema }: JsonSchema): JsonSchema => schema;

function orNull({ const: only, enum: values, ...schema }: JsonSchema): JsonSchema {
	const listed = (values as unknown[] | undefined) ?? (only === undefined ? undefined : [only]);
	return { ...schema, type: [...new Set([...typesOf(schema), "null"])], ...(listed && { enum: [...new Set([...listed, null])] }) };
}

/** A number that is always the same is an integer with that as its bounds. */
function withoutConstant({ const: only, ...schema }: JsonSchema): JsonSchema {
	if (typeof only === "boolean") return schema;
	if (typeof only === "number") return { ...schema, type: "integer", minimum: only, maximum: only };
	return only === undefined ? schema : { ...schema, const: only };
}

/** The enumerations of answers that never get another value, as docs/versioning.md says. */
const CLOSED = new Set(
	[
		["APPROVED", "REJECTED"],
		["CREDIT", "DEBIT"],
		["OUT", "IN"],
		["SUCCEEDED", "FAILED"],
		["sandbox", "production"],
		["local", "sandbox", "production"],
		["HORIZONTAL", "VERTICAL"],
		["IN_ADVANCE", "ON_TIME", "LATE"],
		["NOW", "NEXT_CYCLE"],
		// What Safaricom takes.
		["0", "C2B00012"],
		["Accepted", "Rejected"],
	].map((values) => values.join()),
);

/** In answers an enumeration that may grow is a text with its values listed: a client that knew those alone would refuse a later one. */
function withLaterValues(schema: JsonSchema, { answered }: Place): JsonSchema {
	const { enum: values, ...rest } = schema as JsonSchema & { enum?: (string | null)[] };
	const listed = values?.filter((value) => value !== null) ?? [];
	if (!answered || listed.length === 0 || CLOSED.has(listed.join())) return schema;
	const told = `${listed.map((value) => `\`${value}\``).join(", ")} or a later one`;
	return { ...described(rest, told), "x-extensible-enum": listed };
}

const WIDEST = { int32: 2 ** 31 - 1, int64: Number.MAX_SAFE_INTEGER } as const;

/** What does not grow, though nothing bounds it: durations, ordinals within an account, statuses of HTTP, shares, rates. Money and counts do. */
const SMALL =
	/(?:^|_)(?:basis_points|days|seconds|ms|p50|p95|p99|percent|number|days_overdue|days_past_due)$|^(?:attempts|cycle|duration|expires_in|failures_in_row|font_weight|installments?|max_events|max_in_flight|payload_version|period_value|position|rate_limit|response_status|revision|rolled_over_from|size|status|stream|suspended_at_failures|tries_left|seconds_until_new_code|ResultCode|RetryAfter)$/;

function withWidth(schema: JsonSchema, { name, answered }: Place): JsonSchema {
	if (!typesOf(schema).includes("integer")) return schema;
	const { maximum: most, pattern: _, ...rest } = schema as JsonSchema & { maximum?: number };
	const format = (most === undefined ? SMALL.test(name) : most <= WIDEST.int32) ? "int32" : "int64";
	// A body beyond it is refused; nothing beyond it is answered.
	const maximum = most ?? (answered ? undefined : WIDEST[format]);
	return { ...rest, format, ...(maximum !== undefined && { maximum }) };
}

/** The longest pattern that says something to a reader. */
const SHORT = 50;

function withoutWhatFormatSays(schema: JsonSchema, { answered }: Place): JsonSchema {
	const types = typesOf(schema);
	if (!types.includes("string")) return schema;
	const { pattern, maxLength, minLength, ...rest } = schema;
	if (schema.format !== undefined) return rest;
	const lengths = { ...(minLength !== undefined && { minLength }), ...(maxLength !== undefined && { maxLength }) };
	if (!types.includes("null")) return schema;
	const told = !answered && typeof pattern === "string" && pattern.length <= SHORT;
	return { ...(told ? described(rest, `Matches \`${pattern}\``) : rest), ...lengths };
}

const described = ({ description, ...schema }: JsonSchema, more: string): JsonSchema => ({
	...schema,
	description: description === undefined ? more : `${String(description).replace(/\.$/, "")}. ${more}`,
});

/** Answers leave nothing to defaults, and code has no literals for those that are lists, objects or null. */
function withoutDefault({ default: otherwise, ...schema }: JsonSchema, { answered }: Place): JsonSchema {
	if (otherwise === undefined || otherwise === null || answered) return schema;
	return typeof otherwise === "object"
		? described(schema, `By default \`${JSON.stringify(otherwise)}\``)
		: { ...schema, default: otherwise };
}

/** Objects are open: generated code that keeps members without a name compiles in few languages. */
function withoutOthers(schema: JsonSchema): JsonSchema {
	const { additionalProperties: others, properties, ...rest } = schema;
	if (!isObject(properties) || !isObject(others) || Object.keys(others).length > 0) return schema;
	return Object.keys(properties).length > 0 ? { ...rest, properties } : rest;
}

/** A list in which nothing stands twice is a list: a set of enumerated values compiles in few languages. */
function withoutSets({ uniqueItems, ...schema }: JsonSchema): JsonSchema {
	return uniqueItems === true ? described(schema, "Nothing stands in it twice") : schema;
}
