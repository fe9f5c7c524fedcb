// The recorded examples of the OpenAPI document are as its schemas say. `npm run examples` records them from what other tests see, and
// drops those that the schemas no longer allow.

import { describe, expect, it } from "vitest";
import { errorsOf } from "../../src/http/operation";
import { RECORDED } from "../../src/http/reference/openapi.examples";
import { ERRORS } from "../../src/shared/errors";
import { schemas } from "../support/document";
import { operations } from "../support/domains";

const JSON_SCHEMA = ["content", "application/json", "schema"];

/** Fails with how to put it right. */
const expectNothing = (complaints: readonly (string | undefined)[]) =>
	expect(
		complaints.filter((complaint) => complaint !== undefined),
		"record again: npm run examples -- <its tests> && npm run document",
	).toEqual([]);

const about = (what: string, complaint: string | undefined) => (complaint === undefined ? undefined : `${what}: ${complaint}`);

describe("the examples of the document", () => {
	it("are requests and answers of operations, as the schemas have them", () => {
		expect(Object.keys(RECORDED.operations).length).toBeGreaterThan(100);
		const complaints = operations.flatMap((op) => {
			const { request = {}, answers = {} } = RECORDED.operations[op.id] ?? {};
			const place = ["paths", op.path, op.method.toLowerCase()];
			return [
				request.body === undefined ? undefined : about(op.id, schemas.complaint([...place, "requestBody", ...JSON_SCHEMA], request.body)),
				...Object.entries(answers).map(([status, answer]) =>
					about(`${op.id} ${status}`, schemas.complaint([...schemas.at([...place, "responses", status]).place, ...JSON_SCHEMA], answer)),
				),
			];
		});
		expectNothing(complaints);
	});

	it("are there for every body that is sent or answers a success, in each of its forms, and for every refusal but failures of the service's own", () => {
		type Bodies = { readonly content?: { readonly [type: string]: object } };
		const without = operations.flatMap(({ id, path, method }) => {
			const { value } = schemas.at(["paths", path, method.toLowerCase()]);
			const { requestBody = {}, responses } = value as { requestBody?: Bodies; responses: Record<string, Bodies> };
			const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
			return [["request", requestBody] as const, ...successes].flatMap(([what, { content = {} }]) =>
				Object.entries(content)
					.filter(([, body]) => !("example" in body))
					.map(([type]) => `${id}: ${what} as ${type}`),
			);
		});
		expectNothing(without);
		const codes = new Set(operations.flatMap((op) => errorsOf(op)).filter((code) => ERRORS[code].status < 500));
		expectNothing([...codes].filter((code) => !(code in RECORDED.refusals.Error)));
	});

	it("are refusals in both forms, and a call that waits for a second operator", () => {
		const refusals = (["Error", "Problem"] as const).flatMap((form) =>
			Object.entries(RECORDED.refusals[form]).map(([code, example]) =>
				about(`${code} as ${form}`, schemas.complaint(["components", "schemas", form === "Error" ? "ApiError" : form], example)),
			),
		);
		expectNothing([...refusals, about("held", schemas.complaint(["components", "schemas", "Approval"], RECORDED.held))]);
	});

	it("have no id of the run in which they were recorded", () => {
		const ids = JSON.stringify(RECORDED).match(/[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g) ?? [];
		expect(ids.filter((id) => !id.startsWith("01920f8e-7b1c-7a52-9a4e-"))).toEqual([]);
	});
});
