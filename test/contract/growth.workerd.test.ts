// In workerd, because only its SQLite counts the rows that a statement reads. Each operation reads as many rows in a large world as in a
// small one: next to each row that its valid request needs stand hundreds that look like it. `PRINT_BUDGETS=1 npx vitest run --project
// workers test/contract/growth.workerd.test.ts --reporter=default` prints those that read most.

import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import type { AnyOperation } from "../../src/http/operation";
import { forgetAll } from "../../src/shared/cache";
import { Keyring } from "../../src/shared/keyring";
import { rowsRead } from "../support/credit";
import { alone } from "../support/databases";
import { operations } from "../support/domains";
import { title } from "../support/doors";
import { grow } from "../support/growth";
import { printMeasured } from "../support/log";
import { fakeWorld } from "../support/webhooks";
import { BUDGETS, USUAL } from "./budgets";
import { callers, filtersOf, queriesOf } from "./promises/filters";
import { permitted, send } from "./senders";
import { givenParties, validRequest } from "./valid-requests";

beforeEach(() => {
	fakeWorld();
});

/** Rows in all. */
const CROWD = 20_000;

/** What a page of the crowd may cost more. */
const PAGE = 60;

/**
 * What lists may read more whose pages look at a thousand accounts, once for those that belong on the page and once for the last of them,
 * or at five hundred entries of the journal. `domains/portfolio/lists` bounds what the facts of these accounts add.
 */
const LOOKING: { readonly [operation: string]: number } = {
	listLedgerEntries: 520,
	listPortfolioAccounts: 2_200,
	listPortfolioEntries: 2_200,
};

const budgetOf = ({ id, method }: AnyOperation): number => (BUDGETS[id] ?? (method === "GET" ? USUAL.read : USUAL.change)).cost[2];

const measured: (readonly [operation: string, small: number, large: number])[] = [];
afterAll(() => {
	const byOperation = Map.groupBy(
		measured.sort(([, , a], [, , b]) => b - a),
		([operation]) => operation.split("?")[0],
	);
	const most = [...byOperation.values()].flatMap(([first]) => (first ? [first] : [])).slice(0, 40);
	printMeasured(() => most.map((line) => line.join("\t")).join("\n"));
});

function expectFew(op: AnyOperation, read: number, about = ""): void {
	measured.push([`${op.id}${about}`, budgetOf(op), read]);
	expect.soft(read, `${op.id}${about}`).toBeLessThanOrEqual(budgetOf(op) + (LOOKING[op.id] ?? PAGE));
}

describe.skipIf(!alone).each(operations.map((op) => [title(op), op] as const))("%s", (_, op) => {
	it("reads hardly more rows in a large world", async () => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const credentials = await permitted(op, parties, request);
		await grow(CROWD);
		// Like an isolate that has never seen this caller.
		forgetAll();
		const answer = await send(op, request, credentials, {});
		expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
		expectFew(op, rowsRead(answer));
	});
});

const lists = operations.flatMap((op) => {
	const filters = filtersOf(op);
	return filters ? [[title(op), op, filters] as const] : [];
});

describe.skipIf(!alone).each(lists)("%s", (_, op, filters) => {
	it("reads hardly more rows by any of its filters", async () => {
		vi.spyOn(Keyring.prototype, "verifyTag").mockResolvedValue(true);
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const of = await callers({ op, parties, request });
		await grow(CROWD);
		for (const caller of of)
			for (const query of queriesOf(filters, parties)) {
				const answer = await send(op, { ...request, query: `?${query}` }, caller, {});
				// Some filters are refused together.
				expect.soft(answer.status, `${op.id}?${query}`).toBeLessThan(500);
				if (answer.status === 200) expectFew(op, rowsRead(answer), `?${query}`);
			}
	});
});

/** Lists without pages, each with the reason why its length does not grow with a table. */
const WHOLE: { readonly [operation: string]: string } = {
	getAttention: "A row for each kind of work.",
	getMessageStatistics: "A row for each day, provider and kind, of a period of bounded length.",
	listDevices: "A user has at most ten devices.",
	listEventTypes: "The types are part of the program.",
	listOwners: "It answers for the rows that the query names, a hundred at most.",
	listImportLines: "The lines of one account, whose number an import bounds.",
	listWebhooks: "An organization has a bounded number of endpoints.",
};

/** Whether the operation answers rows: an array, or an object whose `data` is one. */
function answersRows({ method, response }: AnyOperation): boolean {
	if (method !== "GET" || !response) return false;
	const shape = z.toJSONSchema(response, { io: "input", unrepresentable: "any" }) as { type?: string; properties?: Record<string, Shape> };
	return shape.type === "array" || shape.properties?.data?.type === "array";
}
type Shape = { readonly type?: string };

it.skipIf(!alone)("every operation is counted here, and every list by its filters, or it is said why not", () => {
	const names = measured.map(([name]) => name);
	const whole = new Set(names);
	const missing = operations.filter(({ id }) => !whole.has(id)).map(({ id }) => id);
	expect(missing, "operations that are not counted").toEqual([]);
	const rows = operations.filter(answersRows).map(({ id }) => id);
	const byFilters = new Set(names.filter((name) => name.includes("?")).map((name) => name.split("?")[0]));
	expect(
		rows.filter((id) => !byFilters.has(id) && !WHOLE[id]),
		"lists that are counted by no filter",
	).toEqual([]);
	expect(
		Object.keys(WHOLE).filter((id) => !rows.includes(id) || byFilters.has(id)),
		"no such lists",
	).toEqual([]);
});
