// What the audit trail stores of a request's body. Values that the schema declares as enums, numbers, booleans, ids, dates or codes of
// currencies are stored as they were sent. Every other text may be personal or secret, so a keyed digest replaces it: equal texts can be found, and
// none can be read.

import * as z from "zod";
import { canonicalJson, type Json } from "../../shared/json";
import type { AnyOperation } from "../operation";

/** Makes the digest that replaces a text. */
export type Digest = (text: string) => Promise<string>;

type JsonSchema = {
	type?: string;
	format?: string;
	pattern?: string;
	enum?: readonly unknown[];
	const?: unknown;
	items?: JsonSchema;
	prefixItems?: readonly JsonSchema[];
	properties?: { [name: string]: JsonSchema };
	additionalProperties?: JsonSchema | boolean;
	propertyNames?: JsonSchema;
	anyOf?: readonly JsonSchema[];
	oneOf?: readonly JsonSchema[];
	allOf?: readonly JsonSchema[];
	$ref?: string;
};

/** A longer result is replaced by a digest of the whole body. */
const MAX_LENGTH = 4_096;

/** The one member that replaces all members whose names the caller has chosen. */
const OTHERS = "*";

export async function changesOf(
	{ request, ndjson }: Pick<AnyOperation, "request" | "ndjson">,
	body: Json | undefined,
	digest: Digest,
): Promise<Json> {
	if (!request.body || body === undefined) return {};
	// Hundreds of lines: one digest stands for them all.
	if (ndjson) return { [OTHERS]: await digest(canonicalJson(body)) };
	const shown = await show(schemaOf(request.body), body, digest);
	return JSON.stringify(shown).length <= MAX_LENGTH ? shown : { [OTHERS]: await digest(canonicalJson(body)) };
}

type Root = { readonly schema: JsonSchema; readonly definitions: { readonly [name: string]: JsonSchema } };

/** Converted once for each body's schema, because that takes longer than most operations. */
const roots = new WeakMap<z.core.$ZodType, Root>();

function schemaOf(body: z.core.$ZodType): At {
	const known = roots.get(body);
	const root = known ?? convert(body);
	if (!known) roots.set(body, root);
	return { root, schemas: [root.schema] };
}

function convert(body: z.core.$ZodType): Root {
	const schema = z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) as JsonSchema & { $defs?: Root["definitions"] };
	return { schema, definitions: schema.$defs ?? {} };
}

/** A place in the body: every schema that may apply to its value. */
type At = { root: Root; schemas: readonly JsonSchema[] };

function expand({ root, schemas }: At): readonly JsonSchema[] {
	return schemas.flatMap((schema) => {
		const { anyOf = [], oneOf = [], allOf = [], $ref } = schema;
		const referred = $ref === undefined ? undefined : $ref === "#" ? root.schema : root.definitions[$ref.replace("#/$defs/", "")];
		return [schema, ...expand({ root, schemas: [...anyOf, ...oneOf, ...allOf, ...(referred ? [referred] : [])] })];
	});
}

async function show(at: At, value: Json, digest: Digest): Promise<Json> {
	if (value === null || typeof value === "boolean") return value;
	const schemas = expand(at);
	if (Array.isArray(value)) {
		const items = schemas.flatMap(({ items, prefixItems = [] }) => [...(items ? [items] : []), ...prefixItems]);
		return Promise.all(value.map((item) => show({ root: at.root, schemas: items }, item, digest)));
	}
	if (typeof value === "object") return showMembers(at.root, schemas, value, digest);
	const plain = schemas.some((schema) => (typeof value === "number" ? isNumber(schema, value) : isPlainText(schema, value)));
	return plain ? value : digest(String(value));
}

async function showMembers(root: Root, schemas: readonly JsonSchema[], value: { [name: string]: Json }, digest: Digest): Promise<Json> {
	const shown: { [name: string]: Json } = {};
	const others: { [name: string]: Json } = {};
	for (const [name, member] of Object.entries(value)) {
		const own = schemas.flatMap(({ properties, propertyNames, additionalProperties }) => {
			const named = properties?.[name];
			if (named) return [named];
			return propertyNames?.enum?.includes(name) && typeof additionalProperties === "object" ? [additionalProperties] : [];
		});
		if (own.length > 0) shown[name] = await show({ root, schemas: own }, member, digest);
		else others[name] = member;
	}
	// An object without `additionalProperties` drops other members, so they have changed nothing.
	const takesOthers =
		schemas.length === 0 || schemas.some(({ additionalProperties }) => Boolean(additionalProperties)) || isAnything(schemas);
	if (takesOthers && Object.keys(others).length > 0) shown[OTHERS] = await digest(canonicalJson(others));
	return shown;
}

/** Whether no schema names the members of the value. */
const isAnything = (schemas: readonly JsonSchema[]): boolean => schemas.every(({ properties }) => properties === undefined);

const isNumber = ({ type, enum: values, const: only }: JsonSchema, value: number): boolean =>
	type === "number" || type === "integer" || values?.includes(value) === true || only === value;

const FORMS: { readonly [format: string]: RegExp } = {
	uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
	date: /^\d{4}-\d{2}-\d{2}$/,
	"date-time": /^\d{4}-\d{2}-\d{2}t[\d:.]+(z|[+-]\d{2}:\d{2})$/i,
};

/** Of a currency, without which an amount says nothing. */
const CODE = /^[A-Z]{3}$/;

const isPlainText = ({ format, pattern, enum: values, const: only }: JsonSchema, value: string): boolean =>
	values?.includes(value) === true ||
	only === value ||
	(format !== undefined && FORMS[format]?.test(value) === true) ||
	(pattern === CODE.source && CODE.test(value));
