// The OpenAPI document, derived from the operations that the router serves and the event types that are raised.

import * as z from "zod";
import { SERVICE_VERSION } from "../../runtime/version";
import type { EventTypes } from "../../shared/event-type";
import { SIGNATURE_HEADER } from "../../webhook-verify/verify";
import { ErrorBody, Problem } from "../answers/error-body";
import { type Access, isPublic, permissionsOf } from "../callers/access";
import { type AnyOperation, honoursIdempotencyKey, isTagged, mayBeHeld } from "../operation";
import { type Examples, exampleComponents, exampled, RECORDED, requestExample } from "./openapi.examples";
import { EVERY_ANSWER, EVERY_REQUEST, RESPONSE_HEADERS, Refusals, responsesOf } from "./openapi.responses";
import { webhooksOf } from "./openapi.webhooks";

export type JsonSchema = { [member: string]: unknown };
export type Document = {
	openapi: string;
	info: { title: string; version: string; description: string; license: JsonSchema; contact: JsonSchema };
	servers: { url: string }[];
	security: JsonSchema[];
	tags: { name: string; description: string }[];
	paths: { [path: string]: { [method: string]: JsonSchema } };
	webhooks: ReturnType<typeof webhooksOf>;
	components: {
		[of in "schemas" | "responses" | "parameters" | "examples" | "headers" | "securitySchemes"]: { [name: string]: JsonSchema };
	};
};

/** Operations under one heading, and what they are for. */
export type Group = { readonly about: string; readonly operations: readonly AnyOperation[] };

/** `held`: what an operator's call answers with while it waits for a second operator. */
type About = { readonly baseUrl: string; readonly held: z.core.$ZodType; readonly examples?: Examples };

/** @param groups by their tags, in the order of the document's list of tags */
export function openapi(
	groups: ReadonlyMap<string, Group>,
	eventTypes: EventTypes,
	{ baseUrl, held, examples = RECORDED }: About,
): Document {
	const schemas: { [name: string]: JsonSchema } = {};
	const named = new Map<string, string>();
	const convert = (schema: z.core.$ZodType, io: "input" | "output"): JsonSchema => {
		// Wrapped, so that a named schema becomes a reference also where it stands alone.
		const override: Override = (converting) => {
			if (io === "output") open(converting);
			const { jsonSchema } = converting;
			for (const rule of CONDITIONS) if (jsonSchema[rule] !== undefined) jsonSchema[rule] = withSchemas(jsonSchema[rule]) as never;
		};
		/** A rule between members may hold schemas of them. */
		const withSchemas = (rule: unknown): unknown => {
			if (rule instanceof z.core.$ZodType) return convert(rule, io);
			if (Array.isArray(rule)) return rule.map(withSchemas);
			if (typeof rule !== "object" || rule === null) return rule;
			return Object.fromEntries(Object.entries(rule).map(([keyword, part]) => [keyword, withSchemas(part)]));
		};
		const converted = z.toJSONSchema(z.object({ it: schema }), { io, unrepresentable: "any", override });
		const { properties, $defs } = converted as JsonSchema;
		for (const [name, definition] of Object.entries(($defs as { [name: string]: JsonSchema } | undefined) ?? {})) {
			const { id: _, ...rest } = definition;
			// Generators of clients do not understand what is defined by itself, as zod defines JSON.
			if (name === "JsonValue") schemas[name] = { description: rest.description };
			else if (!name.startsWith("__")) {
				// A schema of requests and a schema of answers may share a name only where they are the same.
				const text = JSON.stringify(rest);
				if ((named.get(name) ?? text) !== text) throw new Error(`the name ${name} stands for two schemas`);
				if (!named.has(name)) schemas[name] = relocate(rest);
				named.set(name, text);
			}
		}
		return relocate((properties as { it: JsonSchema }).it);
	};
	const json = (schema: JsonSchema, example: JsonSchema, { ndjson, form }: Pick<AnyOperation, "ndjson" | "form">) => ({
		content: {
			"application/json": { schema, ...example },
			...(form && { "application/x-www-form-urlencoded": { schema, ...example } }),
			// The schema of one line.
			...(ndjson && {
				"application/x-ndjson": { schema: schema.items ?? {}, ...exampled((example.example as unknown[] | undefined)?.[0]) },
			}),
		},
	});
	for (const refused of [ErrorBody, Problem]) convert(refused, "output");
	const refusals = new Refusals(examples);
	const paths: Document["paths"] = {};
	const operations = [...groups].flatMap(([tag, { operations }]) => operations.map((op) => ({ op, tag })));
	for (const { op, tag } of operations.sort((a, b) => (a.op.path < b.op.path ? -1 : 1))) {
		const body = op.response && convert(op.response, "output");
		const sent = requestExample(examples, op);
		paths[op.path] ??= {};
		Object.assign(paths[op.path] ?? {}, {
			[op.method.toLowerCase()]: {
				operationId: op.id,
				summary: op.summary,
				description: [op.description, `Credentials: ${credentialsOf(op.access)}.`].filter(Boolean).join("\n\n"),
				...(op.deprecated && { deprecated: true }),
				tags: [tag],
				...(op.reasons && { "x-reasons": op.reasons }),
				...(isUsual(securityOf(op.access)) ? {} : { security: securityOf(op.access) }),
				parameters: [
					...[...op.path.matchAll(/{(\w+)}/g)].map(([, name = ""]) => ({
						name,
						in: "path",
						required: true,
						schema: member(op.request.path && convert(op.request.path, "input"), name) ?? { type: "string" },
						...exampled(sent.path?.[name]),
					})),
					...parametersIn("query", op.request.query && convert(op.request.query, "input"), sent.query),
					...headersOf(op),
				],
				...(op.request.body && {
					requestBody: {
						required: !op.request.body.safeParse(undefined).success,
						...json(convert(op.request.body, "input"), exampled(sent.body), op),
					},
				}),
				responses: responsesOf(op, { body, held: mayBeHeld(op) ? convert(held, "output") : null }, refusals, examples),
			},
		});
	}
	const webhooks = webhooksOf(eventTypes, (schema) => convert(schema, "input"), examples);
	return {
		openapi: "3.1.0",
		info: {
			title: "Financial Account Service",
			version: SERVICE_VERSION,
			description: `Lending and account management for end users, agents and organizations.\n\n${EVERY_REQUEST}\n\n${EVERY_ANSWER}`,
			license: { name: "Apache 2.0", identifier: "Apache-2.0" },
			// The document that is committed is at no address.
			contact: { name: "The maintainers of the Financial Account Service", ...(URL.canParse(baseUrl) && { url: `${baseUrl}/docs` }) },
		},
		servers: [{ url: baseUrl }],
		security: USUAL_SECURITY,
		tags: [...groups].map(([name, { about }]) => ({ name, description: about })),
		paths,
		webhooks,
		components: {
			schemas: byName(schemas),
			responses: byName(refusals.components),
			parameters: {},
			examples: byName(exampleComponents(examples)),
			headers: RESPONSE_HEADERS,
			securitySchemes: {
				bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
				apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
				signature: {
					type: "apiKey",
					in: "header",
					name: SIGNATURE_HEADER,
					description: "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `t`, a full stop and the raw body under the provider's secret",
				},
			},
		},
	};
}

export const byName = <T>(components: { [name: string]: T }): { [name: string]: T } =>
	Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));

/** zod puts named schemas next to the converted one; the document keeps them in one place. */
const relocate = (schema: JsonSchema): JsonSchema =>
	JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'), function (this: JsonSchema, name, value) {
		// Bounds that every integer has say nothing.
		if ((name === "minimum" || name === "maximum") && Math.abs(value) === Number.MAX_SAFE_INTEGER) return undefined;
		// No format of JSON Schema: the pattern with it says the same.
		if (name === "format" && value === "starts_with") return undefined;
		// Their formats say all that these patterns say, but that an instant is in UTC.
		if (name === "pattern" && (this.format === "uuid" || this.format === "date")) return undefined;
		if (name === "pattern" && this.format === "date-time" && String(value).endsWith("(?:Z))$")) return "Z$";
		// Many validators compile patterns without the flag that this class of characters needs.
		if (name === "pattern" && typeof value === "string") return value.replaceAll("\\P{Cc}", "[^\\u0000-\\u001f\\u007f-\\u009f]");
		return value;
	}) as JsonSchema;

type Override = NonNullable<z.core.ToJSONSchemaParams["override"]>;
const CONDITIONS = ["if", "then", "else"] as const;

/** Members may be added to answers, so a client that validates by the document must not refuse them. Strict schemas are those of requests. */
const open: Override = ({ zodSchema: { _zod }, jsonSchema }) => {
	if (_zod.def.type === "object" && !(_zod.def as z.core.$ZodObjectDef).catchall) delete jsonSchema.additionalProperties;
};

const member = (schema: JsonSchema | undefined, name: string) => (schema?.properties as { [name: string]: JsonSchema } | undefined)?.[name];

function parametersIn(place: "query", schema: JsonSchema | undefined, sent: { readonly [name: string]: unknown } = {}): JsonSchema[] {
	const required = new Set(schema?.required as string[] | undefined);
	return Object.entries((schema?.properties as { [name: string]: JsonSchema } | undefined) ?? {}).map(
		([name, { description, ...rest }]) => ({
			name,
			in: place,
			...(required.has(name) && { required: true }),
			...(description !== undefined && { description }),
			schema: rest,
			...exampled(sent[name]),
		}),
	);
}

function headersOf(op: AnyOperation): JsonSchema[] {
	const header = (name: string, description: string, schema: JsonSchema = { type: "string" }) => ({
		name,
		in: "header",
		description,
		schema,
	});
	return [
		...(op.access.organization?.from === "header"
			? [header("X-Organization-Id", "The acting organization: id or slug. Optional for members of only one organization")]
			: []),
		...(honoursIdempotencyKey(op)
			? [
					header("Idempotency-Key", "Identical calls with the same key get the first answer for seven days", {
						type: "string",
						minLength: 1,
						maxLength: 255,
					}),
				]
			: []),
		...(op.access.user && op.gated !== false
			? [
					header("X-App-Version", "The version of the app that calls, such as 2.14.0: a version that must be upgraded is refused"),
					header("X-App-Platform", "Where the app runs: IOS, ANDROID or WEB"),
				]
			: []),
		...(op.method === "GET" && !isPublic(op.access)
			? [header("X-D1-Bookmark", "That of an earlier answer, so that this read sees what that call wrote")]
			: []),
		...(isTagged(op)
			? [header("If-None-Match", "The ETag of an answer that the client has: as long as it is the same, the answer is 304")]
			: []),
		...(op.errors?.includes("PRECONDITION_FAILED")
			? [header("If-Match", "The ETag of the state that the change is meant for: of another state it is refused")]
			: []),
	];
}

/** The credentials that the operation accepts, in words. */
function credentialsOf(access: Access): string {
	const accepted = [
		access.user && (access.user.waitingList ? "a user, also on the waiting list" : "a user"),
		access.organization &&
			`a member ${access.organization.askedBy ? "with" : "whose role has"} ${permissionsOf(access.organization).join(" or ")}`,
		access.apiKey && `an API key with ${access.apiKey.join(" or ")}`,
		(access.operator || access.organization) && "an operator",
		access.signature && `a signature of the raw body under ${access.signature}`,
	].filter((credential) => typeof credential === "string");
	if (accepted.length === 0) return "none";
	return `${accepted.join(", or ")}${access.fresh ? `. At most ${access.fresh} seconds after the sign-in` : ""}`;
}

/** Of the operations that say nothing else. */
const USUAL_SECURITY = [{ bearer: [] }];
const isUsual = (security: readonly JsonSchema[]): boolean => JSON.stringify(security) === JSON.stringify(USUAL_SECURITY);

function securityOf(access: Access): JsonSchema[] {
	if (isPublic(access)) return [];
	const { apiKey, signature, person: _, fresh: __, operatorWrites: ___, ...bearers } = access;
	return [
		...(Object.keys(bearers).length > 0 ? [{ bearer: [] }] : []),
		...(apiKey ? [{ apiKey: [] }] : []),
		...(signature ? [{ signature: [] }] : []),
	];
}
