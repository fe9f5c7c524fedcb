// The OpenAPI document as it is served names what operations have alike, and says no less than the whole one.

import { beforeAll, expect, it } from "vitest";
import { workerModule } from "../../src/dev/worker-module.ts";
import { portable } from "../../src/http/reference/openapi.portable.ts";

type Json = { [member: string]: unknown };
type Media = { schema: Json; example?: unknown };
type Answer = { $ref?: string; description: string; headers?: Json; content?: { [type: string]: Media } };
type Operation = {
	operationId: string;
	summary: string;
	description?: string;
	tags: string[];
	security: Json[];
	parameters: Json[];
	requestBody?: { content: { [type: string]: Media } };
	responses: { [status: string]: Answer };
};
type Components = {
	schemas: { [name: string]: Json & { examples?: unknown[] } };
	parameters: { [name: string]: Json };
	responses: { [name: string]: Answer };
};
type Document = {
	paths: { [path: string]: { [method: string]: Operation } };
	webhooks: { [type: string]: { post: Operation } };
	components: Components;
};
type Documents = {
	documentOf(name: "openapi.json", baseUrl: string, env: { ENVIRONMENT: string }): Promise<string>;
	wholeDocument(baseUrl: string, environment: string): Promise<Document>;
};

let served: Document;
/** The whole document, in the words of the served one. */
let whole: Document;

beforeAll(async () => {
	const { documentOf, wholeDocument } = await workerModule<Documents>(process.cwd(), "src/wiring/documents.ts");
	served = JSON.parse(await documentOf("openapi.json", "/", { ENVIRONMENT: "local" }));
	whole = JSON.parse(JSON.stringify(portable((await wholeDocument("/", "local")) as unknown as Parameters<typeof portable>[0])));
});

const nameIn = (reference: unknown) => String(reference).split("/").at(-1) ?? "";
/** What stands at a place of the document, or what it names. */
const resolved = <T extends { $ref?: unknown }>(value: T, components: { [name: string]: T }): T =>
	value.$ref === undefined ? value : (components[nameIn(value.$ref)] ?? value);

const without = (value: Json, ...members: string[]) =>
	Object.fromEntries(Object.entries(value).filter(([name]) => !members.includes(name)));
const schemasOf = (content: Answer["content"] = {}) =>
	Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema]));

/** Of a schema; a member of a body may be called like one, and is an object. */
const isWord = ([name, value]: [string, unknown]) =>
	name === "title" ? typeof value === "string" : name === "example" || name === "examples";

/** What a schema says at its place: with the models that it names, those that hold together as one, and without titles and examples. */
function spelledOut(value: unknown, components: Components, within: readonly string[] = []): unknown {
	if (Array.isArray(value)) return value.map((item) => spelledOut(item, components, within));
	if (typeof value !== "object" || value === null) return value;
	const { $ref, ...beside } = value as Json;
	const name = nameIn($ref);
	// A model that contains itself keeps its name.
	if ($ref !== undefined && !within.includes(name))
		return { ...(spelledOut(components.schemas[name], components, [...within, name]) as Json), ...beside };
	const said = Object.entries(value)
		.filter((word) => !isWord(word))
		.map(([member, part]) => [
			member,
			member === "required" && Array.isArray(part) ? part.toSorted() : spelledOut(part, components, within),
		]);
	const { allOf, ...schema } = Object.fromEntries(said) as Json & { allOf?: (Json & Partial<Members>)[] };
	if (!allOf?.every(({ properties }) => properties)) return allOf ? { ...schema, allOf } : schema;
	return {
		...Object.assign({}, ...allOf),
		...schema,
		properties: Object.assign({}, ...allOf.map(({ properties }) => properties)),
		required: allOf.flatMap(({ required = [] }) => required).toSorted(),
	};
}

/** Lists that several operations answer are models of the served document alone. */
const unlisted = (schema: Json, { schemas }: Components): Json =>
	nameIn(schema.$ref).endsWith("List") ? (schemas[nameIn(schema.$ref)] ?? schema) : schema;

/** The operation without examples, and without references but to schemas. */
const saidOf = ({ parameters, responses, requestBody, ...operation }: Operation, { components }: Document) => ({
	...operation,
	parameters: parameters.map((parameter) => spelledOut(resolved(parameter, components.parameters), components)),
	body: spelledOut(schemasOf(requestBody?.content), components),
	responses: Object.fromEntries(
		Object.entries(responses).map(([status, response]) => {
			const { headers, content } = resolved(response, components.responses);
			const schemas = Object.entries(schemasOf(content)).map(([type, schema]) => [type, unlisted(schema, components)]);
			return [status, { headers, content: spelledOut(Object.fromEntries(schemas), components) }];
		}),
	),
});

const operationsOf = (document: Document) =>
	Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, saidOf(operation, document)] as const),
	);

it("the served document says of each operation what the whole one says", () => {
	expect(operationsOf(whole).length).toBeGreaterThan(200);
	expect(operationsOf(served)).toEqual(operationsOf(whole));
});

it("the served document says of each answer what it is, unless the summary of its operation does", () => {
	for (const [path, methods] of Object.entries(whole.paths))
		for (const [method, { summary, responses }] of Object.entries(methods))
			for (const [status, { $ref, description }] of Object.entries(responses)) {
				const answer = served.paths[path]?.[method]?.responses[status] as Answer;
				if ($ref === undefined && description !== summary)
					expect(resolved(answer, served.components.responses).description).toBe(description);
			}
});

type Members = { properties: { [name: string]: Json }; required: string[] };
type Choice = { oneOf: Json[]; discriminator: { propertyName: string; mapping: { [type: string]: string } } };
const model = (reference: unknown) => served.components.schemas[nameIn(reference)] as Json;
const mediaOf = (operation: Operation | undefined) => operation?.requestBody?.content["application/json"] as Media;

it("the served document says of each event what the whole one says, with its envelope once", () => {
	const { mapping } = (model("DeliveredEvent") as unknown as Choice).discriminator;
	expect(Object.keys(whole.webhooks).length).toBeGreaterThan(80);
	const envelope = model("EventDelivery") as Members;
	for (const [type, { post }] of Object.entries(whole.webhooks)) {
		const { properties, required } = mediaOf(post).schema as unknown as Members;
		const event = model(mapping[type]);
		const [named, own] = event.allOf as [Json, Members];
		expect(named).toEqual({ $ref: "#/components/schemas/EventDelivery" });
		const data = model(own.properties.data?.$ref);
		const members = Object.entries({ ...envelope.properties, ...own.properties, data });
		const said = Object.fromEntries(members.map(([name, schema]) => [name, without(schema, "examples")]));
		expect(spelledOut(said, served.components)).toEqual(spelledOut(properties, whole.components));
		expect(envelope.required).toEqual(required);
		expect(data.examples).toEqual([(mediaOf(post).example as Json).data]);
		expect(event.description).toBe([post.summary, post.description].filter(Boolean).join(". "));
	}
});

it("a receiver finds the model of any event by its type, alone or in a batch", () => {
	const { oneOf, discriminator } = model("DeliveredEvent") as unknown as Choice;
	expect(discriminator.propertyName).toBe("event_type");
	expect(Object.keys(discriminator.mapping)).toEqual(Object.keys(whole.webhooks));
	expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(discriminator.mapping));
	expect(Object.keys(served.webhooks)).toEqual(["event", "batch"]);
	const { event, batch } = served.webhooks;
	expect(mediaOf(event?.post).schema).toEqual({ $ref: "#/components/schemas/DeliveredEvent" });
	expect(mediaOf(batch?.post).schema).toEqual({ $ref: "#/components/schemas/DeliveryBatch" });
	expect(model("DeliveryBatch")).toMatchObject({
		properties: { batch_id: { format: "uuid" }, deliveries: { items: { $ref: "#/components/schemas/DeliveredEvent" } } },
		required: ["batch_id", "deliveries"],
	});
});

it("the request by which an endpoint receives an event has the headers and answers of each", () => {
	const received = served.webhooks.event && saidOf(served.webhooks.event.post, served);
	for (const { post } of Object.values(whole.webhooks)) {
		const { parameters, responses, tags, security } = saidOf(post, whole);
		expect(received).toMatchObject({ parameters, responses, tags, security });
	}
});

it("each answer of the served document has an example, of its own or of the model of which it consists", () => {
	const lacking = Object.values(served.paths)
		.flatMap((methods) => Object.values(methods))
		.flatMap(({ operationId, responses }) =>
			Object.entries(responses).flatMap(([status, response]) =>
				Object.entries(resolved(response, served.components.responses).content ?? {}).map(([type, media]) => ({
					operationId,
					status,
					type,
					media,
				})),
			),
		)
		.filter(({ status, media: { schema, example } }) => {
			const rows = (unlisted(schema, served.components) as { properties?: { data?: { items?: Json } } }).properties?.data?.items;
			const model = served.components.schemas[nameIn(rows?.$ref ?? schema.$ref)];
			return status < "300" && example === undefined && model?.examples?.length !== 1;
		});
	expect(lacking.map(({ operationId, status, type }) => `${operationId} ${status} ${type}`)).toEqual([]);
});

it("what says the same as a model names it, and no model extends another, of which the client in Kotlin loses what may be null", () => {
	const { Approval, ApprovalType, Member, MemberRole, ...others } = served.components.schemas;
	expect(ApprovalType?.["x-extensible-enum"]).toContain("WRITE_OFF");
	expect((Approval as unknown as Members).properties.approval_type).toEqual({ $ref: "#/components/schemas/ApprovalType" });
	expect((Member as unknown as Members).properties.role).toEqual({ $ref: "#/components/schemas/MemberRole" });
	expect(MemberRole?.type).toBe("string");
	const extending = Object.entries(others).filter(([, model]) =>
		JSON.stringify((model as Json).allOf ?? []).includes("#/components/schemas/"),
	);
	// The envelope of an event has nothing that may be null.
	expect(extending.map(([name]) => name).filter((name) => !name.endsWith("Event"))).toEqual([]);
	expect(JSON.stringify(served)).not.toContain('"title":"ApprovalType"');
});

it("what operations have alike stands in the served document once", () => {
	const places = [...Object.values(served.paths), ...Object.values(served.webhooks)]
		.flatMap((methods) => Object.values(methods) as Operation[])
		.flatMap(({ parameters, responses }) => [...parameters, ...Object.values(responses)])
		.filter((place) => place.$ref === undefined)
		.map((place) => JSON.stringify(place));
	const twice = places.filter((place, index) => places.indexOf(place) !== index);
	// Those whose name a more frequent one has.
	expect(twice.length).toBeLessThan(40);
});
