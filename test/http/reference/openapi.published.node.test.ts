// What the served document says so that readers and testers find their way, and send what is taken.

import { beforeAll, expect, it } from "vitest";
import { type Document, type Schema, servedDocument } from "./served-document.ts";

type Links = { readonly [name: string]: { readonly operationId: string; readonly parameters: { readonly [name: string]: string } } };
const nameIn = (reference: string) => reference.slice(reference.lastIndexOf("/") + 1);

let served: Document;

beforeAll(async () => {
	served = await servedDocument();
});

it("what makes something links to the operation that reads it", () => {
	const operations = Object.entries(served.paths).flatMap(([path, methods]) => Object.values(methods).map((op) => ({ path, op })));
	const links = operations.flatMap(({ path, op: { operationId, responses } }) =>
		Object.values(responses).flatMap((answer) => {
			const named = answer.$ref === undefined ? answer : served.components.responses?.[nameIn(answer.$ref)];
			const links = (named as { readonly links?: Links } | undefined)?.links ?? {};
			return Object.values(links).map((link) => ({ path, from: operationId, ...link }));
		}),
	);
	const known = links.map(({ from, operationId }) => `${from} ${operationId}`);
	for (const one of ["createPayee getPayee", "recordRepayment getRepayment", "testWebhook getDelivery", "requestApproval getApproval"])
		expect(known).toContain(one);
	for (const { path, operationId, parameters } of links) {
		const read = operations.find(({ op }) => op.operationId === operationId)?.path ?? "";
		expect(Object.keys(parameters)).toEqual([...read.matchAll(/{(\w+)}/g)].map(([, name]) => name));
		for (const value of Object.values(parameters)) {
			const [, place] = /^\$request\.path\.(\w+)$/.exec(value) ?? [];
			if (place === undefined) expect(value).toMatch(/^\$response\.body#(?:\/\w+)*\/id$/);
			else expect(path).toContain(`{${place}}`);
		}
	}
});

it("a request for approval says the entity and the payload of its type", () => {
	const { requestBody } = served.paths["/v1/approvals"]?.post ?? {};
	let rule = requestBody?.content["application/json"]?.schema as Schema | undefined;
	const types: string[] = [];
	while (rule?.if) {
		const { properties: condition } = rule.if as { properties: { approval_type: Schema } };
		types.push(String(condition.approval_type.const));
		expect(JSON.stringify(rule.then)).toMatch(/"entity_type":{"const":"[A-Z]+"}.*"payload":{/);
		rule = rule.else as Schema;
	}
	const { approval_type: asked } = (requestBody?.content["application/json"]?.schema.properties ?? {}) as { approval_type: Schema };
	expect(types).toEqual(asked.enum);
});

it("the rules of every text in requests stand once, and not at each text", () => {
	expect(served.info.description).toContain("No text of a body has the character NUL");
	expect(JSON.stringify(served)).not.toContain("x00");
});

it("a call that waits for a second operator links to its request for approval, with every method", () => {
	const waiting = Object.values(served.paths).flatMap((methods) =>
		Object.values(methods).flatMap(({ operationId, responses: { 202: answer } }) => {
			const held = answer?.$ref === undefined ? answer : served.components.responses?.[nameIn(answer.$ref)];
			const { content, links = {} } = (held ?? {}) as { readonly content?: object; readonly links?: Links };
			return JSON.stringify(content ?? {}).includes('"#/components/schemas/Approval"') ? [{ operationId, links }] : [];
		}),
	);
	const linked = waiting.filter(({ links }) => links.getApproval !== undefined).map(({ operationId }) => operationId);
	expect(linked).toEqual(expect.arrayContaining(["createIssuer", "updateUser", "deleteDarajaConnection"]));
	// Their answer may be something else.
	expect(waiting.filter(({ operationId }) => !linked.includes(operationId)).map(({ operationId }) => operationId)).toEqual([
		"runImport",
		"recordRepayment",
	]);
});

it("the meaning of an answer that was given before stands once, and not at reads", () => {
	expect(served.info.description).toContain("`Idempotent-Replayed: true`");
	expect(JSON.stringify([served.paths, served.components])).not.toContain("Idempotent-Replayed");
});

it("an answer that operations share has a named model", () => {
	const unnamed = Object.entries(served.components.responses ?? {}).flatMap(([name, answer]) => {
		const { content } = answer as { readonly content?: { readonly [type: string]: { readonly schema: Schema } } };
		const schema = content?.["application/json"]?.schema;
		return schema !== undefined && schema.$ref === undefined ? [name] : [];
	});
	expect(unnamed).toEqual([]);
	expect(served.components.schemas).toHaveProperty("LoanProductList");
});
