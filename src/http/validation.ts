// Turns the faults that a schema finds into the `invalid_params` of the wire.

import type * as z from "zod";
import { type InvalidParam, MAX_INVALID_PARAMS, type SubCode } from "../shared/errors";
import { nearest } from "../shared/nearest";
import { fieldsAt, unreadFields } from "./names";

export type Part = "body" | "query" | "path" | "header";

/** The dotted path of a member. Only paths in other parts than the body begin with the part's name: `query.size`. */
function wirePath(part: Part, path: readonly PropertyKey[]): string {
	const dotted = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${shortened(String(step))}`)).join("");
	if (part !== "body") return `${part}${dotted}`;
	return dotted.replace(/^\./, "") || "body";
}

/** The caller chooses the names of members, so they can be of any length. */
const MAX_NAME_LENGTH = 100;
const shortened = (name: string) => (name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}...` : name);

export function invalidParams(part: Part, schema: z.core.$ZodType, error: z.ZodError, input: unknown): InvalidParam[] {
	const params: InvalidParam[] = [];
	for (const issue of error.issues) {
		if (params.length >= MAX_INVALID_PARAMS) break;
		params.push(...paramsOf(part, schema, issue, input).slice(0, MAX_INVALID_PARAMS - params.length));
	}
	return params;
}

function paramsOf(part: Part, schema: z.core.$ZodType, issue: z.core.$ZodIssue, input: unknown): InvalidParam[] {
	const at = (path: readonly PropertyKey[], sub_code: SubCode, reason = issue.message): InvalidParam => ({
		path: wirePath(part, path),
		reason,
		sub_code,
	});
	// A parameter that takes one value or several is a union, and says itself what it takes.
	if (part === "query" && (issue.code === "invalid_type" || issue.code === "invalid_value") && Array.isArray(valueAt(input, issue.path))) {
		return [at(issue.path, "DUPLICATE", "must be sent only once")];
	}
	switch (issue.code) {
		case "unrecognized_keys":
			return issue.keys
				.slice(0, MAX_INVALID_PARAMS)
				.map((key) => at([...issue.path, key], "UNKNOWN_FIELD", unknownField(nearest(key, fieldsAt([schema], issue.path)))));
		case "invalid_type":
			if (valueAt(input, issue.path) === undefined) return [at(issue.path, "REQUIRED", "is required")];
			// A number beyond the safe integers has the right type.
			return [
				at(issue.path, issue.expected === "int" ? "OUT_OF_RANGE" : "INVALID_TYPE", withMembers(issue, fieldsAt([schema], issue.path))),
			];
		case "too_small":
		case "too_big": {
			const textual = issue.origin === "string" || issue.origin === "array";
			return [at(issue.path, textual ? (issue.code === "too_small" ? "TOO_SHORT" : "TOO_LONG") : "OUT_OF_RANGE")];
		}
		case "invalid_format":
			return [at(issue.path, "INVALID_FORMAT")];
		case "invalid_value":
		case "invalid_union":
			if (valueAt(input, issue.path) === undefined) return [at(issue.path, "REQUIRED", "is required")];
			return [at(issue.path, "NOT_ALLOWED")];
		case "custom":
			return [at(issue.path, (issue.params?.sub_code as SubCode | undefined) ?? "INVALID_FORMAT")];
		default:
			return [at(issue.path, "NOT_ALLOWED")];
	}
}

/** What an object must be sent with. */
const withMembers = ({ expected, message }: z.core.$ZodIssueInvalidType, members: readonly string[]): string =>
	expected === "object" && members.length > 0 ? `${message} with ${listed(members)}` : message;

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
	let value = input;
	for (const step of path) value = value === null || typeof value !== "object" ? undefined : (value as Record<PropertyKey, unknown>)[step];
	return value;
}

const noParameter = (meant: string | undefined, known: readonly string[]): string =>
	meant === undefined
		? `is no parameter of this operation, which has ${known.length === 0 ? "none" : listed(known)}`
		: suggesting("is no parameter of this operation", meant);

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(", ")}${names.length > 1 ? " and " : ""}${names.at(-1)}`;

const suggesting = (reason: string, meant: string | undefined) => (meant === undefined ? reason : `${reason}; did you mean ${meant}?`);
const unknownField = (meant: string | undefined) => suggesting("is not a known field", meant);

/** A query may have only the names that the operation reads, each once: a misspelt filter would answer everything. */
export function unknownParameters(schema: z.core.SomeType | undefined, sent: { readonly [name: string]: unknown }): InvalidParam[] {
	const known = schema ? fieldsAt([schema as z.core.$ZodType], []) : [];
	return Object.keys(sent)
		.filter((name) => !known.includes(name))
		.slice(0, MAX_INVALID_PARAMS)
		.map((name) => ({
			path: wirePath("query", [name]),
			reason: noParameter(nearest(name, known), known),
			sub_code: "UNKNOWN_FIELD",
		}));
}

/**
 * What a body that may have unknown members seems to have misspelt: members that nobody reads, each most like a member that could have been
 * sent there and was not. Others are left alone: their sender may be newer than the service.
 */
export const misspeltMembers = (schema: z.core.SomeType, body: unknown): InvalidParam[] =>
	unreadFields(schema as z.core.$ZodType, body).flatMap(({ path, name, absent }) => {
		const meant = nearest(name, absent);
		if (meant === undefined) return [];
		return [{ path: wirePath("body", [...path, name]), reason: unknownField(meant), sub_code: "UNKNOWN_FIELD" as const }];
	});
