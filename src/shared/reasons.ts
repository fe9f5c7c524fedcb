// Why a value is refused, in our own words: what to send instead. Schemas with a message of their own keep it.

import type * as z from "zod";

const TYPES: Readonly<Record<string, string>> = {
	string: "must be a string",
	number: "must be a number",
	int: "must be a whole number",
	boolean: "must be true or false",
	array: "must be a list",
	object: "must be an object",
	record: "must be an object",
	null: "must be null",
};

const FORMATS: Readonly<Record<string, string>> = {
	uuid: "must be a UUID",
	email: "must be an email address",
	url: "must be a URL",
	datetime: "must be an instant such as 2026-01-31T09:30:00Z",
	date: "must be a date such as 2026-01-31",
	base64url: "must be base64url",
	base64: "must be base64",
};

const NOUNS: Readonly<Record<string, string>> = { string: "character", array: "item", set: "item" };

/** For `error` of `safeParse`. Names what the schema expects, never the value that was sent. */
export function reasonOf(issue: z.core.$ZodRawIssue): string {
	if (issue.input === undefined && issue.code !== "custom") return "is required";
	switch (issue.code) {
		case "invalid_type":
			return TYPES[issue.expected] ?? "has the wrong type";
		case "invalid_value":
			return oneOf(issue.values);
		case "too_small":
			return boundOf("at least", issue.origin, issue.minimum, issue.inclusive);
		case "too_big":
			return boundOf("at most", issue.origin, issue.maximum, issue.inclusive);
		case "invalid_format":
			return issue.format === "starts_with" ? `must begin with ${issue.prefix}` : (FORMATS[issue.format] ?? "has the wrong format");
		case "not_multiple_of":
			return `must be a multiple of ${issue.divisor}`;
		case "unrecognized_keys":
			return "is not a known field";
		case "invalid_union":
			return !Array.isArray(issue.options) ? "has none of the documented forms" : oneOf(issue.options);
		default:
			return "is malformed";
	}
}

const oneOf = (values: readonly unknown[]): string =>
	`must be ${values.length > 1 ? "one of " : ""}${values.map((value) => JSON.stringify(value)).join(", ")}`;

function boundOf(which: "at least" | "at most", origin: string, bound: number | bigint, inclusive = true): string {
	const noun = NOUNS[origin];
	if (noun) return `must have ${which} ${bound} ${noun}${Number(bound) === 1 ? "" : "s"}`;
	if (inclusive) return `must be ${which} ${bound}`;
	return `must be ${which === "at least" ? "greater" : "less"} than ${bound}`;
}
