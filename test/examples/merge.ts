// The examples that are kept: those recorded before, as long as the document allows them, and with them what was seen now.

import type { Examples } from "../../src/http/reference/openapi.examples.ts";
import { ERRORS, type ErrorCode } from "../../src/shared/errors.ts";
import { DocumentSchemas } from "../support/document-schemas.ts";
import { exampleOf, type Parameters, type Recorded } from "./exchange.ts";

type Documented = { operationId: string; parameters: Parameters; responses: Record<string, unknown> };
type Kept = {
	operations: Record<string, { request: Examples["operations"][string]["request"]; answers: Record<string, unknown> }>;
	held?: unknown;
	refusals: { Error: Partial<Record<ErrorCode, unknown>>; Problem: Partial<Record<ErrorCode, unknown>> };
};

const JSON_TYPE = "application/json";

/** @param document as it is now */
export function merged(known: Examples, seen: readonly Recorded[], document: { paths: Record<string, Record<string, unknown>> }): Kept {
	const schemas = new DocumentSchemas(document);
	const documented = new Map(
		Object.entries(document.paths).flatMap(([path, methods]) =>
			Object.entries(methods).map(([method, operation]) => {
				const { operationId, parameters } = operation as Documented;
				return [operationId, { place: ["paths", path, method], parameters }] as const;
			}),
		),
	);
	const allows = (id: string, inner: readonly string[], value: unknown) => {
		const found = documented.get(id);
		return found !== undefined && schemas.complaint([...schemas.at([...found.place, ...inner]).place], value) === undefined;
	};
	const answerAt = (id: string, status: string) => {
		const { place } = schemas.at([...(documented.get(id)?.place ?? []), "responses", status]);
		return [...place, "content", JSON_TYPE, "schema"];
	};
	const kept: Kept = { operations: {}, refusals: { Error: {}, Problem: {} } };

	for (const [id, { request, answers }] of Object.entries(known.operations)) {
		const sound = Object.entries(answers).filter(([status, answer]) => schemas.complaint(answerAt(id, status), answer) === undefined);
		const isSound = request.body === undefined || allows(id, ["requestBody", "content", JSON_TYPE, "schema"], request.body);
		if (documented.has(id) && isSound) kept.operations[id] = { request, answers: Object.fromEntries(sound) };
	}
	if (known.held !== undefined && schemas.complaint(["components", "schemas", "Approval"], known.held) === undefined)
		kept.held = known.held;
	for (const form of ["Error", "Problem"] as const) {
		for (const [code, body] of Object.entries(known.refusals[form])) {
			const sound =
				code in ERRORS && schemas.complaint(["components", "schemas", form === "Error" ? "ApiError" : form], body) === undefined;
			if (sound) kept.refusals[form][code as ErrorCode] = body;
		}
	}

	for (const recorded of seen) {
		const { id, status, type } = recorded;
		const example = exampleOf(recorded, documented.get(id)?.parameters ?? []);
		if (status >= 400) {
			const form = type.startsWith("application/problem") ? "Problem" : "Error";
			kept.refusals[form][(example.answer as { code: ErrorCode }).code] ??= example.answer;
		} else if (status === 202 && (example.answer as { approval_type?: string }).approval_type === "OPERATION") {
			kept.held ??= example.answer;
		} else if (documented.has(id)) {
			kept.operations[id] ??= { request: example.request, answers: {} };
			const of = kept.operations[id];
			// Of a body that may be left out, an example is worth more than none.
			if (of.request.body === undefined && example.request.body !== undefined) of.request = example.request;
			if (example.answer !== undefined) of.answers[String(status)] ??= example.answer;
		}
	}
	return ordered(kept);
}

const byName = <T>(members: Record<string, T>): Record<string, T> =>
	Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));

const ordered = ({ operations, refusals, ...others }: Kept): Kept => ({
	operations: byName(operations),
	...others,
	refusals: { Error: byName(refusals.Error), Problem: byName(refusals.Problem) },
});
