// `WRITES=off`: the service is read and nothing in it changes, for every caller: a client, a provider, a queue message or the cron.
// @module-tag thorough

import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { existsIn } from "../../src/http/operation";
import { cron } from "../support/cron";
import { operations } from "../support/domains";
import { admitted, CALLBACK_SECRET, pathOf, signed, signerOf, title } from "../support/doors";
import { Watch } from "../support/effects";
import { environmentWith } from "../support/environments";
import { worker } from "../support/outbound";
import { servePath } from "../support/serve";
import { fakeWorld } from "../support/webhooks";
import { permitted, send } from "./senders";
import { givenParties, validRequest } from "./valid-requests";

const OFF: Partial<Env> = { WRITES: "off" };
const here = operations.filter((op) => existsIn(op, "local"));
/** Reads that leave a row in the audit trail: nobody takes all that is kept about a person without one. */
const AUDITED: readonly string[] = ["exportUser"];

describe("while writes are off", () => {
	it.each(here.filter(({ method }) => method !== "GET").map((op) => [title(op), op] as const))("%s is 503", async (_, op) => {
		const { headers, organization } = await admitted(op);
		const secret = signerOf(op);
		const signature = secret && (await signed("{}"));
		const watch = await Watch.begin(fakeWorld());
		const { result: response, effects } = await watch.during((vars) =>
			servePath(
				pathOf(op, organization),
				{ method: op.method, headers: { "content-type": "application/json", ...headers, ...signature }, body: "{}" },
				{ ...vars, ...OFF, ...(secret && { [secret]: CALLBACK_SECRET }) },
			),
		);
		expect(response.status).toBe(503);
		expect(response.headers.get("retry-after")).toBe("60");
		expect(await response.json()).toMatchObject({ code: "SERVICE_UNAVAILABLE", description: expect.stringContaining("only read") });
		expect(effects).toEqual([]);
	});

	it.each(here.filter(({ method }) => method === "GET").map((op) => [title(op), op] as const))("%s goes on", async (_, op) => {
		const world = fakeWorld();
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const credentials = await permitted(op, parties, request);
		const watch = await Watch.begin(world);
		const { result, effects } = await watch.during((vars) => send(op, request, credentials, { ...vars, ...OFF }));
		expect(effects).toEqual([]);
		expect(result.status).toBe(AUDITED.includes(op.id) ? 503 : 200);
		expect((await send(op, request, credentials, {})).status).toBe(200);
	});

	it("the sweep removes nothing, and does so afterwards", async () => {
		await env.DB.exec("insert into idempotency_records (scope, fingerprint, status, expires_at) values ('s', 'f', 200, 1)");
		const records = () => env.DB.prepare("select count(*) as n from idempotency_records").first<number>("n");
		await cron(environmentWith(OFF));
		expect(await records()).toBe(1);
		await cron(environmentWith({}));
		expect(await records()).toBe(0);
	});

	it("queue messages wait", async () => {
		const batch = createMessageBatch("webhook-deliveries", [
			{ id: "1", timestamp: new Date(), attempts: 1, body: { webhookId: crypto.randomUUID() } },
		]);
		const ctx = createExecutionContext();
		await worker.queue(batch as Parameters<typeof worker.queue>[0], environmentWith(OFF), ctx);
		expect(await getQueueResult(batch, ctx)).toMatchObject({ explicitAcks: [], retryBatch: { retry: true } });
	});
});
