// What schemas have alike stands in the served document once, under a name. The name is that of a model which says the same, or the `title`
// that a schema has at its source; without either it stays at each place, because generators would make a name of its place.

import type { Document, JsonSchema } from "./openapi";

/** A shorter schema says no more than a reference to it. */
const WORTH_A_REFERENCE = 80;
/** Members that are no schemas, and contain none. */
const PLAIN = new Set(["const", "description", "enum", "example", "examples", "required", "x-extensible-enum"]);

/** Models that have all members of another one, and some of their own. */
const EXTENSIONS: Readonly<Record<string, string>> = {
	AcceptedMembership: "Member",
	ChangedBrand: "Brand",
	DecidedApproval: "Approval",
	DeliveryRecord: "DeliverySummary",
	FinancingInvoiceDetail: "FinancingInvoice",
	IssuedApiKey: "ApiKey",
	LedgerClosingFigures: "LedgerClosing",
	ShownApproval: "Approval",
};

export function shareModels({ components, paths }: Document): void {
	const { schemas } = components;
	for (const [title, schema] of titledIn([schemas, paths])) {
		if (schemas[title]) throw new Error(`the name ${title} stands for two schemas`);
		schemas[title] = schema;
	}
	const models = namesOf(schemas);
	const shared = (value: unknown, isModel = false): unknown => {
		if (Array.isArray(value)) return value.map((item) => shared(item));
		if (typeof value !== "object" || value === null) return value;
		const schema = untitled(value as JsonSchema);
		const name = isModel ? undefined : models.get(JSON.stringify(schema));
		if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
		return Object.fromEntries(Object.entries(schema).map(([member, part]) => [member, PLAIN.has(member) ? part : shared(part)]));
	};
	components.schemas = Object.fromEntries(Object.entries(schemas).map(([name, model]) => [name, shared(model, true) as JsonSchema]));
	for (const [path, methods] of Object.entries(paths)) paths[path] = shared(methods) as typeof methods;
}

/** The last step: what reads the members of a model finds all of them before it. */
export function extendModels({ schemas }: Document["components"]): void {
	for (const [name, base] of Object.entries(EXTENSIONS)) if (schemas[name]) schemas[name] = extension(schemas, name, base);
}

type Members = { readonly [name: string]: JsonSchema };

/** The model as the other one and what it has beyond it. */
function extension(schemas: Members, name: string, base: string): JsonSchema {
	const { type, properties, required, ...words } = membersOf(schemas[name]);
	const other = membersOf(schemas[base]);
	const same = ([member, schema]: [string, JsonSchema]) =>
		JSON.stringify(schema) === JSON.stringify(properties[member]) && other.required.includes(member) === required.includes(member);
	const differs = Object.entries(other.properties).find((member) => !same(member));
	if (differs) throw new Error(`${name} does not extend ${base}: ${differs[0]} differs`);
	const own = Object.entries(properties).filter(([member]) => !(member in other.properties));
	const unnamed = own.find(([, schema]) => JSON.stringify(schema).includes('"properties"'));
	if (unnamed) throw new Error(`${unnamed[0]} of ${name} needs a title: generators would make up a name for it`);
	const needed = required.filter((member) => !(member in other.properties));
	const beyond = { type, properties: Object.fromEntries(own), ...(needed.length > 0 && { required: needed }) };
	return { ...words, allOf: [{ $ref: `#/components/schemas/${base}` }, beyond] };
}

const membersOf = (model: JsonSchema = {}) => ({
	...model,
	type: model.type,
	properties: (model.properties ?? {}) as Members,
	required: (model.required ?? []) as readonly string[],
});

/** A member of a body may be called `title` as well: its value is a schema. */
function untitled(value: JsonSchema): JsonSchema {
	const { title, ...schema } = value;
	return typeof title === "string" ? schema : value;
}

/** The schemas with a title. Of two with the same one, such as where one place describes it further, that which stands at more places. */
function titledIn(value: unknown): Map<string, JsonSchema> {
	const found: [string, JsonSchema][] = [];
	const look = (within: unknown): void => {
		if (typeof within !== "object" || within === null) return;
		const { title } = within as JsonSchema;
		if (typeof title === "string") found.push([title, untitled(within as JsonSchema)]);
		for (const [member, part] of Object.entries(within)) if (!PLAIN.has(member)) look(part);
	};
	look(value);
	return new Map(
		[...Map.groupBy(found, ([title]) => title)].map(([title, places]) => {
			const alike = [...Map.groupBy(places, ([, schema]) => JSON.stringify(schema)).values()];
			const [most] = alike.sort((a, b) => b.length - a.length);
			return [title, most?.[0]?.[1] ?? {}];
		}),
	);
}

/** The model that says a text, where only one does. */
function namesOf(schemas: Document["components"]["schemas"]): Map<string, string> {
	const names = Map.groupBy(Object.entries(schemas), ([, model]) => JSON.stringify(model));
	return new Map(
		[...names].flatMap(([text, [[name, model] = ["", {}], ...others]]) =>
			others.length === 0 && text.length > WORTH_A_REFERENCE && model.type !== undefined ? [[text, name] as const] : [],
		),
	);
}
