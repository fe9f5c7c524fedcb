// Lists in a crowd: the first page, the next and the one before, with every combination of filters, for every kind of caller, shows what
// the filters name, reads hardly more rows than it shows, and searches by indexes alone. So each costs the same however many rows there
// are.

import { beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import type { AnyOperation } from "../../src/http/operation";
import { Keyring } from "../../src/shared/keyring";
import { SCOPES } from "../../src/shared/permissions";
import { databases } from "../support/databases";
import { operations } from "../support/domains";
import { naming, title } from "../support/doors";
import { givenApiKey, operatorToken } from "../support/factories";
import { planFaults, recordingStatements } from "../support/statements";
import { fakeWorld } from "../support/webhooks";
import { crowded, FEW, UNIQUE } from "./lists";
import { isExcused } from "./plans";
import { type Credentials, send } from "./senders";
import { givenParties, type Parties, validRequest } from "./valid-requests";

beforeEach(() => {
	fakeWorld();
});

const SIZE = 20;
/** What a page may read beside the rows that it shows: one row more, one of each further part that is merged, and what admits the caller. */
const BESIDE = 7;

type Parameter = { enum?: readonly string[] };
type Query = Readonly<Record<string, string>>;
type Links = { next?: string | null; prev?: string | null };
type Page = Links & { data: Record<string, unknown>[]; links?: Links };

/** The query parameters of a list, without those of its pages; undefined for what is no list. */
function filtersOf({ request: { query } }: AnyOperation): [name: string, Parameter][] | undefined {
	if (!query) return undefined;
	const { properties = {} } = z.toJSONSchema(query, { io: "input", unrepresentable: "any" }) as { properties?: Record<string, Parameter> };
	if (!("size" in properties)) return undefined;
	return Object.entries(properties).filter(([name]) => !["size", "after", "before"].includes(name));
}

/** Every combination of the filters' values, each filter left out too. */
const combinations = (filters: readonly [string, Parameter][], values: Readonly<Record<string, readonly string[]>>): Query[] =>
	filters.reduce<Query[]>(
		(queries, [name, parameter]) => {
			const taken = parameter.enum ?? values[name];
			if (!taken) throw new Error(`add values of the filter ${name}`);
			return queries.flatMap((query) => [query, ...taken.map((value) => ({ ...query, [name]: value }))]);
		},
		[{}],
	);

/** A list is repeated under its name. */
const search = (query: Query): string =>
	`?${Object.entries(query)
		.flatMap(([name, value]) => value.split("&").map((one) => `${name}=${encodeURIComponent(one)}`))
		.join("&")}`;

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

/** The filters whose value a row shows, and shows otherwise. */
const mismatches = (row: Record<string, unknown>, query: Query): string[] =>
	Object.entries(query).flatMap(([name, value]) => {
		const shown = row[NAMED_OTHERWISE[name] ?? name];
		return shown === undefined || value.split("&").includes(String(shown)) ? [] : [`${name}: ${shown}`];
	});
const NAMED_OTHERWISE: { readonly [filter: string]: string } = { type: "event_type", roles: "role" };

const lists = operations.flatMap((op) => {
	const filters = filtersOf(op);
	return filters ? [[title(op), op, filters] as const] : [];
});

it("has no reason for a list that is none", () => {
	const ids = lists.map(([, { id }]) => id);
	expect(Object.keys(FEW).filter((id) => !ids.includes(id))).toEqual([]);
});

describe.each(lists)("%s", (_, op, filters) => {
	it("reads hardly more rows than it shows, for every combination of filters, page and caller", { timeout: 60_000 }, async () => {
		// A list that has no second page gets a cursor of any list.
		vi.spyOn(Keyring.prototype, "verifyTag").mockResolvedValue(true);
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const values = await crowded(op.id, parties);
		const { vars, sent } = recordingStatements();
		const faults: string[] = [];
		for (const [index, caller] of (await callers(op, parties)).entries()) {
			const read = async (query: Query) => {
				const answer = await send(op, { ...request, query: search(query) }, caller, vars);
				if (answer.status !== 200) return JSON.stringify(answer.body);
				const rowsRead = Number(/read=(\d+)/.exec(answer.headers.get("server-timing") ?? "")?.[1]);
				return { ...(answer.body as unknown as Page), rowsRead };
			};
			for (const filter of combinations(filters, values)) {
				let place: Query = {};
				let first: Page | undefined;
				for (const step of ["first", "after", "before"] as const) {
					const label = `${step} page, caller ${index}, ${search(filter)}: `;
					const page = await read({ size: String(SIZE), ...filter, ...place });
					if (typeof page === "string") {
						// Some filters are refused together.
						if (!page.includes("MUTUALLY_EXCLUSIVE")) faults.push(label + page);
						break;
					}
					const { next = page.next, prev = page.prev } = page.links ?? {};
					place = step === "first" ? { after: next ?? CURSOR } : { before: prev ?? CURSOR };
					if (FEW[op.id] !== undefined || UNIQUE.some((name) => name in filter)) continue;
					const { data, rowsRead } = page;
					first ??= page;
					const wrong = data.flatMap((row) => mismatches(row, filter));
					if (wrong.length > 0) faults.push(label + wrong.join());
					if (data.length < SIZE) faults.push(`${label}shows ${data.length}`);
					if (step === "before" && JSON.stringify(data) !== JSON.stringify(first.data)) faults.push(`${label}is not the first again`);
					// Each database gives a page of its own.
					const most = (data.length + BESIDE) * databases.length;
					if (rowsRead > most) faults.push(`${label}reads ${rowsRead} to show ${data.length}`);
				}
			}
		}
		expect(faults.length, faults.slice(0, 20).join("\n")).toBe(0);
		expect((await planFaults(sent)).filter((fault) => !isExcused(fault))).toEqual([]);
	});
});

/** A cursor of any list. */
const CURSOR = `${btoa(JSON.stringify([1_800_000_000_000, 5]))}.x`;
