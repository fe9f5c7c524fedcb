// `WRITES=off`: the service is read and nothing in it changes, for every caller: a client, a provider, a queue message or the cron.
// @module-tag thorough

import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { existsIn } from "../../src/http/operation";
import { cron } from "../support/cron";
import { operations } from "../support/domains";
import { admitted, CALLBACK_SECRET, pathOf, signed, signerOf, title } from "../support/doors";
import { environmentWith } from "../support/environments";
import { worker } from "../support/outbound";
import { servePath } from "../support/serve";

const OFF: Partial<Env> = { WRITES: "off" };
const here = operations.filter((op) => existsIn(op, "local"));
const rows = async () => {
	const { results } = await env.DB.prepare("select name from sqlite_schema where type = 'table' and name not like '\\_%' escape '\\'").run<{
		name: string;
	}>();
	const counts = results.map(({ name }) => `select '${name}' as name, count(*) as n from "${name}"`);
	return env.DB.batch(counts.map((sql) => env.DB.prepare(sql))).then((all) => all.map((one) => one.results[0]));
};

describe("while writes are off", () => {
	it.each(here.filter(({ method }) => method !== "GET").map((op) => [title(op), op] as const))("%s is 503", async (_, op) => {
		const { headers, organization } = await admitted(op);
		const before = await rows();
		const secret = signerOf(op);
		const response = await servePath(
			pathOf(op, organization),
			{ method: op.method, headers: { "content-type": "application/json", ...headers, ...(secret && (await signed("{}"))) }, body: "{}" },
			{ ...OFF, ...(secret && { [secret]: CALLBACK_SECRET }) },
		);
		expect(response.status).toBe(503);
		expect(response.headers.get("retry-after")).toBe("60");
		expect(await response.json()).toMatchObject({ code: "SERVICE_UNAVAILABLE", description: expect.stringContaining("only read") });
		expect(await rows()).toEqual(before);
	});

	it.each(here.filter(({ method }) => method === "GET").map((op) => [title(op), op] as const))("%s goes on", async (_, op) => {
		const { headers, organization } = await admitted(op);
		const before = await rows();
		const path = pathOf(op, organization);
		const answers = await Promise.all([servePath(path, { headers }, OFF), servePath(path, { headers })]);
		const [off, on] = answers.map(({ status }) => status);
		expect(off).toBe(on);
		await Promise.all(answers.map((answer) => answer.text()));
		expect(await rows()).toEqual(before);
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
