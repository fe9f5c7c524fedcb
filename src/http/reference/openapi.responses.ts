// The `responses` of an operation in the OpenAPI document, and the shared responses and headers that they name.

import * as z from "zod";
import { ERRORS, type ErrorCode } from "../../shared/errors";
import { TABULAR_TYPES } from "../answers/tables";
import { type AnyOperation, errorsOf, honoursIdempotencyKey, isTagged, successesOf } from "../operation";

type JsonSchema = { [member: string]: unknown };

const header = (description: string, type: "string" | "integer" = "string") => ({ description, schema: { type } });

/** The headers that answers name, by their place in the document's components. */
export const RESPONSE_HEADERS = {
	ETag: header("Names this answer; for `If-None-Match`"),
	IdempotentReplayed: header("`true`: the stored answer to an earlier call with the same `Idempotency-Key`"),
	Bookmark: header("Sent as `X-D1-Bookmark` with the next request, makes that request see what this one has written"),
	Location: header("Of a call that waits for a second operator: its request for approval"),
	Link: header("The neighbours of the page, as `links` in the body (RFC 8288)"),
	RateLimitPolicy: header("The limits that the call counts towards"),
	RateLimit: header("The limit that was exceeded"),
	RequestId: header("Names the request in the service's log"),
	RetryAfter: header("After how many seconds the call may succeed", "integer"),
	Challenge: header("How to authenticate (RFC 9110)"),
} as const;

type HeaderName = keyof typeof RESPONSE_HEADERS;

const ON_THE_WIRE: Readonly<Record<HeaderName, string>> = {
	ETag: "ETag",
	IdempotentReplayed: "Idempotent-Replayed",
	Bookmark: "X-D1-Bookmark",
	Location: "Location",
	Link: "Link",
	RateLimitPolicy: "RateLimit-Policy",
	RateLimit: "RateLimit",
	RequestId: "X-Request-Id",
	RetryAfter: "Retry-After",
	Challenge: "WWW-Authenticate",
};

const headersNamed = (names: readonly HeaderName[]) =>
	Object.fromEntries(names.map((name) => [ON_THE_WIRE[name], { $ref: `#/components/headers/${name}` }]));

/** The refusals that operations share: one for each set of codes with the same status. */
export class Refusals {
	readonly components: { [name: string]: JsonSchema } = {};

	/** A reference to the refusal with one of these codes. */
	of(codes: readonly ErrorCode[]): JsonSchema {
		const name = codes.map(pascal).join("Or");
		this.components[name] ??= refusal(codes);
		return { $ref: `#/components/responses/${name}` };
	}
}

const pascal = (code: string) => code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

function refusal(codes: readonly ErrorCode[]): JsonSchema {
	const status = codes[0] && ERRORS[codes[0]].status;
	const as = (schema: string) => ({
		schema: {
			allOf: [{ $ref: `#/components/schemas/${schema}` }, { type: "object", properties: { code: { type: "string", enum: codes } } }],
		},
	});
	return {
		description: codes.map((code) => `\`${code}\`: ${ERRORS[code].description}`).join("\n\n"),
		headers: headersNamed([
			"RequestId",
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
const json = (schema: JsonSchema) => ({ content: { "application/json": { schema } } });

/** The body as JSON, and for a table as what else it is answered as. */
const contentOf = ({ tabular }: AnyOperation, schema: JsonSchema) => ({
	content: {
		"application/json": { schema },
		...(tabular && Object.fromEntries(TABULAR_TYPES.map((type) => [type, { schema: { type: "string" } }]))),
	},
});

export function responsesOf(op: AnyOperation, { body, held }: Bodies, refusals: Refusals): JsonSchema {
	const isList = op.response instanceof z.ZodObject && "links" in op.response.shape;
	const headers = (status: number) =>
		headersNamed([
			"RequestId",
			"RateLimitPolicy",
			"Bookmark",
			...(isTagged(op) && status === 200 ? (["ETag"] as const) : []),
			...(isList ? (["Link"] as const) : []),
			...(honoursIdempotencyKey(op) ? (["IdempotentReplayed"] as const) : []),
		]);
	const byStatus = Map.groupBy<number, ErrorCode>(errorsOf(op).toSorted(), (code) => ERRORS[code].status);
	const successes = successesOf(op);
	const accepted = successes.get(202);
	return {
		...Object.fromEntries(
			[...successes].map(([status, description]) => [status, { description, headers: headers(status), ...(body && contentOf(op, body)) }]),
		),
		...(held && {
			202: {
				description: accepted === undefined ? HELD : `${accepted}. ${HELD}`,
				headers: { ...headers(202), ...headersNamed(["Location"]) },
				...json(accepted !== undefined && body ? { anyOf: [body, held] } : held),
			},
		}),
		...(isTagged(op) && {
			304: { description: "The answer is that of `If-None-Match`", headers: headersNamed(["RequestId", "Bookmark", "ETag"]) },
		}),
		...Object.fromEntries([...byStatus].map(([status, codes]) => [status, refusals.of(codes)])),
	};
}
