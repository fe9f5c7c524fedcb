// Health says how long due work has waited.

import { beforeEach, describe, expect, it } from "vitest";
import { forgetAll } from "../../src/shared/cache";
import { getHealth } from "../../src/wiring/health.operations";
import { call, expectOk } from "../support/client";
import { everyDatabase } from "../support/databases";
import { expectErrors } from "../support/log";
import { fakeWorld, givenWebhookOwner, raiseQuietly } from "../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

describe("health", () => {
	it("reports how long the oldest due delivery has waited", async () => {
		expect(expectOk(await call(getHealth, {}))).toMatchObject({ status: "ok", oldest_overdue_seconds: 0, storage_percent: 0 });
		const { organization, register } = await givenWebhookOwner();
		await register();
		await raiseQuietly(organization.id, -90_000);
		// An isolate keeps its answer for five seconds.
		forgetAll();
		const { oldest_overdue_seconds } = expectOk(await call(getHealth, {}));
		expect(oldest_overdue_seconds).toBeGreaterThanOrEqual(89);
		expect(oldest_overdue_seconds).toBeLessThan(120);
	});

	it("responds 503 when D1 cannot be reached", async () => {
		expectErrors(
			"the database is older than this version of the service: apply the migrations, as npm start and npm run deploy do at their beginning",
		);
		await call(getHealth, {});
		await everyDatabase.exec("alter table webhook_deliveries rename to gone");
		forgetAll();
		expect(await call(getHealth, {})).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
	});
});
