// One in a hundred answers is also parsed by zod, which checks formats, ranges and enums as the projection does not. zod's own words are a
// line in the log, for operators: it never changes the answer. Tests check every answer (`checkAnswers`).

import type * as z from "zod";
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import type { Log } from "../../runtime/log";
import type { AnyOperation } from "../operation";

const SHARE = 1 / 100;

/** @param output what the handler answered, and `body` what the caller gets of it */
export function spotCheck({ id, response }: AnyOperation, output: unknown, body: string | null, log: Log): void {
	if (!response || body === null || Math.random() >= SHARE) return;
	try {
		const complaint = complaintAbout(response, output, body);
		if (complaint) log.error("an answer is not what its schema says", undefined, { operation: id, ...complaint });
	} catch (error) {
		log.error("an answer could not be checked", error, { operation: id });
	}
}

/** The place in the schema and the kind of the complaint, and no value, which may be personal. */
type Complaint = { readonly place: string; readonly complaint: string };

function complaintAbout(schema: $ZodType, output: unknown, body: string): Complaint | undefined {
	const { error, data } = (schema as z.ZodType).safeParse(output);
	const [issue] = error?.issues ?? [];
	if (issue) return { place: placeIn(schema, issue.path), complaint: "format" in issue ? `${issue.code} ${issue.format}` : issue.code };
	const parsed = JSON.stringify(data);
	if (parsed === body) return undefined;
	return { place: placeIn(schema, firstDifference(JSON.parse(body), JSON.parse(parsed))), complaint: "differs" };
}

/** The names of the members on the way, as far as the schema has them. */
function placeIn(schema: $ZodType, path: readonly PropertyKey[]): string {
	const names: string[] = [];
	let at: $ZodType | undefined = schema;
	for (const step of path) {
		at = at && memberOf(at, step);
		names.push(at === undefined ? "…" : typeof step === "number" ? "[]" : String(step));
		if (at === undefined) break;
	}
	return names.join(".");
}

function memberOf(schema: $ZodType, step: PropertyKey): $ZodType | undefined {
	const { def } = (schema as $ZodTypes)._zod;
	switch (def.type) {
		case "object":
			return Object.hasOwn(def.shape, step) ? def.shape[String(step)] : undefined;
		case "array":
			return def.element;
		case "union":
			return def.options.map((option) => memberOf(option, step)).find((member) => member !== undefined);
		case "nullable":
		case "optional":
			return memberOf(def.innerType, step);
		default:
			return undefined;
	}
}

function firstDifference(one: unknown, other: unknown): PropertyKey[] {
	if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return [];
	const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
	const name = Object.keys({ ...left, ...right }).find((key) => JSON.stringify(left[key]) !== JSON.stringify(right[key]));
	if (name === undefined) return [];
	return [Array.isArray(one) ? Number(name) : name, ...firstDifference(left[name], right[name])];
}
