// In workerd, because only its SQLite counts the rows that a statement reads. Each operation reads as many rows in a large world as in a
// small one: beside each row that its valid request needs stand hundreds that look like it.
// `PRINT_BUDGETS=1 npx vitest run --project workers test/contract/growth.workerd.test.ts --reporter=default` prints those that read most.

import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnyOperation } from "../../src/http/operation";
import { forgetAll } from "../../src/shared/cache";
import { Keyring } from "../../src/shared/keyring";
import { rowsRead } from "../support/credit";
import { alone } from "../support/databases";
import { operations } from "../support/domains";
import { title } from "../support/doors";
import { grow } from "../support/growth";
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

/** Lists whose pages look at a thousand accounts. `domains/credit-accounts/portfolio/lists` measures them in a crowd of its own. */
const LOOKING = new Set(["listPortfolioAccounts", "listPortfolioEntries"]);
const judged = operations.filter(({ id }) => !LOOKING.has(id));

const budgetOf = ({ id, method }: AnyOperation): number => (BUDGETS[id] ?? (method === "GET" ? USUAL.read : USUAL.change)).cost[2];

const measured: (readonly [operation: string, small: number, large: number])[] = [];
afterAll(() => {
	const most = measured.sort(([, , a], [, , b]) => b - a).slice(0, 40);
	if (env.PRINT_BUDGETS) console.log(most.map((line) => line.join("\t")).join("\n"));
});

function expectFew(op: AnyOperation, read: number, about = ""): void {
	measured.push([`${op.id}${about}`, budgetOf(op), read]);
	expect.soft(read, `${op.id}${about}`).toBeLessThanOrEqual(budgetOf(op) + PAGE);
}

describe.skipIf(!alone).each(judged.map((op) => [title(op), op] as const))("%s", (_, op) => {
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

const lists = judged.flatMap((op) => {
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
				if (answer.status === 200) expectFew(op, rowsRead(answer), `?${query}`);
			}
	});
});
