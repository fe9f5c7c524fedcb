// What each operation costs: its valid request stays within its budget in test/contract/budgets.ts, and searches by indexes alone.
// `PRINT_BUDGETS=1 npx vitest run --project workers test/contract/budgets.test.ts` prints the table as measured.

import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { forgetAll } from "../../src/shared/cache";
import { alone } from "../support/databases";
import { operations } from "../support/domains";
import { title } from "../support/doors";
import { planFaults, recordingStatements } from "../support/statements";
import { fakeWorld } from "../support/webhooks";
import { BUDGETS, USUAL } from "./budgets";
import { isExcused } from "./plans";
import { permitted, send } from "./senders";
import { givenParties, validRequest } from "./valid-requests";

beforeEach(() => {
	fakeWorld();
});

/** Trips, rows read and rows written. */
type Cost = readonly [number, number, number];

function costOf(headers: Headers): Cost {
	const [, trips, read, written] = /trips=(\d+) read=(\d+) written=(\d+)/.exec(headers.get("server-timing") ?? "") ?? [];
	if (written === undefined) throw new Error("the answer has no Server-Timing");
	return [Number(trips), Number(read), Number(written)];
}

/** A read takes one trip, a change two. */
const isOverGoal = ([trips, , written]: Cost) => trips > (written === 0 ? 1 : 2);

describe("the table of budgets", () => {
	it("lists only operations that exist", () => {
		const ids = operations.map(({ id }) => id);
		expect(Object.keys(BUDGETS).filter((id) => !ids.includes(id))).toEqual([]);
	});

	it("gives a reason for each operation that takes more trips than a read or a change needs, and for no other", () => {
		for (const [id, { cost, why }] of Object.entries(BUDGETS)) expect(why !== undefined, id).toBe(isOverGoal(cost));
	});
});

const measured: string[] = [];
afterAll(() => {
	if (env.PRINT_BUDGETS) console.log(measured.sort().join("\n"));
});

// A directory with homes takes further trips, for names and copies.
describe.skipIf(!alone).each(operations.map((op) => [title(op), op] as const))("%s", (_, op) => {
	it("stays within its budget, and searches by indexes alone", async () => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const credentials = await permitted(op, parties, request);
		// Like an isolate that has never seen this caller.
		forgetAll();
		const { vars, sent } = recordingStatements();
		const answer = await send(op, request, credentials, vars);
		expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
		const cost = costOf(answer.headers);
		measured.push(`\t${op.id}: { cost: [${cost.join(", ")}] },`);
		expect((await planFaults(sent)).filter((fault) => !isExcused(fault))).toEqual([]);
		const budget = (BUDGETS[op.id] ?? (op.method === "GET" ? USUAL.read : USUAL.change)).cost;
		const isOver = cost.some((value, index) => value > (budget[index] ?? 0));
		expect(isOver, `took ${cost.join(", ")} of ${budget.join(", ")}: trips, rows read, rows written`).toBe(false);
	});
});
