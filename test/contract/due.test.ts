// The work that falls due after every change, in one world that has seen all of them. Nothing scans a table or sorts its rows, so the work
// costs the same however many rows there are.

import { expect, it } from "vitest";
import { DAY_MS } from "../../src/shared/time";
import { advanceClock } from "../../src/wiring/clock.operations";
import { moveClock } from "../support/clock";
import { cron } from "../support/cron";
import { freshNumber } from "../support/current-accounts";
import { operations } from "../support/domains";
import { expectErrors } from "../support/log";
import { recordingStatements } from "../support/statements";
import { testEnv } from "../support/storage";
import { fakeWorld } from "../support/webhooks";
import { unexcused } from "./promises/permitted";
import { permitted, send } from "./senders";
import { givenParties, validRequest } from "./valid-requests";

// It does what is due, so that the sweep would not find it any more.
const changes = operations.filter(({ method, id }) => method !== "GET" && id !== advanceClock.id);

it("the work that falls due after all changes is found by indexes alone", async () => {
	expectErrors("a receipt of a payout is that of another one");
	for (const op of changes) {
		// What stands in for a provider in one change is in the way of the next.
		fakeWorld();
		const parties = await givenParties(freshNumber());
		const request = await validRequest(op, parties);
		const { status, body } = await send(op, request, await permitted(op, parties, request), {});
		expect(status, `${op.id}: ${JSON.stringify(body)}`).toBeLessThan(300);
	}
	fakeWorld();
	await moveClock(90 * DAY_MS);
	const { vars, sent } = recordingStatements();
	for (let known = -1; sent.size > known; ) {
		known = sent.size;
		await cron({ ...testEnv, ...vars });
	}
	expect(await unexcused(sent)).toEqual([]);
});
