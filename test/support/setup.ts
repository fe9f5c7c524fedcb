// Every test starts with an empty, migrated database and empty caches, and ends without mocks and without an error in the log that it does
// not expect.

import { afterEach, beforeEach, vi } from "vitest";
import { checkAnswers } from "../../src/http/answers/projection";
import { rememberOffset } from "../../src/runtime/clock";
import { forgetAll } from "../../src/shared/cache";
import { cron } from "./cron";
import { alone } from "./databases";
import { expectSoundEvents } from "./events";
import { expectRowsAtHome } from "./homes";
import { checkIdentities } from "./identities";
import { expectNoOtherErrors, keepLog } from "./log";
import { forgetOutbound } from "./outbound";
import { closeQueues, openQueues } from "./queues";
import { requestsEnded } from "./serve";
import { emptyStorage, isUntouched, testEnv } from "./storage";

// Every answer of every test is checked against zod's own parse, formats included, and what it says must add up.
checkAnswers(checkIdentities);

let hasSwept = false;
/** A local Worker sweeps with its first request: here before any test, so that it finds nothing of one. */
async function sweepFirst(): Promise<void> {
	if (hasSwept) return;
	hasSwept = true;
	await cron(testEnv);
	await emptyStorage();
}

beforeEach(async () => {
	keepLog();
	await emptyStorage();
	await sweepFirst();
	forgetAll();
	rememberOffset(0);
	openQueues();
});

afterEach(async () => {
	vi.restoreAllMocks();
	vi.useRealTimers();
	await requestsEnded();
	await closeQueues();
	if (!isUntouched()) {
		await expectSoundEvents();
		await expectRowsAtHome();
	}
	forgetOutbound();
	// Several databases fail where a test makes one of them fail.
	if (alone) expectNoOtherErrors();
});
