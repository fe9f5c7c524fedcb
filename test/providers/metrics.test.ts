// What the metrics hold, that they hold no ids, and that the queries of docs/operations.md say of them what they promise to.

import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import guide from "../../docs/operations.md?raw";
import { member, user } from "../../src/http/callers/access";
import { metricsBy } from "../../src/providers/metrics";
import { ALERTS } from "../../src/wiring/alerts.policy";
import { cron } from "../support/cron";
import { givenMember, givenOrganization, givenUser } from "../support/factories";
import { worker } from "../support/outbound";
import { probe, whoami } from "../support/probe";
import {
	claimOnly,
	fakeWorld,
	givenDelivery,
	givenWebhookOwner,
	messagesFor,
	onlyDelivery,
	quietQueues,
	raiseQuietly,
	type World,
} from "../support/webhooks";

let points: Required<AnalyticsEngineDataPoint>[];
let world: World;
beforeEach(() => {
	points = [];
	world = fakeWorld();
	vi.spyOn(console, "log").mockImplementation(() => {});
	vi.spyOn(console, "error").mockImplementation(() => {});
});
const METRICS: AnalyticsEngineDataset = {
	writeDataPoint: (point) => void points.push({ indexes: [], blobs: [], doubles: [], ...point }),
};
const deployed = {
	ENVIRONMENT: "sandbox",
	BASE_URL: "http://localhost",
	WEBHOOK_ALLOWED_NETWORKS: "",
	WEBHOOK_ALLOWED_PORTS: "443",
	RATE_LIMITS: "on",
	METRICS,
};

async function queued(ids: readonly unknown[], bindings: object = deployed, queue = "any") {
	const batch = createMessageBatch(queue, await messagesFor(ids));
	const ctx = createExecutionContext();
	await worker.queue(batch as never, { ...quietQueues(), ...bindings }, ctx);
	await getQueueResult(batch, ctx);
}

describe("the metrics", () => {
	it("count requests by operation, status, code and caller, and never name who it was", async () => {
		const { id: organizationId } = await givenOrganization();
		const viewer = await givenMember(organizationId, "organization-viewer");
		const { id, token } = await givenUser();
		const ask = (op: Parameters<typeof probe>[0][number], as: string, headers = {}) => probe([op], { as, headers }, { vars: deployed });
		await ask(whoami(user), token);
		await ask(whoami(member("org:webhooks:write")), viewer.token, { "x-organization-id": organizationId });
		await ask(whoami(user), "rubbish");
		expect(points.map(({ blobs }) => blobs)).toEqual([
			["request", "whoami", "200", null, "user"],
			["request", "whoami", "403", "FORBIDDEN", "member"],
			["request", "whoami", "401", "UNAUTHORISED", "none"],
		]);
		expect(points[0]?.doubles).toEqual([1, expect.any(Number), 1, expect.any(Number), 0]);
		for (const secret of [id, viewer.id, organizationId, token]) expect(JSON.stringify(points)).not.toContain(secret);
	});

	it("count claims that ran out before their attempts ended, by cause", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		const { delivery } = await givenDelivery();
		await claimOnly(delivery);
		vi.setSystemTime(Date.now() + 10 * 60_000);
		await cron({ ...quietQueues(), ...deployed });
		const claims = points.filter(({ blobs }) => blobs[0] === "expiredClaims");
		expect(claims.map(({ blobs, doubles }) => [blobs[1], doubles])).toEqual([["CLAIM_EXPIRED", [1]]]);
	});

	it("count attempts by how they ended, one point for each way, without their addresses", async () => {
		const { organization, register } = await givenWebhookOwner();
		const webhook = await register({ url: "https://hooks.example/secret-path" });
		for (const _ of [1, 2, 3]) await raiseQuietly(organization.id);
		let asked = 0;
		world.answer = () => new Response(null, { status: ++asked === 2 ? 500 : 204 });
		await queued([webhook.id]);
		const attempts = points.filter(({ blobs }) => blobs[0] === "attempts").map(({ blobs, doubles }) => [blobs[1], blobs[2], doubles[0]]);
		expect(attempts.toSorted()).toEqual([
			["DELIVERED", null, 2],
			["HTTP_ERROR", null, 1],
		]);
		expect(JSON.stringify(points)).not.toMatch(/secret-path|hooks\.example/);
	});

	it("are none on this machine, and nothing fails where they cannot be written", async () => {
		const { token } = await givenUser();
		await probe([whoami(user)], { as: token }, { vars: { METRICS } });
		expect(points).toEqual([]);
		const full = {
			writeDataPoint: () => {
				throw new Error("too many points");
			},
		};
		expect((await probe([whoami(user)], { as: token }, { vars: { ...deployed, METRICS: full } })).status).toBe(200);
	});
});

/** The queries of the guide, by their names. */
const queries = [...guide.matchAll(/^`([\w -]+)`:[^\n]*\n(?:[^\n`]+\n)*\n```sql\n-- (Analytics Engine|D1)\n([\s\S]*?)^```$/gm)].map(
	([, name = "", engine = "", sql = ""]) => ({ name, engine, sql }),
);
const queryNamed = (name: string) => queries.find((query) => query.name === name)?.sql ?? "";

/** As SQLite writes what Analytics Engine writes otherwise. Everything else means the same in both. */
const inSqlite = (sql: string) =>
	sql
		.replaceAll(/NOW\(\) - INTERVAL '(\d+)' MINUTE/g, "datetime('now', '-$1 minutes')")
		.replaceAll("FROM financial_account_service_production", "FROM points");

/** The points as Analytics Engine would answer a query over them. */
async function asked(name: string): Promise<Record<string, unknown>[]> {
	const columns = [...["blob", "double"].flatMap((kind) => [1, 2, 3, 4, 5].map((n) => `${kind}${n}`))];
	await env.DB.exec(`create table if not exists points (timestamp, _sample_interval, ${columns.join(", ")})`);
	await env.DB.exec("delete from points");
	for (const { blobs, doubles } of points) {
		// Columns that a point leaves out are empty there: texts '', numbers 0.
		const values = [1, 2, 3, 4, 5].flatMap((_, i) => [blobs[i] ?? ""]).concat([0, 1, 2, 3, 4].map((i) => doubles[i] ?? 0) as never[]);
		await env.DB.prepare(`insert into points values (datetime('now'), 1, ${values.map(() => "?").join(", ")})`)
			.bind(...values)
			.run();
	}
	const { results } = await env.DB.prepare(inSqlite(queryNamed(name))).all();
	await env.DB.exec("drop table points");
	return results as Record<string, unknown>[];
}

describe("the guide's alerts", () => {
	it("each name a query that is there", () => {
		const table = guide.slice(guide.indexOf("| Alert |"), guide.indexOf("`GET /v1/platform/attention`"));
		const named = new Set([...table.matchAll(/`([a-z0-9][\w ]*)`/g)].map(([, name]) => name).filter((name) => !/_/.test(name ?? "")));
		expect([...named].toSorted()).toEqual(queries.map(({ name }) => name).toSorted());
	});

	it("count the same payouts as waiting as the service's own", () => {
		const [ended = ""] = /status NOT IN \([^)]*\)/.exec(ALERTS.find(({ name }) => name === "instructions")?.query ?? "") ?? [];
		expect(ended).toContain("SUCCEEDED");
		expect(queryNamed("instructions")).toContain(ended);
	});

	it("are fed by queries over the points that the service writes", async () => {
		const { token } = await givenUser();
		const broken = { ...whoami(user), handle: () => Promise.reject(new Error("broken")) };
		for (const op of [whoami(user), broken]) await probe([op], { as: token }, { vars: deployed });
		await probe([whoami(user)], { as: "rubbish" }, { vars: deployed });
		expect(await asked("5xx")).toEqual([{ operation: "whoami", status: "500", answers: 1 }]);
		expect(await asked("slow")).toEqual([{ operation: "whoami", calls: 3, ms: expect.any(Number), trips: expect.any(Number) }]);
		expect(await asked("refusals")).toEqual([{ code: "UNAUTHORISED", caller: "none", operation: "whoami", answers: 1 }]);

		const { organization, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id, -600_000);
		expect(await rowsOf("late")).toMatchObject([{ organization_id: organization.id, id: webhook.id, late: 1 }]);
		points = [];
		await cron({ ...quietQueues(), ...deployed } as unknown as Env);
		const swept = await asked("sweep");
		expect(swept[0]).toMatchObject({ database: "DB", storage_percent: 0, kinds_left: 0 });
		expect(Math.max(...swept.map(({ overdue_seconds }) => Number(overdue_seconds)))).toBeGreaterThanOrEqual(599);

		points = [];
		await queued([(await onlyDelivery(webhook.id)).id]);
		expect(await asked("attempts")).toEqual([{ outcome: "DELIVERED", error: "", attempts: 1, ms: expect.any(Number) }]);
		await queued([webhook.id], { ...deployed, DEAD_LETTER_QUEUE: "the-dead" }, "the-dead");
		expect(await asked("dead letters")).toEqual([{ queue: "the-dead", messages: 1 }]);
	});

	it("show what providers were asked, and how they answered", async () => {
		const metrics = metricsBy({ ENVIRONMENT: "production" }, METRICS);
		for (const outcome of ["TAKEN", "UNKNOWN", "TAKEN"]) metrics?.record({ kind: "provider", what: "payouts", outcome, count: 1 });
		expect(await asked("providers")).toEqual([
			{ what: "payouts", outcome: "TAKEN", requests: 2 },
			{ what: "payouts", outcome: "UNKNOWN", requests: 1 },
		]);
	});

	/** What a query of the guide finds in all databases of the tests. */
	async function rowsOf(name: string): Promise<unknown[]> {
		const bound = [
			env.DB,
			...Object.entries(env).flatMap(([binding, value]) => (binding.startsWith("SHARD_") ? [value as D1Database] : [])),
		];
		const found = await Promise.all(bound.map((database) => database.prepare(queryNamed(name)).all()));
		return found.flatMap(({ results }) => results);
	}

	it.each(queries.filter(({ engine }) => engine === "D1").map(({ name }) => [name]))("run on D1: %s", async (name) => {
		expect(await rowsOf(name)).toEqual([]);
	});
});
