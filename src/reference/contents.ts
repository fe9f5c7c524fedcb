// What the reference shows, read from the OpenAPI document into the form in which pages need it.

export type Schema = { readonly [member: string]: unknown };

export type Parameter = {
	readonly name: string;
	readonly in: string;
	readonly required?: boolean;
	readonly description?: string;
	readonly schema: Schema;
	readonly example?: unknown;
};

export type Answer = {
	readonly status: string;
	readonly description: string;
	/** Media types other than JSON. */
	readonly formats: readonly string[];
	readonly schema?: Schema;
	readonly example?: unknown;
};

export type Operation = {
	readonly id: string;
	readonly method: string;
	readonly path: string;
	readonly summary: string;
	readonly about: readonly string[];
	/** Who may call. */
	readonly credentials: string;
	readonly deprecated: boolean;
	readonly schemes: readonly string[];
	readonly parameters: readonly Parameter[];
	readonly body?: { readonly schema: Schema; readonly example?: unknown; readonly required: boolean };
	readonly answers: readonly Answer[];
	/** Error codes by their status. */
	readonly refusals: readonly (readonly [status: string, codes: readonly string[]])[];
};

export type Event = {
	readonly type: string;
	readonly summary: string;
	readonly description?: string;
	readonly data: Schema;
	readonly example: unknown;
};

export type Tag = { readonly name: string; readonly slug: string; readonly about: string; readonly operations: readonly Operation[] };

export type Contents = {
	readonly title: string;
	readonly version: string;
	readonly address: string;
	readonly tags: readonly Tag[];
	readonly events: readonly Event[];
	/** The members that every delivery has in addition to `data`, and its headers. */
	readonly envelope: Schema;
	readonly deliveryHeaders: readonly Parameter[];
	readonly schemas: ReadonlyMap<string, Schema>;
	/** The page on which a named schema is described: that of the first operation that has it. */
	readonly homes: ReadonlyMap<string, string>;
	/** Refusals as a problem document, by code. */
	readonly problems: ReadonlyMap<string, unknown>;
};

type Content = { content?: { readonly [type: string]: { schema: Schema; example?: unknown } | undefined } };
type Response = Content & { description: string; $ref?: string };
type Described = Schema & {
	operationId: string;
	summary: string;
	description?: string;
	deprecated?: boolean;
	tags: string[];
	/** Absent: the token that most operations take. */
	security?: Record<string, unknown>[];
	parameters: Parameter[];
	requestBody?: Content & { required: boolean };
	responses: Record<string, Response>;
};
export type Document = {
	info: { title: string; version: string };
	servers: { url: string }[];
	tags: { name: string; description: string }[];
	paths: Record<string, Record<string, Described>>;
	webhooks: Record<string, { post: Described }>;
	components: { schemas: Record<string, Schema>; responses: Record<string, Response>; examples: Record<string, { value: unknown }> };
};

export const slugOf = (text: string): string =>
	text
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, "-")
		.replaceAll(/^-|-$/g, "");

export const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

export function contentsOf(document: Document): Contents {
	const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, described]) => ({
			tag: described.tags[0],
			operation: operationOf(document, path, method.toUpperCase(), described),
		})),
	);
	const tags = document.tags.map(({ name, description }) => ({
		name,
		slug: slugOf(name),
		about: description,
		operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
	}));
	const events = Object.entries(document.webhooks).map(([type, { post }]) => eventOf(type, post));
	const [[, { post: delivery }] = ["", { post: undefined }]] = Object.entries(document.webhooks);
	const schemas = new Map(Object.entries(document.components.schemas));
	return {
		title: document.info.title,
		version: document.info.version,
		address: document.servers[0]?.url ?? "",
		tags,
		events,
		envelope: delivery?.requestBody?.content?.["application/json"]?.schema ?? {},
		deliveryHeaders: delivery?.parameters ?? [],
		schemas,
		homes: homesOf(tags, events, schemas),
		problems: problemsOf(document),
	};
}

function operationOf(document: Document, path: string, method: string, described: Described): Operation {
	const paragraphs = (described.description ?? "").split("\n\n");
	const isCredentials = (paragraph: string) => paragraph.startsWith("Credentials: ");
	const answers = Object.entries(described.responses).map(([status, response]) => {
		const whole = response.$ref ? document.components.responses[nameIn(response.$ref)] : response;
		const json = whole?.content?.["application/json"];
		const formats = Object.keys(whole?.content ?? {}).filter((type) => type !== "application/json");
		return { status, description: whole?.description ?? "", formats, schema: json?.schema, example: json?.example };
	});
	const body = described.requestBody?.content?.["application/json"];
	return {
		id: described.operationId,
		method,
		path,
		summary: described.summary,
		about: paragraphs.filter((paragraph) => paragraph !== "" && !isCredentials(paragraph)),
		credentials: (paragraphs.find(isCredentials) ?? "").replace("Credentials: ", "").replace(/\.$/, ""),
		deprecated: described.deprecated === true,
		schemes: (described.security ?? [{ bearer: [] }]).flatMap((scheme) => Object.keys(scheme)),
		parameters: described.parameters,
		...(body && { body: { schema: body.schema, example: body.example, required: described.requestBody?.required === true } }),
		answers: answers.filter(({ status }) => Number(status) < 400).map(({ schema, ...answer }) => (schema ? { ...answer, schema } : answer)),
		refusals: answers.filter(({ status }) => Number(status) >= 400).map(({ status, schema }) => [status, codesIn(schema)] as const),
	};
}

const codesIn = (schema: Schema | undefined): readonly string[] => {
	const all = (schema?.allOf ?? []) as { properties?: { code?: { enum?: string[] } } }[];
	return all.flatMap(({ properties }) => properties?.code?.enum ?? []);
};

function eventOf(type: string, { summary, description, requestBody }: Described): Event {
	const { schema = {}, example } = requestBody?.content?.["application/json"] ?? {};
	const { data = {} } = (schema.properties ?? {}) as { data?: Schema };
	return { type, summary, data, example, ...(description && { description }) };
}

/** The names of all schemas that this value refers to, in the order in which it names them, those that they refer to included. */
export function namesIn(value: unknown, schemas: ReadonlyMap<string, Schema>, found = new Set<string>()): ReadonlySet<string> {
	const texts = JSON.stringify(value ?? null).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
	for (const [, name = ""] of texts) {
		if (found.has(name)) continue;
		found.add(name);
		namesIn(schemas.get(name), schemas, found);
	}
	return found;
}

/** Models of these tags are general: operations of many others answer with them. */
const OWNERS: Readonly<Record<string, string>> = { Approval: "approvals", ApiError: "errors", Problem: "errors" };

function homesOf(tags: readonly Tag[], events: readonly Event[], schemas: ReadonlyMap<string, Schema>): ReadonlyMap<string, string> {
	const homes = new Map(Object.entries(OWNERS));
	const settle = (value: unknown, home: string) => {
		for (const name of namesIn(value, schemas)) if (!homes.has(name)) homes.set(name, home);
	};
	for (const { slug, operations } of tags) settle(operations, slug);
	settle(events, EVENTS);
	return homes;
}

/** The page of events, next to that of the operations of webhooks. */
export const EVENTS = "events";

function problemsOf({ components }: Document): ReadonlyMap<string, unknown> {
	const problems = Object.values(components.examples).map(({ value }) => value as { code: string; type?: string });
	return new Map(problems.filter(({ type }) => type !== undefined).map((problem) => [problem.code, problem]));
}
