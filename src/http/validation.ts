// From what a schema finds wrong to the `invalid_params` of the wire.

import type * as z from "zod";
import { type InvalidParam, MAX_INVALID_PARAMS, type SubCode } from "../shared/errors";

export type Part = "body" | "query" | "path" | "header";

/** Dotted paths: body members stand bare, the other parts are named. */
function wirePath(part: Part, path: readonly PropertyKey[]): string {
	const dotted = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${shortened(String(step))}`)).join("");
	if (part !== "body") return `${part}${dotted}`;
	return dotted.replace(/^\./, "") || "body";
}

/** Names of members are the caller's own, of any length. */
const MAX_NAME_LENGTH = 100;
const shortened = (name: string) => (name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}...` : name);

export function invalidParams(part: Part, error: z.ZodError, input: unknown): InvalidParam[] {
	const params: InvalidParam[] = [];
	for (const issue of error.issues) {
		if (params.length >= MAX_INVALID_PARAMS) break;
		params.push(...paramsOf(part, issue, input).slice(0, MAX_INVALID_PARAMS - params.length));
	}
	return params;
}

function paramsOf(part: Part, issue: z.core.$ZodIssue, input: unknown): InvalidParam[] {
	const at = (path: readonly PropertyKey[], sub_code: SubCode, reason = issue.message): InvalidParam => ({
		path: wirePath(part, path),
		reason,
		sub_code,
	});
	switch (issue.code) {
		case "unrecognized_keys":
			return issue.keys.slice(0, MAX_INVALID_PARAMS).map((key) => at([...issue.path, key], "UNKNOWN_FIELD", "is not a known field"));
		case "invalid_type":
			if (valueAt(input, issue.path) === undefined) return [at(issue.path, "REQUIRED", "is required")];
			// A number that is no safe integer is a number all the same.
			return [at(issue.path, issue.expected === "int" ? "OUT_OF_RANGE" : "INVALID_TYPE")];
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

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
	let value = input;
	for (const step of path) value = value === null || typeof value !== "object" ? undefined : (value as Record<PropertyKey, unknown>)[step];
	return value;
}
