// The `responses` of an operation in the OpenAPI document, and the shared responses and headers that they name.

import * as z from "zod";
import { ERRORS, type ErrorCode } from "../../shared/errors";
import { PRINTED_TYPE, TABULAR_TYPES, tableOf } from "../answers/tables";
import { type AnyOperation, errorsOf, isTagged, successesOf } from "../operation";
import { answerExample, type Examples, exampled, nameOf, refusalExamples } from "./openapi.examples";

type JsonSchema = { [member: string]: unknown };

const header = (description: string, type: "string" | "integer" = "string") => ({ description, schema: { type } });

/** What every answer has stands once, in the document's description. */
export const EVERY_ANSWER =
	"Every answer has `X-Request-Id`, which names the request in the service's log; `RateLimit-Policy`, the limits that the call counts towards; and, where it was read from or written to a database, `X-D1-Bookmark`, which makes the next request that sends it see what this one has written. `Idempotent-Replayed: true` says that it is the stored answer to an earlier call with the same `Idempotency-Key`.";

/** What holds for all JSON that is sent stands once as well. */
export const EVERY_REQUEST = "No text of a body has the character NUL.";

/** The other headers that answers name, by their place in the document's components. */
export const RESPONSE_HEADERS = {
	ETag: header("Names this answer or state; for `If-None-Match` and `If-Match`"),
	Location: header("Where the answer is read later: of a call that waits for a second operator, its request for approval"),
	Link: header("The neighbours of the page, as `links` in the body (RFC 8288)"),
	Successor: header('The path that replaces this one (RFC 8288, `rel="successor-version"`)'),
	Deprecation: header("Since when the path is deprecated (RFC 9745)"),
	Sunset: header("When the path goes away (RFC 8594)"),
	RateLimit: header("The limit that was exceeded"),
	RetryAfter: header("After how many seconds the call may succeed", "integer"),
	Challenge: header("How to authenticate (RFC 9110)"),
} as const;

type HeaderName = keyof typeof RESPONSE_HEADERS;

export const ON_THE_WIRE: Readonly<Record<HeaderName, string>> = {
	ETag: "ETag",
	Location: "Location",
	Link: "Link",
	Successor: "Link",
	Deprecation: "Deprecation",
	Sunset: "Sunset",
	RateLimit: "RateLimit",
	RetryAfter: "Retry-After",
	Challenge: "WWW-Authenticate",
};

const headersNamed = (names: readonly HeaderName[]) =>
	names.length > 0 && { headers: Object.fromEntries(names.map((name) => [ON_THE_WIRE[name], { $ref: `#/components/headers/${name}` }])) };

/** The refusals that operations share: one for each set of codes with the same status. */
export class Refusals {
	readonly components: { [name: string]: JsonSchema } = {};
	readonly #examples: Examples;

	constructor(examples: Examples) {
		this.#examples = examples;
	}

	/** A reference to the refusal with one of these codes; a deprecated operation's has headers of its own. */
	of(status: number, codes: readonly ErrorCode[], { deprecated }: Pick<AnyOperation, "deprecated">): JsonSchema {
		const name = nameOf(codes) + (deprecated ? "OfDeprecated" : "");
		this.components[name] ??= refusal(status, codes, this.#examples, deprecated ? DEPRECATION : []);
		return { $ref: `#/components/responses/${name}` };
	}
}

const DEPRECATION = ["Deprecation", "Sunset", "Successor"] as const;

const SCHEMAS = { Error: "ApiError", Problem: "Problem" } as const;

function refusal(status: number, codes: readonly ErrorCode[], examples: Examples, more: readonly HeaderName[] = []): JsonSchema {
	const as = (form: "Error" | "Problem") => ({
		schema: {
			allOf: [{ $ref: `#/components/schemas/${SCHEMAS[form]}` }, { type: "object", properties: { code: { type: "string", enum: codes } } }],
		},
		...refusalExamples(examples, form, codes),
	});
	return {
		description: codes.map((code) => `\`${code}\`: ${ERRORS[code].description}`).join("\n\n"),
		...headersNamed([
			...more,
			...(status === 401 ? (["Challenge"] as const) : []),
			...(status === 429 ? (["RateLimit", "RetryAfter"] as const) : []),
			...(status === 409 || status === 503 ? (["RetryAfter"] as const) : []),
		]),
		content: { "application/json": as("Error"), "application/problem+json": as("Problem") },
	};
}

/** `body` of the answers of success, and `held` of a call that waits for a second operator; null: there is none. */
type Bodies = { readonly body: JsonSchema | null; readonly held: JsonSchema | null };

const HELD = "An operator's call waits for a second operator, where `OPERATOR_PAIRS` is on: its request for approval";
const json = (schema: JsonSchema, example: JsonSchema) => ({ content: { "application/json": { schema, ...example } } });

/** The body as JSON, and for a table as what else it is answered as. */
const contentOf = ({ tabular, printed, response }: AnyOperation, schema: JsonSchema, example: { readonly example?: unknown }) => ({
	content: {
		"application/json": { schema, ...example },
		...(tabular &&
			Object.fromEntries(
				TABULAR_TYPES.map((type) => {
					const table =
						response && example.example !== undefined ? tableOf(type, response, JSON.stringify(example.example), tabular) : undefined;
					return [type, { schema: { type: "string" }, ...exampled(table) }];
				}),
			)),
		...(printed && { [PRINTED_TYPE]: { schema: { type: "string" }, ...exampled("%PDF-1.7\n1 0 obj\n…") } }),
	},
});

export function responsesOf(op: AnyOperation, { body, held }: Bodies, refusals: Refusals, examples: Examples): JsonSchema {
	const isList = op.response instanceof z.ZodObject && "links" in op.response.shape;
	const headers = (status: number, isHeld = false) =>
		headersNamed([
			...(op.deprecated ? DEPRECATION : []),
			...(op.location || isHeld ? (["Location"] as const) : []),
			...((isTagged(op) && status === 200) || op.errors?.includes("PRECONDITION_FAILED") ? (["ETag"] as const) : []),
			...(isList ? (["Link"] as const) : []),
		]);
	const byStatus = Map.groupBy<number, ErrorCode>(errorsOf(op).toSorted(), (code) => ERRORS[code].status);
	for (const [code, status] of Object.entries(op.otherErrorStatuses ?? {})) {
		byStatus.set(status, [...(byStatus.get(status) ?? []), code as ErrorCode].toSorted());
	}
	const successes = successesOf(op);
	const accepted = successes.get(202);
	return {
		...Object.fromEntries(
			[...successes].map(([status, description]) => [
				status,
				{ description, ...headers(status), ...(body && contentOf(op, body, answerExample(examples, op, status))) },
			]),
		),
		...(held && {
			202: {
				description: accepted === undefined ? HELD : `${accepted}. ${HELD}`,
				...headers(202, true),
				...json(
					accepted !== undefined && body ? { anyOf: [body, held] } : held,
					accepted !== undefined ? answerExample(examples, op, 202) : exampled(examples.held),
				),
			},
		}),
		...(isTagged(op) && {
			304: {
				description: "The answer is that of `If-None-Match`",
				...headersNamed(["ETag"]),
			},
		}),
		...Object.fromEntries([...byStatus].map(([status, codes]) => [status, refusals.of(status, codes, op)])),
	};
}
