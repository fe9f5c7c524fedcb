// Every test starts with an empty, migrated database and an isolate that remembers nothing.

import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach } from "vitest";
import { forgetAll } from "../../src/shared/cache";
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
	forgetOutbound();
});
