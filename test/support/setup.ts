// Every test starts with an empty, migrated database and empty caches.

import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach } from "vitest";
import { forgetAll } from "../../src/shared/cache";
import { expectDocumentedEvents, expectUniqueKeys } from "./events";
import { forgetOutbound } from "./outbound";
import { closeQueues, openQueues } from "./queues";
import { requestsEnded } from "./serve";

beforeEach(async () => {
	await reset();
	forgetAll();
	await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
	openQueues();
});

afterEach(async () => {
	await requestsEnded();
	await closeQueues();
	await expectDocumentedEvents();
	await expectUniqueKeys();
	forgetOutbound();
});
