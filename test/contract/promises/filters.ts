// Lists with each combination of their filters: no statement scans a table or sorts its rows, so each costs the same however many there are.

import { vi } from "vitest";
import * as z from "zod";
import { type AnyOperation, badInputCode } from "../../../src/http/operation";
import { Keyring } from "../../../src/shared/keyring";
import { ROLES } from "../../../src/shared/permissions";
import { inNode } from "../../support/runtime";
import { recordingStatements } from "../../support/statements";
import { FOREIGN_CURSOR, lists } from "../pages";
import { send } from "../senders";
import type { Parties } from "../valid-requests";
import { credentialsOf, kindsOf, type Scene, unexcused } from "./permitted";
import type { Promises } from "./promises";

type Parameter = { enum?: readonly string[] };

type QueryParameters = Readonly<Record<string, Parameter>>;
const known = new WeakMap<object, QueryParameters>();

function parametersOf(query: AnyOperation["request"]["query"]): QueryParameters {
	if (!query) return {};
	let parameters = known.get(query);
	if (!parameters) {
		const { properties = {} } = z.toJSONSchema(query, { io: "input", unrepresentable: "any" }) as { properties?: QueryParameters };
		parameters = properties;
		known.set(query, parameters);
	}
	return parameters;
}

/** The query parameters of a list, without those of its pages; undefined for what is no list. */
export function filtersOf({ request: { query } }: AnyOperation): [name: string, Parameter][] | undefined {
	const properties = parametersOf(query);
	if (!("size" in properties)) return undefined;
	return Object.entries(properties).filter(([name]) => !["size", "after", "before"].includes(name));
}

/** Values of filters that take any text of a form, by their names. */
const valuesOf = ({ organization, user }: Parties): { readonly [filter: string]: readonly string[] } => ({
	account_id: [crypto.randomUUID()],
	account_number: ["1000123456782"],
	account: ["1110"],
	actor_id: [user.id],
	as_of: ["2026-01-31"],
	buckets: ["12"],
	created_from: ["2026-01-01T00:00:00Z"],
	created_until: ["2026-12-31T00:00:00Z"],
	currency: ["KES"],
	due_before: ["2026-12-31"],
	due_on: ["2026-01-31"],
	entity_id: [user.id],
	event_id: [crypto.randomUUID()],
	event_type: ["user.admitted"],
	from: ["2026-01-01"],
	ids: [user.id, `${user.id}&ids=${organization.id}`],
	known_at: ["2026-01-31"],
	loan_product_id: [organization.id],
	month: ["2026-01"],
	on: ["2026-01-31"],
	operation: ["createApiKey"],
	organization_id: [organization.id],
	owner: ["NONE", user.id],
	past_due_over: ["30"],
	q: ["rent", "@tag", "+254712345678", "1000123456782"],
	recipient: ["+254712345678"],
	roles: ROLES.map((_, index) => ROLES.slice(0, index + 1).join("&roles=")),
	slug: ["acme"],
	statement_id: [crypto.randomUUID()],
	stream: [`${organization.id}/000`],
	tax_rate: ["Tax Exempt"],
	time_zone: ["Europe/Paris"],
	to: ["2026-01-31"],
	type: ["user.admitted"],
	user_id: [user.id],
	webhook_id: [crypto.randomUUID()],
});

/**
 * The most queries that a list is tried with whole. Beyond them it is tried with some filters at a time, and in Node, as part of `npm test`,
 * with the first value of each where there are two: these queries took a tenth of all tests' time there. The same file in workerd, part of
 * `.ci/run`, tries the others.
 */
const MOST_QUERIES = inNode ? 24 : 500;
const MOST_FILTERS = inNode ? 2 : 3;

/** Every combination of the filters' values as a query, each filter left out too. */
export function queriesOf(filters: readonly [string, Parameter][], parties: Parties): string[] {
	const queries = combinationsOf(filters, parties);
	if (queries.length <= MOST_QUERIES) return queries;
	const some = queries.filter((query) => namesIn(query).size <= 1 + MOST_FILTERS);
	if (!inNode) return some;
	const alone = some.filter((query) => namesIn(query).size <= 2);
	const first = combinationsOf(filters, parties, 1).filter((query) => namesIn(query).size === 1 + MOST_FILTERS);
	return [...alone, ...first];
}

/** One may stand there several times. */
const namesIn = (query: string) => new Set(query.split("&").map((part) => part.split("=")[0]));

function combinationsOf(filters: readonly [string, Parameter][], parties: Parties, mostValues = Number.POSITIVE_INFINITY): string[] {
	return filters.reduce<string[]>(
		(queries, [name, { enum: values = valuesOf(parties)[name] }]) => {
			if (!values) throw new Error(`add values of the filter ${name}`);
			const tried = values.slice(0, mostValues);
			return queries.flatMap((query) => [query, ...tried.map((value) => `${query}&${name}=${value.replaceAll("+", "%2B")}`)]);
		},
		["size=20"],
	);
}

/**
 * The pages on which the nth query is asked. In Node a query by several filters is asked on one of them, each on the next, as part of
 * `npm test`; the same file in workerd, part of `.ci/run`, asks it on each.
 */
function pagesAt(nth: number, query: string, op: AnyOperation): readonly string[] {
	const pages = pagesOf(op);
	return inNode && namesIn(query).size > 2 ? pages.slice(nth % pages.length).slice(0, 1) : pages;
}

/** A cursor of any list, while every tag is accepted. */
const CURSOR = `${btoa(JSON.stringify([1_800_000_000_000, 5]))}.x`;
const pagesOf = ({ request: { query } }: AnyOperation): string[] => [
	"",
	...["after", "before"].filter((name) => name in parametersOf(query)).map((name) => `&${name}=${CURSOR}`),
];

export async function expectIndexedLists(scene: Scene, promises: Promises): Promise<void> {
	const { op, parties, request } = scene;
	const filters = filtersOf(op);
	if (!filters) return;
	await expectOwnCursors(scene, promises);
	const accepting = vi.spyOn(Keyring.prototype, "verifyTag").mockResolvedValue(true);
	const { vars, sent } = recordingStatements();
	const answers = new Set<string>();
	for (const [turn, credentials] of (await callers(scene)).entries()) {
		for (const [at, query] of queriesOf(filters, parties).entries()) {
			for (const page of pagesAt(at + turn, query, op)) {
				const { status, body } = await send(op, { ...request, query: `?${query}${page}` }, credentials, vars);
				answers.add(status === 200 ? "OK" : JSON.stringify(body.invalid_params ?? body));
			}
		}
	}
	accepting.mockRestore();
	promises.expect("searches by indexes alone for every combination of filters, page and caller", await unexcused(sent), []);
	// Some filters are refused together. Users must not name whose rows they read, and operators who act for no organization must.
	const refused = op.access.user && op.access.operator ? /MUTUALLY_EXCLUSIVE|"REQUIRED"|"NOT_ALLOWED"/ : /MUTUALLY_EXCLUSIVE|"REQUIRED"/;
	const others = [...answers].filter((answer) => answer !== "OK" && !refused.test(answer));
	promises.expect("answers every combination of filters", others, []);
}

/** A cursor of another list is refused, though the list that the request names is there. */
async function expectOwnCursors(scene: Scene, promises: Promises): Promise<void> {
	const { op, request } = scene;
	if (!lists.includes(op)) return;
	const credentials = await credentialsOf(kindsOf(op)[0], scene);
	for (const name of ["after", "before"].filter((each) => each in parametersOf(op.request.query))) {
		const query = `${request.query === undefined ? "?" : `${request.query}&`}${name}=${FOREIGN_CURSOR}`;
		const { status, body } = await send(op, { ...request, query }, credentials, {});
		const found = { status, code: body.code };
		promises.expect(`refuses another list's cursor as ${name}`, found, { status: 400, code: badInputCode(op) });
	}
}

/** Everybody who may read the list; operators also without an organization for which they act. */
export async function callers(scene: Scene) {
	const { access } = scene.op;
	const kinds = kindsOf(scene.op).filter((kind) => kind !== "OPERATOR" || access.organization || !access.operator);
	const all = await Promise.all(kinds.map((kind) => credentialsOf(kind, scene)));
	const { as } = await credentialsOf("OPERATOR", scene);
	return access.operator ? [...all, { as }] : all;
}
