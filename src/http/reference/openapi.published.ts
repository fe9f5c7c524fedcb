// The OpenAPI document as it is served: what several operations have alike stands in it once, and they name it. Pages and client are made
// of the whole document, in which each operation has all that is its own.

import { byName, type Document, type JsonSchema } from "./openapi";
import { addLinks } from "./openapi.links";
import { shareModels } from "./openapi.models";
import { nameIn, portable } from "./openapi.portable";
import { batchSchema, requestsOf, WEBHOOK_EVENTS } from "./openapi.webhooks";

type Media = { schema?: JsonSchema; example?: unknown };
type Answer = { description?: string; content?: { [type: string]: Media } };
type Described = {
	summary: string;
	description?: string;
	parameters: JsonSchema[];
	requestBody?: { content: { [type: string]: Media } };
	responses: { [status: string]: JsonSchema & Answer };
};

export function published(whole: Document): Document {
	const document = portable(whole);
	document.tags.push(WEBHOOK_EVENTS);
	nameEvents(document);
	addLinks(document);
	shareModels(document);
	const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods)) as Described[];
	const webhooks = Object.values(document.webhooks).map(({ post }) => post) as Described[];
	shareExamples(document, operations);
	shareParameters(document, [...operations, ...webhooks]);
	shareAnswers(document, [...operations, ...webhooks]);
	for (const kind of ["schemas", "parameters", "responses"] as const) document.components[kind] = byName(document.components[kind]);
	return document;
}

const pascal = (name: string): string => name.replaceAll(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase());
const reference = (kind: string, name: string): JsonSchema => ({ $ref: `#/components/${kind}/${name}` });

const ENVELOPE = "EventDelivery";
const ANY_EVENT = "DeliveredEvent";
const BATCH = "DeliveryBatch";

/**
 * Names the body of each event and its data, with what all bodies have alike once, the choice of all of them, and the body of a batch. An
 * endpoint receives every event by the same request, and so it stands in the document once.
 */
function nameEvents(document: Document): void {
	const { components, webhooks } = document;
	const { schemas } = components;
	const name = (as: string, schema: JsonSchema): JsonSchema => {
		if (schemas[as]) throw new Error(`the name ${as} stands for two schemas`);
		schemas[as] = schema;
		return reference("schemas", as);
	};
	const bodies = Object.entries(webhooks).map(([type, { post }]) => {
		const { summary, description, requestBody } = post as Described;
		const { schema, example } = requestBody?.content["application/json"] ?? {};
		const { properties = {}, ...envelope } = (schema ?? {}) as JsonSchema & { properties?: { [name: string]: JsonSchema } };
		const shown = (member: string) => (example ? { examples: [(example as { [name: string]: unknown })[member]] } : {});
		const { event_type, data } = properties;
		if (!schemas[ENVELOPE]) {
			const shared = Object.entries(properties).map(([member, schema]): [string, JsonSchema] => [
				member,
				schema === event_type || schema === data ? { type: schema.type } : { ...schema, ...shown(member) },
			]);
			name(ENVELOPE, { ...envelope, description: "The members of every delivery", properties: Object.fromEntries(shared) });
		}
		const named = pascal(type);
		const own = { event_type, data: name(`${named}EventData`, { ...data, ...shown("data") }) };
		const body = name(`${named}Event`, {
			description: [summary, description].filter(Boolean).join(". "),
			allOf: [reference("schemas", ENVELOPE), { type: "object", properties: own }],
		});
		return [type, body] as const;
	});
	const any = name(ANY_EVENT, {
		description: "A delivery of any event: see its `event_type`",
		oneOf: bodies.map(([, body]) => body),
		discriminator: { propertyName: "event_type", mapping: Object.fromEntries(bodies.map(([type, body]) => [type, body.$ref])) },
	});
	document.webhooks = requestsOf(any, name(BATCH, batchSchema(any)));
}

/** The model of each row, where the answer is a list. */
const rowsOf = (schema: JsonSchema | undefined): JsonSchema | undefined =>
	(schema as { properties?: { data?: { items?: JsonSchema } } } | undefined)?.properties?.data?.items;

/** A model has the example of one answer, by preference of a call that only reads; answers that consist of it need none of their own. */
function shareExamples({ components, paths }: Document, operations: readonly Described[]): void {
	const answers = (of: readonly Described[]) =>
		of.flatMap(({ responses }) => Object.values(responses).flatMap(({ content }) => Object.values(content ?? {})));
	const reads = Object.values(paths).flatMap(({ get }) => (get ? [get as unknown as Described] : []));
	const seen = [...answers(reads), ...answers(operations)].filter(({ example }) => example !== undefined);
	const models = new Map<string, unknown>();
	const learn = (name: string | undefined, example: unknown) => {
		// Any JSON has no example: it would stand at each place of it.
		if (name !== undefined && example !== undefined && !models.has(name) && components.schemas[name]?.type !== undefined)
			models.set(name, example);
	};
	for (const { schema, example } of seen) learn(nameIn(schema), example);
	for (const { schema, example } of seen) learn(nameIn(rowsOf(schema)), (example as { data?: unknown[] }).data?.[0]);
	for (const [name, example] of models) (components.schemas[name] ?? {}).examples = [example];
	for (const media of seen) if (models.has(nameIn(media.schema) ?? nameIn(rowsOf(media.schema)) ?? "")) delete media.example;
}

/** Each distinct thing with the places at which it stands, the most frequent first. */
function alike<Place extends { readonly text: string }>(places: readonly Place[]): [Place, ...Place[]][] {
	const groups = [...Map.groupBy(places, ({ text }) => text).values()].sort((a, b) => b.length - a.length);
	return groups.flatMap(([first, ...others]) => (first && others.length > 0 ? [[first, ...others]] : []));
}

/** A parameter that several operations take alike, up to its example. Of two with the same name the less frequent stays where it is. */
function shareParameters({ components }: Document, operations: readonly Described[]): void {
	const places = operations.flatMap(({ parameters }) =>
		parameters.map((parameter, index) => ({ parameters, index, parameter, text: JSON.stringify({ ...parameter, example: undefined }) })),
	);
	for (const [first, ...others] of alike(places)) {
		const own = pascal(String(first.parameter.name));
		const name = components.parameters[own] ? `${pascal(String(first.parameter.in))}${own}` : own;
		if (components.parameters[name]) continue;
		components.parameters[name] = first.parameter;
		for (const { parameters, index } of [first, ...others]) parameters[index] = reference("parameters", name);
	}
}

/** What an answer is called by its status, or else by the model of which it consists. Each refusal is shared already. */
const NAMED: Readonly<Record<string, string>> = { 304: "NotModified", "2XX": "Delivered", default: "NotDelivered" };

function nameOf(status: string, { content }: Answer): string | undefined {
	const schema = content?.["application/json"]?.schema;
	const row = nameIn(rowsOf(schema));
	const model = nameIn(schema) ?? (row && `${row}List`);
	return NAMED[status] ?? (model && `${model}${status}`);
}

/** Answers that operations have alike. The model describes an answer where the operation's own words say no more than its summary. */
function shareAnswers({ components }: Document, operations: readonly Described[]): void {
	for (const { summary, responses } of operations)
		for (const answer of Object.values(responses)) if (answer.description === summary) answer.description = "Done";
	const places = operations.flatMap(({ responses }) =>
		Object.entries(responses).map(([status, answer]) => ({ responses, status, answer, text: `${status} ${JSON.stringify(answer)}` })),
	);
	for (const [first, ...others] of alike(places)) {
		const { status, answer } = first;
		const name = nameOf(status, answer);
		if (name === undefined || answer.$ref !== undefined || components.responses[name]) continue;
		nameModel(components.schemas, answer, name.slice(0, -status.length));
		components.responses[name] = answer;
		for (const { responses } of [first, ...others]) responses[status] = reference("responses", name);
	}
}

/** A model without a name has a name that generators make up, in an answer that operations share. */
function nameModel(schemas: { [name: string]: JsonSchema }, { content }: Answer, name: string): void {
	const media = content?.["application/json"];
	if (media?.schema === undefined || nameIn(media.schema) !== undefined) return;
	if (schemas[name]) throw new Error(`the name ${name} stands for two schemas`);
	schemas[name] = media.schema;
	media.schema = reference("schemas", name);
}
