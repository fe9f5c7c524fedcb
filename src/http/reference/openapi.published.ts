// The OpenAPI document as it is served: what several operations have alike stands in it once, and they name it. Pages and client are made
// of the whole document, in which each operation has all that is its own.

import { byName, type Document, type JsonSchema } from "./openapi";
import { portable } from "./openapi.portable";
import { WEBHOOK_EVENTS } from "./openapi.webhooks";

type Media = { schema?: JsonSchema; example?: unknown };
type Answer = { description?: string; content?: { [type: string]: Media } };
type Described = {
	summary: string;
	parameters: JsonSchema[];
	requestBody?: { content: { [type: string]: Media } };
	responses: { [status: string]: JsonSchema & Answer };
};

export function published(whole: Document): Document {
	const document = portable(whole);
	document.tags.push(WEBHOOK_EVENTS);
	const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods)) as Described[];
	const webhooks = Object.values(document.webhooks).map(({ post }) => post) as Described[];
	shareEnvelope(document, webhooks);
	shareExamples(document, operations);
	shareParameters(document, [...operations, ...webhooks]);
	shareAnswers(document, [...operations, ...webhooks]);
	for (const kind of ["schemas", "parameters", "responses"] as const) document.components[kind] = byName(document.components[kind]);
	return document;
}

const pascal = (name: string): string => name.replaceAll(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
const reference = (kind: string, name: string): JsonSchema => ({ $ref: `#/components/${kind}/${name}` });
const nameIn = (schema: JsonSchema | undefined): string | undefined =>
	typeof schema?.$ref === "string" ? schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1) : undefined;

const ENVELOPE = "EventDelivery";
const ABOUT =
	'What a delivery carries. To an endpoint with `batch`, requests have the body `{"batch_id": "<uuid>", "deliveries": [<this body>, …]}`, with `X-Service-Batch-Id` instead of `X-Service-Event-Type` and `X-Service-Delivery-Id`, and the batch id as `webhook-id`.';

function shareEnvelope({ components }: Document, webhooks: readonly Described[]): void {
	if (components.schemas[ENVELOPE]) throw new Error(`the name ${ENVELOPE} stands for two schemas`);
	for (const { requestBody } of webhooks) {
		const media = requestBody?.content["application/json"];
		if (!media) continue;
		const { properties, ...envelope } = media.schema as JsonSchema & { properties: { [name: string]: JsonSchema } };
		const example = media.example as { [name: string]: unknown };
		const { event_type, data } = properties;
		const shared = Object.entries(properties).map(([name, schema]): [string, JsonSchema] => [
			name,
			schema === event_type || schema === data ? { type: schema.type } : { ...schema, examples: [example[name]] },
		]);
		components.schemas[ENVELOPE] ??= { ...envelope, description: ABOUT, properties: Object.fromEntries(shared) };
		const own = { event_type, data: { ...data, examples: [example.data] } };
		media.schema = { allOf: [reference("schemas", ENVELOPE), { type: "object", properties: own }] };
		delete media.example;
	}
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
		if (name !== undefined && example !== undefined && !models.has(name)) models.set(name, example);
	};
	for (const { schema, example } of seen) learn(nameIn(schema), example);
	for (const { schema, example } of seen) learn(nameIn(rowsOf(schema)), (example as { data?: unknown[] }).data?.[0]);
	for (const [name, example] of models) if (components.schemas[name]) components.schemas[name].examples = [example];
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
		const name = `${pascal(String(first.parameter.in))}${pascal(String(first.parameter.name))}`;
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

/** Answers that operations have alike. What an answer is, where the operation's own words say no more than its summary, its model says. */
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
		components.responses[name] = answer;
		for (const { responses } of [first, ...others]) responses[status] = reference("responses", name);
	}
}
