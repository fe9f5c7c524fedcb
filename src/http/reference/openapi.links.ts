// Links of the OpenAPI document: from the answer of what makes something to the operation that reads it.

import type { Document, JsonSchema } from "./openapi";
import { nameIn } from "./openapi.portable";

type Schemas = { readonly [name: string]: JsonSchema };
type Answer = JsonSchema & { readonly content?: { readonly [type: string]: { readonly schema?: JsonSchema } } };
type Answering = { readonly operationId: string; readonly responses: { readonly [status: string]: Answer } };
/** An operation that reads one thing: `parameter` names it, within what the other `places` name. */
type Read = {
	readonly id: string;
	readonly base: string;
	readonly parameter: string;
	readonly places: readonly string[];
	readonly model: string | undefined;
};

/** What is read with more members than it was made with. */
const READ_AS: Readonly<Record<string, string>> = { Approval: "ShownApproval", RepaymentTransaction: "ShownRepayment" };

export function addLinks({ paths, components }: Document): void {
	const reads = Object.entries(paths).flatMap(([path, { get }]) => readOf(path, get as Answering | undefined));
	const makers = Object.entries(paths).flatMap(([path, { get: _, ...changes }]) => Object.values(changes).map((op) => ({ path, op })));
	for (const { path, op } of makers) {
		for (const [status, answer] of Object.entries((op as Answering).responses)) {
			const schema = schemaOf(answer);
			if (!status.startsWith("2") || schema === undefined) continue;
			const to = { path, schema, schemas: components.schemas };
			const byModel = reads.flatMap((read) => linkTo(read, to, modelIn));
			// Where no model shows it, the thing is read below the path at which it was made.
			const links =
				byModel.length > 0 ? byModel : reads.flatMap((read) => linkTo(read, to, ({ base }) => (base === path ? "" : undefined)));
			if (links.length > 0) answer.links = Object.fromEntries(links);
		}
	}
}

const schemaOf = ({ content }: Answer): JsonSchema | undefined => content?.["application/json"]?.schema;
const parametersIn = (path: string): string[] => [...path.matchAll(/{(\w+)}/g)].map(([, name = ""]) => name);

function readOf(path: string, get: Answering | undefined): Read[] {
	const [, base, parameter] = /^(.*)\/{(\w+)}$/.exec(path) ?? [];
	const answer = get?.responses[200];
	if (!get || !answer || base === undefined || parameter === undefined) return [];
	return [{ id: get.operationId, base, parameter, places: parametersIn(base), model: nameIn(schemaOf(answer)) }];
}

type Made = { readonly path: string; readonly schema: JsonSchema; readonly schemas: Schemas };

const membersOf = ({ schema, schemas }: Made): Schemas =>
	((schemas[nameIn(schema) ?? ""] ?? schema) as { readonly properties?: Schemas }).properties ?? {};

/** Where in the answer what the operation reads stands; undefined: nowhere. */
function modelIn({ model }: Read, made: Made): string | undefined {
	const isIt = (part: JsonSchema | undefined) => model !== undefined && [nameIn(part), READ_AS[nameIn(part) ?? ""]].includes(model);
	if (isIt(made.schema)) return "";
	const members = membersOf(made);
	const member = Object.keys(members).find((name) => isIt(members[name]));
	return member && `/${member}`;
}

/** Nothing for a call that names the thing itself. */
function linkTo(read: Read, made: Made, placeIn: (read: Read, made: Made) => string | undefined): [string, JsonSchema][] {
	const { id, base, parameter, places } = read;
	const known = parametersIn(made.path);
	const place = placeIn(read, made);
	if (made.path.startsWith(`${base}/{`) || !places.every((name) => known.includes(name))) return [];
	if (place === undefined || (place === "" && membersOf(made).id === undefined)) return [];
	const others = places.map((name) => [name, `$request.path.${name}`] as const);
	return [[id, { operationId: id, parameters: Object.fromEntries([...others, [parameter, `$response.body#${place}/id`]]) }]];
}
