// One world that has seen every change, and in which what they lead to has fallen due.

import { expect } from "vitest";
import { DAY_MS } from "../../src/shared/time";
import { advanceClock } from "../../src/wiring/clock.operations";
import { moveClock } from "../support/clock";
import { freshNumber } from "../support/current-accounts";
import { operations } from "../support/domains";
import { fakeWorld } from "../support/webhooks";
import { permitted, send } from "./senders";
import { givenParties, validRequest } from "./valid-requests";

// Advancing the clock does what is due, so that the sweep would not find it any more.
const changes = operations.filter(({ method, id }) => method !== "GET" && id !== advanceClock.id);

export async function givenAllChanges(): Promise<void> {
	for (const op of changes) {
		// A provider's stand-in in one change is in the way of the next.
		fakeWorld();
		const parties = await givenParties(freshNumber());
		const request = await validRequest(op, parties);
		const { status, body } = await send(op, request, await permitted(op, parties, request), {});
		expect(status, `${op.id}: ${JSON.stringify(body)}`).toBeLessThan(300);
	}
	fakeWorld();
	await moveClock(90 * DAY_MS);
}
