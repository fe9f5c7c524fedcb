// How the schemas of the OpenAPI document are written as TypeScript, with their texts and limits as comments.

export type Schema = {
	readonly $ref?: string;
	readonly type?: string | readonly string[];
	readonly properties?: { readonly [name: string]: Schema };
	readonly required?: readonly string[];
	readonly additionalProperties?: Schema | boolean;
	readonly propertyNames?: Schema;
	readonly items?: Schema;
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly anyOf?: readonly Schema[];
	readonly oneOf?: readonly Schema[];
	readonly allOf?: readonly Schema[];
	readonly description?: string;
	readonly format?: string;
	readonly pattern?: string;
	readonly default?: unknown;
	readonly examples?: readonly unknown[];
	readonly [limit: string]: unknown;
};

/** `sent`: in a request, whose lists may be readonly. */
export type Use = { readonly indent?: string; readonly sent?: boolean };

/** The type of what the schema allows. */
export function typeOf(schema: Schema, { indent = "", sent = false }: Use = {}): string {
	const inner = (part: Schema) => typeOf(part, { indent, sent });
	if (schema.$ref !== undefined) return nameIn(schema.$ref);
	if ("const" in schema) return JSON.stringify(schema.const);
	if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
	const several = schema.anyOf ?? schema.oneOf;
	if (several) return union(several.map(inner));
	if (schema.allOf) return schema.allOf.map(inner).join(" & ");
	if (Array.isArray(schema.type)) return union(schema.type.map((type: string) => inner({ ...schema, type })));
	switch (schema.type) {
		case "array":
			return `${sent ? "readonly " : ""}${asItem(inner(schema.items ?? {}))}[]`;
		case "object":
			return objectOf(schema, { indent, sent });
		case "integer":
			return "number";
		case undefined:
			return "unknown";
		default:
			return schema.type as string;
	}
}

export const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

const union = (types: readonly string[]): string => [...new Set(types)].join(" | ");
const asItem = (type: string): string => (isUnion(type) ? `(${type})` : type);

/** Whether the type is one of several, beyond those of its members. */
export function isUnion(type: string): boolean {
	const outer = type.replaceAll(/\{[^{}]*\}/g, "");
	return outer === type ? / [|&] /.test(type) : isUnion(outer);
}
const memberName = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));

function objectOf({ properties = {}, required = [], additionalProperties, propertyNames }: Schema, { indent = "", sent }: Use): string {
	const deeper = { indent: `${indent}\t`, sent: sent ?? false };
	const members = Object.entries(properties).map(
		([name, schema]) =>
			`${docOf(textOf(schema), deeper.indent)}${deeper.indent}${memberName(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema, deeper)};\n`,
	);
	const others = typeof additionalProperties === "object" ? typeOf(additionalProperties, deeper) : undefined;
	if (others !== undefined && propertyNames?.enum) return `{ [Name in ${typeOf(propertyNames)}]?: ${others} }`;
	if (others !== undefined) members.push(`${deeper.indent}[name: string]: ${members.length > 0 ? "unknown" : others};\n`);
	return members.length > 0 ? `{\n${members.join("")}${indent}}` : "Record<string, unknown>";
}

/** What a reader must know of a value that its type does not say: its description, then its limits. */
export function textOf(schema: Schema): string {
	const value = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== "null") ?? schema;
	const sentences = [schema.description, ...limitsOf({ ...value, ...schema })];
	return sentences.flatMap((text) => (text ? [/[.:!?`]$/.test(text) ? text : `${text}.`] : [])).join(" ");
}

const FORMATS: Readonly<Record<string, string>> = {
	uuid: "A UUID",
	date: "A date, such as 2026-03-02",
	"date-time": "A timestamp in UTC, such as 2026-03-02T09:30:00.000Z",
	email: "An email address",
	uri: "A URL",
	duration: "An ISO 8601 duration, such as PT30M",
};

/** The longest pattern that says something to a reader. */
const SHORT = 50;

const limitsOf = (schema: Schema): string[] => [
	...(schema.format !== undefined && FORMATS[schema.format] ? [FORMATS[schema.format] ?? ""] : []),
	...(schema.format === undefined && schema.type === "string" && schema.pattern !== undefined && schema.pattern.length <= SHORT
		? [`Matches \`${schema.pattern}\``]
		: []),
	...range(schema.minimum ?? over(schema.exclusiveMinimum), schema.maximum, ""),
	...range(schema.minLength, schema.maxLength, " characters"),
	...range(schema.minItems || undefined, schema.maxItems, " items"),
	...(schema.default !== undefined && schema.default !== null ? [`By default \`${JSON.stringify(schema.default)}\``] : []),
	...(schema.examples?.length ? [`For example \`${JSON.stringify(schema.examples[0])}\``] : []),
];

const over = (bound: unknown): number | undefined => (typeof bound === "number" ? bound + 1 : undefined);

function range(from: unknown, to: unknown, of: string): string[] {
	if (from === undefined && to === undefined) return [];
	if (from === undefined) return [`At most ${to}${of}`];
	if (to === undefined) return [`At least ${from}${of}`];
	return [from === to ? `Exactly ${from}${of}` : `From ${from} to ${to}${of}`];
}

/** A comment above a declaration; empty without a text. */
export function docOf(text: string, indent = ""): string {
	if (text === "") return "";
	const lines = text.replaceAll("*/", "*\\/").split("\n");
	if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
	return `${indent}/**\n${lines.map((line) => `${indent} *${line && ` ${line}`}\n`).join("")}${indent} */\n`;
}
