// Every test starts with an empty, migrated database and empty caches, and ends without mocks.

import { afterEach, beforeEach, vi } from "vitest";
import { checkAnswers } from "../../src/http/answers/projection";
import { rememberOffset } from "../../src/runtime/clock";
import { forgetAll } from "../../src/shared/cache";
import { expectSoundEvents } from "./events";
import { expectRowsAtHome } from "./homes";
import { checkIdentities } from "./identities";
import { forgetOutbound } from "./outbound";
import { closeQueues, openQueues } from "./queues";
import { requestsEnded } from "./serve";
import { emptyStorage, isUntouched } from "./storage";

// Every answer of every test is checked against zod's own parse, formats included, and what it says must add up.
checkAnswers(checkIdentities);

beforeEach(async () => {
	await emptyStorage();
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
});
