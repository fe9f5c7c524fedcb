// The query plans of the work that falls due after each change: nothing scans a table or sorts its rows, so it costs the same however many
// rows there are. `lists.test.ts` looks at the plans of lists, `budgets.test.ts` at those of each operation.

import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "../../src/shared/time";
import { moveClock } from "../support/clock";
import { cron } from "../support/cron";
import { operations } from "../support/domains";
import { title } from "../support/doors";
import { planFaults, recordingStatements } from "../support/statements";
import { testEnv } from "../support/storage";
import { fakeWorld } from "../support/webhooks";
import { isExcused } from "./plans";
import { permitted, send } from "./senders";
import { givenParties, type ValidRequest, validRequest } from "./valid-requests";

beforeEach(() => {
	fakeWorld();
});

describe("a list that a statement is given", () => {
	const given = "(select value ->> 'id' as id from json_each(?)) w";
	const faults = async (statement: string) => (await planFaults(new Map([[statement, ["[]"]]]))).map(({ step }) => step);

	it("is not read again for each row of a search", async () => {
		const driven = await faults(`select u.tag from users u join ${given} on u.id = w.id where u.status = 'ACTIVE'`);
		expect(driven).toEqual(["SCAN json_each VIRTUAL TABLE INDEX 1:"]);
		expect(await faults(`select u.tag from ${given} cross join users u where u.id = w.id and u.status = 'ACTIVE'`)).toEqual([]);
	});

	it("may be read for the one row that a unique key finds", async () => {
		expect(await faults(`select w.id from users u cross join ${given} where u.id = 'a' and w.id > u.tag`)).toEqual([]);
		expect(await faults(`select w.id from webhook_events e cross join ${given} where e.organization_id = 'a'`)).toHaveLength(1);
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
