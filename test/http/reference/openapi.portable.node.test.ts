// The document that is served has no schema of which a known generator makes a client that does not compile or decode. Each rule names the
// operations and members that break it.

import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { beforeAll, describe, expect, it } from "vitest";
import { CLOSED, OPEN } from "./enumerations.ts";
import {
	type Document,
	type Found,
	isObject,
	type Media,
	type Operation,
	type Schema,
	schemasIn,
	servedDocument,
	within,
} from "./served-document.ts";

let served: Document;
/** Every schema of the document, with the operation or component in which it stands and the way to its member. */
let schemas: readonly Found[];

beforeAll(async () => {
	served = await servedDocument();
	const { schemas: models = {}, ...shared } = served.components;
	schemas = [
		...Object.values(served.paths).flatMap((methods) => Object.values(methods).flatMap((op) => schemasIn(op, op.operationId))),
		...Object.entries(served.webhooks).flatMap(([type, { post }]) => schemasIn(post, type)),
		...Object.values(shared).flatMap((parts) => Object.entries(parts).flatMap(([name, part]) => schemasIn(part, name))),
		...Object.entries(models).flatMap(([name, model]) => within(model, name)),
	];
	expect(schemas.length).toBeGreaterThan(2000);
});

const typesOf = ({ type }: Schema): unknown[] => (type === undefined ? [] : [type].flat());
const choicesOf = ({ anyOf, oneOf }: Schema) => (anyOf ?? oneOf ?? []) as readonly Schema[];
const placesWhere = (breaks: (schema: Schema) => boolean) => schemas.filter(({ schema }) => breaks(schema)).map(({ place }) => place);

it("events have a tag of their own, so that no generator writes them over the operations of another", () => {
	const tagsOf = (operations: readonly Operation[]) => new Set(operations.flatMap(({ tags }) => tags));
	const called = tagsOf(Object.values(served.paths).flatMap((methods) => Object.values(methods)));
	const received = tagsOf(Object.values(served.webhooks).map(({ post }) => post));
	expect(received).toEqual(new Set(["Webhook events"]));
	expect(called.intersection(received)).toEqual(new Set());
	expect(served.tags.map(({ name }) => name)).toContain("Webhook events");
});

it("every integer says its width, and has a maximum that fits it where it is sent", () => {
	const most: Readonly<Record<string, number>> = { int32: 2 ** 31 - 1, int64: Number.MAX_SAFE_INTEGER };
	const isWide = ({ format, maximum = 0 }: Schema) => Number(maximum) <= (most[String(format)] ?? -Infinity);
	const requests = Object.values(served.paths).flatMap((methods) =>
		Object.values(methods).flatMap(({ operationId, requestBody }) => schemasIn(requestBody, operationId)),
	);
	const unbounded = requests.filter(({ schema }) => typesOf(schema).includes("integer") && schema.maximum === undefined);
	expect(unbounded.map(({ place }) => place)).toEqual([]);
	expect(placesWhere((schema) => typesOf(schema).includes("integer") && !isWide(schema))).toEqual([]);
	expect(placesWhere((schema) => typesOf(schema).includes("integer") && schema.pattern !== undefined)).toEqual([]);
});

it("money is 64 bits wide", () => {
	const narrow = schemas.filter(({ place, schema }) => /(?:amount|principal|balance)$/i.test(place) && schema.format === "int32");
	expect(narrow.map(({ place }) => place)).toEqual([]);
});

/** Every schema of what the service says. */
function answered(): Found[] {
	const answers = Object.values(served.paths).flatMap((methods) =>
		Object.values(methods).flatMap(({ operationId, responses }) => schemasIn(responses, operationId)),
	);
	const reached = (parts: readonly unknown[], found = new Set<string>()): Set<string> => {
		for (const [, name = ""] of JSON.stringify(parts).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
			if (found.has(name)) continue;
			found.add(name);
			reached([served.components.schemas?.[name]], found);
		}
		return found;
	};
	const models = reached([answers, served.webhooks, served.components.responses]);
	return [...answers, ...[...models].flatMap((name) => within(served.components.schemas?.[name], name))];
}

it("a default is one scalar of a request, for which every language has a literal", () => {
	expect(placesWhere((schema) => typeof schema.default === "object")).toEqual([]);
	const said = answered();
	expect(said.filter(({ schema }) => "default" in schema).map(({ place }) => place)).toEqual([]);
});

it("what a caller sends in headers and days is declared, so that generated clients can send it", () => {
	const { XD1Bookmark: bookmark, XAppVersion: version, XAppPlatform: platform } = served.components.parameters ?? {};
	expect([bookmark, version, platform].map((parameter) => [parameter?.in, parameter?.required])).toEqual(
		Array(3).fill(["header", undefined]),
	);
	const takes = ({ parameters }: Operation, name: string) => parameters.some(({ $ref }) => $ref === `#/components/parameters/${name}`);
	const operations = Object.values(served.paths).flatMap((methods) =>
		Object.entries(methods).map(([method, operation]) => ({ method, operation })),
	);
	const asked = operations.filter(({ method, operation: { security } }) => method === "get" && security?.length !== 0);
	expect(operations.filter(({ operation }) => takes(operation, "XD1Bookmark"))).toEqual(asked);
	expect(operations.filter(({ operation }) => takes(operation, "XAppVersion")).length).toBeGreaterThan(50);
	const shared = Object.values(served.components.parameters ?? {});
	const days = [...operations.flatMap(({ operation: { parameters } }) => parameters), ...shared]
		.filter(({ name }) => /^(?:as_of|known_at|on)$/.test(String(name)))
		.map(({ schema }) => (schema as Schema).format);
	expect([...new Set(days)]).toEqual(["date"]);
});

it("a text with a format has no pattern or length, and a nullable text no pattern", () => {
	const told = (schema: Schema) => schema.pattern !== undefined || schema.maxLength !== undefined || schema.minLength !== undefined;
	expect(placesWhere((schema) => schema.format !== undefined && told(schema))).toEqual([]);
	expect(placesWhere((schema) => typesOf(schema).includes("null") && schema.pattern !== undefined)).toEqual([]);
});

it("every value of an enumeration has a letter or a digit, of which a generator makes the name of its constant", () => {
	const values = schemas.flatMap(({ place, schema }) => ((schema.enum as unknown[] | undefined) ?? []).map((value) => [place, value]));
	expect(values.filter(([, value]) => typeof value === "string" && !/^[\x20-\x7e]*[A-Za-z0-9]/.test(value))).toEqual([]);
});

it("a list in which nothing stands twice says so in words, because a set of enumerated values does not compile", () => {
	expect(placesWhere((schema) => schema.uniqueItems !== undefined)).toEqual([]);
	expect(placesWhere(({ description }) => String(description).endsWith("Nothing stands in it twice"))).toEqual([
		"createApiKey › scopes",
		"startClosure › reasons",
	]);
});

it("what may be null says it with its type, but for a model, which is named", () => {
	const breaks = (schema: Schema) => {
		const choices = choicesOf(schema);
		return choices.some(({ type }) => type === "null") && !(choices.length === 2 && choices.some(({ $ref }) => $ref !== undefined));
	};
	expect(placesWhere(breaks)).toEqual([]);
	expect(placesWhere((schema) => Array.isArray(schema.enum) && typesOf(schema).includes("null") && !schema.enum.includes(null))).toEqual(
		[],
	);
});

it("an enumeration of answers that may grow is an open text with its values listed, and the others are closed", () => {
	const said = answered();
	const valuesOf = (values: unknown) => (values as unknown[]).filter((value) => value !== null).join(" ");
	const closed = said.filter(({ schema }) => schema.enum !== undefined).map(({ schema }) => valuesOf(schema.enum));
	expect([...new Set(closed)].toSorted()).toEqual(CLOSED.toSorted());
	const open = said.filter(({ schema }) => schema["x-extensible-enum"] !== undefined);
	expect([...new Set(open.map(({ place }) => place.replace(/^.* › |\[.?\]$/g, "")))].toSorted()).toEqual(OPEN);
	for (const { place, schema } of open) {
		const told = [place, String(schema.description)] as const;
		for (const value of schema["x-extensible-enum"] as string[]) expect(told).toEqual([place, expect.stringContaining(`\`${value}\``)]);
	}
	expect(placesWhere((schema) => schema["x-extensible-enum"] !== undefined && schema.enum !== undefined)).toEqual([]);
});

it("only a text has a constant", () => {
	expect(placesWhere((schema) => schema.const !== undefined && typeof schema.const !== "string")).toEqual([]);
});

it("nothing is of several types, or one of something or a list of it", () => {
	expect(placesWhere((schema) => typesOf(schema).filter((type) => type !== "null").length > 1)).toEqual([]);
	expect(
		placesWhere((schema) => choicesOf(schema).some((choice) => typesOf(choice).some((type) => type !== "object" && type !== "null"))),
	).toEqual([]);
	expect(placesWhere((schema) => choicesOf(schema).some((choice) => choicesOf(choice).length > 0))).toEqual([]);
});

it("an example of a list is a list", () => {
	const operations = Object.values(served.paths).flatMap((methods) => Object.values(methods));
	const lists = operations.flatMap(({ operationId, parameters }) =>
		parameters.flatMap(({ schema, example }) =>
			typesOf((schema ?? {}) as Schema).includes("array") && example !== undefined ? [{ operationId, example }] : [],
		),
	);
	expect(lists.length).toBeGreaterThan(0);
	expect(lists.filter(({ example }) => !Array.isArray(example))).toEqual([]);
});

it("an object with members does not list what else it may have", () => {
	expect(placesWhere(({ properties, additionalProperties: others }) => isObject(properties) && isObject(others))).toEqual([]);
});

it("a choice of models has a discriminator, but where an answer may be a request for approval", () => {
	const unnamed = schemas.filter(({ schema }) => {
		const choices = choicesOf(schema).filter(({ type }) => type !== "null");
		return choices.some(({ $ref }) => $ref === undefined) || (choices.length > 1 && schema.discriminator === undefined);
	});
	const held = unnamed.filter(({ schema }) => choicesOf(schema).some(({ $ref }) => $ref === "#/components/schemas/Approval"));
	expect(unnamed.filter((found) => !held.includes(found)).map(({ place }) => place)).toEqual([]);
	expect(held.map(({ place }) => place).toSorted()).toEqual(["recordRepayment", "runImport"]);
	for (const { schema } of schemas) {
		const { propertyName, mapping = {} } = (schema.discriminator ?? {}) as { propertyName?: string; mapping?: Record<string, string> };
		if (propertyName === undefined) continue;
		expect(Object.values(mapping).toSorted()).toEqual(
			choicesOf(schema)
				.map(({ $ref }) => String($ref))
				.toSorted(),
		);
	}
});

it("errors are one schema of each form, and their codes are listed with them", () => {
	const refusals = Object.entries(served.components.responses ?? {}).filter(
		([, { content }]) => isObject(content) && "application/problem+json" in content,
	);
	expect(refusals.length).toBeGreaterThan(20);
	for (const [name, { content, description, ...refusal }] of refusals) {
		const schemasOf = Object.values(content as { readonly [type: string]: Media }).map(({ schema }) => schema);
		expect([name, schemasOf]).toEqual([name, [{ $ref: "#/components/schemas/ApiError" }, { $ref: "#/components/schemas/Problem" }]]);
		const codes = refusal["x-error-codes"] as readonly string[];
		expect(codes.length).toBeGreaterThan(0);
		for (const code of codes) expect(description).toContain(`\`${code}\``);
	}
});

it("no model has a name that a language makes of another's, or a word of a language", () => {
	const names = Object.keys(served.components.schemas ?? {});
	expect(names.length).toBeGreaterThan(300);
	expect(names.filter((name) => name.startsWith("New") && names.includes(name.slice(3)))).toEqual([]);
	expect(
		names.filter((name) => /^(?:Import|Error|Links|Object|Class|Type|Package|Default|Function|Enum|Exception|String)$/.test(name)),
	).toEqual([]);
	const lower = names.map((name) => name.toLowerCase());
	expect(lower.filter((name, index) => lower.indexOf(name) !== index)).toEqual([]);
});

describe("the examples of the served document", () => {
	it("are as its schemas say", { tags: ["thorough"] }, () => {
		const ajv = new Ajv2020({ validateSchema: false, strictTypes: false, allErrors: false });
		formats.default(ajv);
		for (const format of ["int32", "int64"]) ajv.addFormat(format, true);
		ajv.addVocabulary([...Object.keys(served), "example", "discriminator", "x-extensible-enum"]);
		ajv.addSchema(served, "document");
		const escaped = (name: string) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
		const complaint = (place: readonly string[], value: unknown) => {
			const validate = ajv.getSchema(`document#/${place.map(escaped).join("/")}`);
			return validate?.(value) ? [] : [`${place.slice(0, 4).join(" ")}: ${validate ? ajv.errorsText(validate.errors) : "has no schema"}`];
		};
		const complaints = Object.entries(served.paths).flatMap(([path, methods]) =>
			Object.entries(methods).flatMap(([method, { requestBody, responses }]) => {
				const bodies = [
					[["requestBody"], requestBody?.content] as const,
					...Object.entries(responses).map(([status, { content }]) => [["responses", status], content] as const),
				];
				return bodies.flatMap(([at, content]) => {
					const { schema, example } = content?.["application/json"] ?? {};
					if (schema === undefined || example === undefined) return [];
					return complaint(["paths", path, method, ...at, "content", "application/json", "schema"], example);
				});
			}),
		);
		const models = Object.entries(served.components.schemas ?? {}).flatMap(([name, { examples }]) =>
			((examples as unknown[] | undefined) ?? []).flatMap((example) => complaint(["components", "schemas", name], example)),
		);
		expect([...complaints, ...models]).toEqual([]);
	});
});
