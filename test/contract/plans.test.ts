// The query plans of lists with each combination of their filters, and of the work that falls due after each change. Nothing scans a
// table or sorts its rows, so each costs the same however many rows there are.

import { beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import type { AnyOperation } from "../../src/http/operation";
import { Keyring } from "../../src/shared/keyring";
import { ROLES, SCOPES } from "../../src/shared/permissions";
import { DAY_MS } from "../../src/shared/time";
import { moveClock } from "../support/clock";
import { cron } from "../support/cron";
import { operations } from "../support/domains";
import { naming, title } from "../support/doors";
import { givenApiKey, operatorToken } from "../support/factories";
import { planFaults, recordingStatements } from "../support/statements";
import { testEnv } from "../support/storage";
import type { ValidRequest } from "../support/valid-request";
import { fakeWorld } from "../support/webhooks";
import { isExcused } from "./plans";
import { type Credentials, permitted, send } from "./senders";
import { givenParties, type Parties, validRequest } from "./valid-requests";

beforeEach(() => {
	fakeWorld();
});

type Parameter = { enum?: readonly string[] };

/** The query parameters of a list, without those of its pages; undefined for what is no list. */
function filtersOf({ request: { query } }: AnyOperation): [name: string, Parameter][] | undefined {
	if (!query) return undefined;
	const { properties = {} } = z.toJSONSchema(query, { io: "input", unrepresentable: "any" }) as { properties?: Record<string, Parameter> };
	if (!("size" in properties)) return undefined;
	return Object.entries(properties).filter(([name]) => !["size", "after", "before"].includes(name));
}

/** Values of filters that take any text of a form, by their names. */
const valuesOf = ({ organization, user }: Parties): { readonly [filter: string]: readonly string[] } => ({
	account_id: [crypto.randomUUID()],
	account_number: ["1000123456782"],
	actor_id: [user.id],
	as_of: ["2026-01-31"],
	buckets: ["12"],
	created_from: ["2026-01-01T00:00:00Z"],
	created_until: ["2026-12-31T00:00:00Z"],
	due_before: ["2026-12-31"],
	entity_id: [user.id],
	event_id: [crypto.randomUUID()],
	event_type: ["user.admitted"],
	from: ["2026-01-01"],
	known_at: ["2026-01-31"],
	loan_product_id: [organization.id],
	on: ["2026-01-31"],
	operation: ["createApiKey"],
	organization_id: [organization.id],
	q: ["rent", "@tag", "+254712345678", "1000123456782"],
	recipient: ["+254712345678"],
	roles: ROLES.map((_, index) => ROLES.slice(0, index + 1).join("&roles=")),
	slug: ["acme"],
	stream: [`${organization.id}/000`],
	time_zone: ["Europe/Paris"],
	to: ["2026-01-31"],
	type: ["user.admitted"],
	user_id: [user.id],
	webhook_id: [crypto.randomUUID()],
});

/** Every combination of the filters' values as a query, each filter left out too. */
function queriesOf(filters: readonly [string, Parameter][], parties: Parties): string[] {
	return filters.reduce<string[]>(
		(queries, [name, { enum: values = valuesOf(parties)[name] }]) => {
			if (!values) throw new Error(`add values of the filter ${name}`);
			return queries.flatMap((query) => [query, ...values.map((value) => `${query}&${name}=${value.replaceAll("+", "%2B")}`)]);
		},
		["size=20"],
	);
}

/** A cursor of any list, because these tests accept every tag. */
const CURSOR = `${btoa(JSON.stringify([1_800_000_000_000, 5]))}.x`;

async function callers(op: AnyOperation, parties: Parties): Promise<Credentials[]> {
	const { user, apiKey, organization, operator } = op.access;
	const { headers = {} } = organization ? naming(op, parties.organization.id) : {};
	return [
		...(user ? [{ as: parties.user.token }] : []),
		...(apiKey ? [{ as: await givenApiKey(parties.organization.id, SCOPES) }] : []),
		...(organization ? [{ as: parties.owner.token, headers }] : []),
		...(operator || organization ? [{ as: await operatorToken(), headers }] : []),
		...(operator ? [{ as: await operatorToken() }] : []),
	];
}

const lists = operations.flatMap((op) => {
	const filters = filtersOf(op);
	return filters ? [[title(op), op, filters] as const] : [];
});

describe.each(lists)("%s", (_, op, filters) => {
	it("uses indexes for every combination of filters, page and caller", async () => {
		vi.spyOn(Keyring.prototype, "verifyTag").mockResolvedValue(true);
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const { vars, sent } = recordingStatements();
		const answers = new Set<string>();
		for (const caller of await callers(op, parties)) {
			for (const query of queriesOf(filters, parties)) {
				for (const page of ["", `&after=${CURSOR}`, `&before=${CURSOR}`]) {
					const { status, body } = await send(op, { ...request, query: `?${query}${page}` }, caller, vars);
					answers.add(status === 200 ? "OK" : JSON.stringify(body.invalid_params ?? body));
				}
			}
		}
		expect(await unexcused(sent)).toEqual([]);
		// Some filters are refused together. Users must not name whose rows they read, and operators who act for no organization must.
		const refused = op.access.user && op.access.operator ? /MUTUALLY_EXCLUSIVE|BAD_REQUEST/ : /MUTUALLY_EXCLUSIVE|"REQUIRED"/;
		expect([...answers].filter((answer) => answer !== "OK" && !refused.test(answer))).toEqual([]);
	});
});

const unexcused = async (sent: Parameters<typeof planFaults>[0]) => (await planFaults(sent)).filter((fault) => !isExcused(fault));

const changes = operations.filter(({ method }) => method !== "GET").map((op) => [title(op), op] as const);

describe.each(changes)("the work that falls due after %s", (_, op) => {
	it("is found by indexes alone", async () => {
		const parties = await givenParties();
		const request: ValidRequest = await validRequest(op, parties);
		await send(op, request, await permitted(op, parties, request), {});
		const { vars, sent } = recordingStatements();
		await moveClock(90 * DAY_MS);
		await cron({ ...testEnv, ...vars });
		expect(await unexcused(sent)).toEqual([]);
	});
});
