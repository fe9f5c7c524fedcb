// Turns the faults that a schema finds into the `invalid_params` of the wire.

import * as z from "zod";
import { type InvalidParam, MAX_INVALID_PARAMS, type SubCode } from "../shared/errors";

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
	// What takes one value or several is a union, and says itself what it takes.
	if (part === "query" && (issue.code === "invalid_type" || issue.code === "invalid_value") && Array.isArray(valueAt(input, issue.path))) {
		return [at(issue.path, "DUPLICATE", "must be sent only once")];
	}
	switch (issue.code) {
		case "unrecognized_keys":
			return issue.keys
				.slice(0, MAX_INVALID_PARAMS)
				.map((key) => at([...issue.path, key], "UNKNOWN_FIELD", unknownField(key, schema, issue.path)));
		case "invalid_type":
			if (valueAt(input, issue.path) === undefined) return [at(issue.path, "REQUIRED", "is required")];
			// A number beyond the safe integers has the right type.
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

function unknownField(sent: string, schema: z.core.$ZodType, path: readonly PropertyKey[]): string {
	const meant = nearest(sent, fieldsAt(schema, path));
	return meant === undefined ? "is not a known field" : `is not a known field; did you mean ${meant}?`;
}

/** The names of the fields that an object may have at this place. */
function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
	const [step, ...rest] = path;
	if (schema instanceof z.ZodObject) {
		if (step === undefined) return Object.keys(schema.shape);
		const next = schema.shape[String(step)];
		return next ? fieldsAt(next, rest) : [];
	}
	if (schema instanceof z.ZodArray) return fieldsAt(schema.element, rest);
	if (schema instanceof z.ZodRecord) return fieldsAt(schema.valueType, rest);
	if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsAt(option, path));
	if (schema instanceof z.ZodPipe) return fieldsAt(schema.in, path);
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
		return fieldsAt(schema.unwrap(), path);
	return [];
}

/** The name most like the one that was sent: at most two characters, or a third of the name, may differ. */
function nearest(sent: string, names: readonly string[]): string | undefined {
	// Longer names are no misspellings, and would be slow to compare.
	if (sent.length > 64) return undefined;
	const [best] = names
		.map((name) => ({ name, distance: distance(sent.toLowerCase().replaceAll("-", "_"), name) }))
		.filter(({ name, distance }) => distance <= Math.min(name.length - 1, Math.max(2, Math.floor(name.length / 3))))
		.toSorted((a, b) => a.distance - b.distance);
	return best?.name;
}

/** The Levenshtein distance: how many characters must be inserted, deleted or replaced. */
function distance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (const [i, character] of [...a].entries()) {
		const next = [i + 1];
		for (let j = 1; j <= b.length; j++) {
			next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (character === b[j - 1] ? 0 : 1));
		}
		row = next;
	}
	return row[b.length] ?? 0;
}
