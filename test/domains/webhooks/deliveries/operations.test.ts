import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getHealth } from "../../../../src/domains/health/operations";
import { getDelivery, listDeliveries, retryDelivery, testWebhook } from "../../../../src/domains/webhooks/deliveries/operations";
import { getWebhookStats, verifySignature } from "../../../../src/domains/webhooks/diagnosis/operations";
import { createWebhook, deleteWebhook, getWebhook, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { getEvent, listEvents } from "../../../../src/domains/webhooks/feed/operations";
import { createSigningKey, revokeSigningKey } from "../../../../src/domains/webhooks/signing/operations";
import { forgetAll } from "../../../../src/shared/cache";
import { advanceClock, getClock } from "../../../../src/wiring/clock.operations";
import { call, expectOk, send } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { operatorToken } from "../../../support/factories";
import { attemptAt, deliveriesOf, fakeWorld, givenWebhookOwner, onlyDelivery, raiseQuietly, type World } from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});
afterEach(() => {
	vi.restoreAllMocks();
});

const advance = async (duration: string) => expectOk(await call(advanceClock, { as: await operatorToken(), body: { advance: duration } }));

describe("the feed", () => {
	it("shows every event once, oldest first, with a gapless sequence, whether or not anybody subscribes", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		await register();
		await register();
		await Promise.all(Array.from({ length: 10 }, () => raiseQuietly(organization.id)));
		const { data, next, prev } = expectOk(await call(listEvents, { as, query: {} }));
		expect(data.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
		expect(data[0]).toMatchObject({
			event_type: "user.admitted",
			category: "USER",
			event_key: `user.admitted:${data[0]?.data.user_id}`,
			payload_version: 1,
		});
		expect(prev).toBeNull();
		expect(next).toBeTruthy();
		expect(expectOk(await call(getEvent, { as, path: { event_id: data[3]?.id ?? "" } }))).toEqual(data[3]);
	});

	it("has a next cursor even when empty or at its end, from which a reader continues", async () => {
		const { organization, as } = await givenWebhookOwner();
		const empty = expectOk(await call(listEvents, { as, query: {} }));
		expect(empty).toMatchObject({ data: [], prev: null });
		expect(expectOk(await call(listEvents, { as, query: { after: empty.next } }))).toEqual(empty);
		await raiseQuietly(organization.id);
		const first = expectOk(await call(listEvents, { as, query: { after: empty.next } }));
		expect(first.prev).toBeNull();
		expect(first.data.map(({ sequence }) => sequence)).toEqual([1]);
		const end = expectOk(await call(listEvents, { as, query: { after: first.next } }));
		expect(end.data).toEqual([]);
		await raiseQuietly(organization.id);
		const more = expectOk(await call(listEvents, { as, query: { after: end.next } }));
		expect(more.data.map(({ sequence }) => sequence)).toEqual([2]);
		const back = expectOk(await call(listEvents, { as, query: { before: end.prev ?? "" } }));
		expect(back.data.map(({ sequence }) => sequence)).toEqual([1]);
	});

	it("pages both ways over the same rows in the same order", async () => {
		const { organization, as } = await givenWebhookOwner();
		for (let i = 0; i < 5; i++) await raiseQuietly(organization.id);
		const sequences: number[] = [];
		let after: string | undefined;
		let last = expectOk(await call(listEvents, { as, query: { size: "2" } }));
		const pages = [last];
		for (; last.data.length > 0; after = last.next) {
			sequences.push(...last.data.map(({ sequence }) => sequence));
			last = expectOk(await call(listEvents, { as, query: { size: "2", after: last.next } }));
			pages.push(last);
		}
		expect(sequences).toEqual([1, 2, 3, 4, 5]);
		expect(after).toBeTruthy();
		const back = expectOk(await call(listEvents, { as, query: { size: "2", before: pages[2]?.prev ?? "" } }));
		expect(back.data.map(({ sequence }) => sequence)).toEqual([3, 4]);
		const start = expectOk(await call(listEvents, { as, query: { size: "2", before: back.prev ?? "" } }));
		expect(start).toMatchObject({ data: [{ sequence: 1 }, { sequence: 2 }], prev: null });
	});

	it("filters by type and time (from inclusive, until exclusive), and binds its cursors to the filters and the owner", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		await call(testWebhook, { as, path: { webhook_id: webhook.id } });
		await raiseQuietly(organization.id, 60_000);
		const { data } = expectOk(await call(listEvents, { as, query: {} }));
		const ofType = expectOk(await call(listEvents, { as, query: { type: "webhook.test" } }));
		expect(ofType.data.map(({ sequence }) => sequence)).toEqual([2]);
		const at = data[2]?.created_at ?? "";
		expect(expectOk(await call(listEvents, { as, query: { created_from: at } })).data).toEqual([data[2]]);
		expect(expectOk(await call(listEvents, { as, query: { created_until: at } })).data).toEqual(data.slice(0, 2));
		const bad = await call(listEvents, { as, query: { after: ofType.next } });
		expect(bad).toMatchObject({ status: 400, body: { invalid_params: [{ path: "query.after", sub_code: "INVALID_CURSOR" }] } });
		const stranger = await givenWebhookOwner();
		expect((await call(listEvents, { as: stranger.as, query: { type: "webhook.test", after: ofType.next } })).status).toBe(400);
		expect((await call(getEvent, { as: stranger.as, path: { event_id: data[0]?.id ?? "" } })).status).toBe(404);
		expect((await send(listEvents as never, { as, query: { type: "no.such" } })).status).toBe(400);
		expect((await call(listEvents, { as, query: { created_from: "yesterday" } })).status).toBe(400);
	});

	it("never goes back in time, even when the clocks of isolates differ", async () => {
		const { organization, as } = await givenWebhookOwner();
		await raiseQuietly(organization.id, 60_000);
		await raiseQuietly(organization.id);
		const [first, second] = expectOk(await call(listEvents, { as, query: {} })).data;
		expect(second?.created_at).toBe(first?.created_at);
	});
});

describe("the delivery log", () => {
	it("is newest first, with all filters, without bodies", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const [a, b] = [await register({ url: "https://a.example/in" }), await register({ url: "https://b.example/in" })];
		world.answer = ({ url }) => new Response(null, { status: url.includes("a.example") ? 204 : 500 });
		for (let i = 0; i < 3; i++) await raiseQuietly(organization.id, -180_000 + i * 60_000);
		await attemptAt(a.id);
		await attemptAt(b.id);
		const all = expectOk(await call(listDeliveries, { as, query: {} }));
		expect(all.data).toHaveLength(6);
		expect(all).toMatchObject({ next: null, prev: null });
		expect(all.data.map(({ created_at }) => created_at)).toEqual(
			all.data
				.map(({ created_at }) => created_at)
				.toSorted()
				.reverse(),
		);
		expect(all.data[0]).not.toHaveProperty("body");
		const ofA = expectOk(await call(listDeliveries, { as, query: { webhook_id: a.id, size: "2" } }));
		expect(ofA.data.map(({ webhook_id, status }) => [webhook_id, status])).toEqual([
			[a.id, "DELIVERED"],
			[a.id, "DELIVERED"],
		]);
		const rest = expectOk(await call(listDeliveries, { as, query: { webhook_id: a.id, size: "2", after: ofA.next ?? "" } }));
		expect(rest.data).toHaveLength(1);
		expect(expectOk(await call(listDeliveries, { as, query: { webhook_id: a.id, size: "2", before: rest.prev ?? "" } })).data).toEqual(
			ofA.data,
		);
		expect((await call(listDeliveries, { as, query: { webhook_id: b.id, after: ofA.next ?? "" } })).status).toBe(400);
		expect(expectOk(await call(listDeliveries, { as, query: { status: "PENDING" } })).data).toHaveLength(3);
		const middle = all.data[2]?.created_at ?? "";
		expect(expectOk(await call(listDeliveries, { as, query: { created_from: middle } })).data).toHaveLength(4);
		expect(expectOk(await call(listDeliveries, { as, query: { created_until: middle } })).data).toHaveLength(2);
		expect(expectOk(await call(listDeliveries, { as, query: { event_type: "webhook.test" } })).data).toEqual([]);
		expect(await call(listDeliveries, { as, query: { event_type: "no.such" } })).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "query.event_type", sub_code: "NOT_ALLOWED" }] },
		});
		const stranger = await givenWebhookOwner();
		expect(expectOk(await call(listDeliveries, { as: stranger.as, query: { webhook_id: a.id } })).data).toEqual([]);
	});

	it("shows one delivery with its body and every attempt, read in one round trip", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		const { id } = await onlyDelivery(webhook.id);
		expect(expectOk(await call(getDelivery, { as, path: { id } }))).toMatchObject({ body: null, attempts: 0, attempt_log: [] });
		world.answer = () => new Response("try later", { status: 503 });
		await attemptAt(webhook.id);
		const answer = await call(getDelivery, { as, path: { id } });
		const record = expectOk(answer);
		expect(record).toMatchObject({
			id,
			webhook_id: webhook.id,
			status: "PENDING",
			attempts: 1,
			next_attempt_at: expect.any(String),
			body: world.received[0]?.body,
			last_error: "The endpoint responded with 503.",
			attempt_log: [{ number: 1, trigger: "AUTOMATIC", outcome: "HTTP_ERROR", response_status: 503, response_body: "try later" }],
		});
		expect(answer.headers.get("server-timing")).toContain("trips=1 ");
		const stranger = await givenWebhookOwner();
		expect((await call(getDelivery, { as: stranger.as, path: { id } })).status).toBe(404);
	});
});

describe("the sandbox's clock", () => {
	it("takes a delivery through six attempts in half an hour, one for each call", async () => {
		world.answer = () => new Response(null, { status: 500 });
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		const counts: number[] = [];
		for (const duration of ["PT1S", "PT17S", "PT50S", "PT150S", "PT450S", "PT1340S", "PT1H"]) {
			await advance(duration);
			counts.push(world.received.length);
		}
		expect(counts).toEqual([1, 2, 3, 4, 5, 6, 6]);
		const { id } = await onlyDelivery(webhook.id);
		expect(expectOk(await call(getDelivery, { as, path: { id } }))).toMatchObject({ status: "FAILED", attempts: 6 });
	});

	it("makes one attempt for each delivery, however far it is moved, in due order", async () => {
		world.answer = () => new Response(null, { status: 500 });
		const { organization, register } = await givenWebhookOwner();
		const webhook = await register();
		const raised: string[] = [];
		for (let i = 0; i < 7; i++) raised.push(await raiseQuietly(organization.id));
		await advance("P1D");
		expect(world.received.map(({ body }) => JSON.parse(body).data.user_id).toSorted()).toEqual(raised.toSorted());
		expect((await deliveriesOf(webhook.id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1, 1, 1]);
	});

	it("does not affect the time in signatures, only the recorded times", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		await advance("P30D");
		await raiseQuietly(organization.id, 0);
		await advance("PT1S");
		const t = Number(/t=(\d+)/.exec(world.received[0]?.headers.get("x-service-signature") ?? "")?.[1]);
		expect(Math.abs(t - Date.now() / 1000)).toBeLessThan(60);
		const { id } = await onlyDelivery(webhook.id);
		const record = expectOk(await call(getDelivery, { as, path: { id } }));
		expect(Date.parse(record.delivered_at ?? "")).toBeGreaterThan(Date.now() + 29 * 86_400_000);
		expect(Date.parse(expectOk(await call(getClock, { as: await operatorToken() })).now)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
	});

	it.each(["PT0S", "-PT1S", "P367D", "half an hour", ""])("is not moved by %j", async (duration) => {
		const answer = await call(advanceClock, { as: await operatorToken(), body: { advance: duration } });
		expect(answer).toMatchObject({ status: 400, body: { invalid_params: [{ path: "advance" }] } });
	});

	it("is for operators only", async () => {
		const { as } = await givenWebhookOwner();
		expect((await call(advanceClock, { as, body: { advance: "PT1S" } })).status).toBe(403);
	});
});

async function givenFinished(status = 204) {
	const owner = await givenWebhookOwner();
	const webhook = await owner.register();
	await raiseQuietly(owner.organization.id);
	world.answer = () => new Response(null, { status });
	await attemptAt(webhook.id);
	const { id } = await onlyDelivery(webhook.id);
	return { ...owner, webhook, id, path: { delivery_id: id } };
}

describe("a manual retry", () => {
	it("sends the recorded bytes again under the same id, and continues the attempt count", async () => {
		const { as, id, path } = await givenFinished();
		const record = expectOk(await call(retryDelivery, { as, path }));
		expect(record).toMatchObject({ id, status: "PENDING", attempts: 1, delivered_at: null });
		await vi.waitFor(async () =>
			expect(expectOk(await call(getDelivery, { as, path: { id } }))).toMatchObject({
				status: "DELIVERED",
				attempts: 2,
				attempt_log: [
					{ number: 1, trigger: "AUTOMATIC" },
					{ number: 2, trigger: "MANUAL", outcome: "DELIVERED" },
				],
			}),
		);
		expect(world.received[1]?.body).toBe(world.received[0]?.body);
		expect(world.received[1]?.headers.get("x-service-delivery-id")).toBe(id);
	});

	it("is accepted once a minute by the service's clock, even for concurrent calls", async () => {
		const { as, id, path } = await givenFinished();
		const answers = await Promise.all(Array.from({ length: 20 }, () => call(retryDelivery, { as, path })));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
		for (const { status } of answers) expect([200, 409, 429]).toContain(status);
		await vi.waitFor(async () => expect(expectOk(await call(getDelivery, { as, path: { id } })).status).toBe("DELIVERED"));
		const early = await call(retryDelivery, { as, path });
		expect(early).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
		expect(Number(early.headers.get("retry-after"))).toBeGreaterThan(50);
		await advance("PT61S");
		expect((await call(retryDelivery, { as, path })).status).toBe(200);
	});

	it("is rejected while the delivery is pending or the webhook suspended, before the wait is checked", async () => {
		const { as, path, webhook } = await givenFinished(500);
		expect(await call(retryDelivery, { as, path })).toMatchObject({ status: 409, body: { code: "DELIVERY_IN_PROGRESS" } });
		world.answer = () => new Response(null, { status: 204 });
		await attemptAt(webhook.id, 60_000);
		await call(updateWebhook, { as, path: { webhook_id: webhook.id }, body: { status: "SUSPENDED" } });
		for (let i = 0; i < 2; i++) {
			expect(await call(retryDelivery, { as, path })).toMatchObject({ status: 409, body: { code: "WEBHOOK_SUSPENDED" } });
		}
		await call(updateWebhook, { as, path: { webhook_id: webhook.id }, body: { status: "ACTIVE" } });
		expect((await call(retryDelivery, { as, path })).status).toBe(200);
	});

	it("has six attempts again", async () => {
		const { as, id, path, webhook } = await givenFinished();
		await call(retryDelivery, { as, path });
		await vi.waitFor(async () => expect((await onlyDelivery(webhook.id)).status).toBe("DELIVERED"));
		world.answer = () => new Response(null, { status: 500 });
		await advance("PT61S");
		await call(retryDelivery, { as, path });
		for (let i = 0; i < 7; i++) await advance("PT45M");
		expect(expectOk(await call(getDelivery, { as, path: { id } }))).toMatchObject({ status: "FAILED", attempts: 8 });
	});

	it("responds 404 for the delivery of another organization or of a deleted webhook", async () => {
		const { as, path, webhook } = await givenFinished();
		const stranger = await givenWebhookOwner();
		expect((await call(retryDelivery, { as: stranger.as, path })).status).toBe(404);
		await call(deleteWebhook, { as, path: { webhook_id: webhook.id } });
		expect((await call(retryDelivery, { as, path })).status).toBe(404);
	});
});

describe("a test event", () => {
	it("goes to its endpoint only, whatever it subscribes to, and responds 202 with the delivery", async () => {
		const { as, register } = await givenWebhookOwner();
		const webhook = await register({ url: "https://a.example/in" });
		await register({ url: "https://b.example/in" });
		const answer = await call(testWebhook, { as, path: { webhook_id: webhook.id } });
		expect(answer).toMatchObject({ status: 202, body: { event_type: "webhook.test", status: "PENDING", body: null, attempt_log: [] } });
		const { id, event_id } = expectOk(answer);
		await vi.waitFor(async () => expect(expectOk(await call(getDelivery, { as, path: { id } }))).toMatchObject({ status: "DELIVERED" }));
		expect(world.received.map(({ url }) => url)).toEqual(["https://a.example/in"]);
		expect(expectOk(await call(getEvent, { as, path: { event_id } })).event_type).toBe("webhook.test");
	});

	it("is rejected for a suspended endpoint", async () => {
		const { as, register } = await givenWebhookOwner();
		const path = { webhook_id: (await register()).id };
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		expect(await call(testWebhook, { as, path })).toMatchObject({ status: 409, body: { code: "WEBHOOK_SUSPENDED" } });
	});
});

describe("deleting a webhook", () => {
	it("fails its pending deliveries, keeps the records readable and frees the name", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register({ name: "billing" });
		const path = { webhook_id: webhook.id };
		await raiseQuietly(organization.id);
		const { id } = await onlyDelivery(webhook.id);
		expect((await call(deleteWebhook, { as, path })).status).toBe(204);
		expect(expectOk(await call(getDelivery, { as, path: { id } }))).toMatchObject({
			status: "FAILED",
			last_error: "WEBHOOK_DELETED",
			failed_at: expect.any(String),
			next_attempt_at: null,
		});
		expect((await call(getWebhook, { as, path })).status).toBe(404);
		expect((await call(deleteWebhook, { as, path })).status).toBe(404);
		await attemptAt(webhook.id);
		expect(world.received).toEqual([]);
		expect(
			(await call(createWebhook, { as, body: { name: "billing", url: "https://a.example/in", events: ["loan.disbursed"] } })).status,
		).toBe(201);
		expect(
			await everyDatabase.prepare("select count(*) as n from webhook_signing_keys where webhook_id = ?").bind(webhook.id).first("n"),
		).toBe(0);
	});
});

describe("the signature debugger", () => {
	it("explains what is wrong, including the use of a revoked key", async () => {
		const { as, register } = await givenWebhookOwner();
		const webhook = await register();
		const path = { webhook_id: webhook.id };
		const body = '{"b":1,"a":2}';
		const t = Math.floor(Date.now() / 1000);
		const header = (secret: string, signed = `${t}.${body}`) => `t=${t},v1=${createHmac("sha256", secret).update(signed).digest("hex")}`;
		const ask = async (sent: { header: string; body: string }) => expectOk(await call(verifySignature, { as, path, body: sent }));
		expect(await ask({ header: header(webhook.secret), body })).toMatchObject({ valid: true, reason: "VALID" });
		expect(await ask({ header: header(webhook.secret), body: '{ "b": 1, "a": 2 }' })).toMatchObject({ reason: "BODY_RESERIALIZED" });
		expect(await ask({ header: header(webhook.secret, `${t}:${body}`), body })).toMatchObject({ reason: "WRONG_SEPARATOR" });
		expect(await ask({ header: "", body })).toMatchObject({ valid: false, reason: "MISSING_HEADER" });
		await call(createSigningKey, { as, path });
		await call(revokeSigningKey, { as, path: { ...path, signing_key_id: webhook.signing_keys[0]?.id ?? "" } });
		const told = await call(verifySignature, { as, path, body: { header: header(webhook.secret), body } });
		expect(expectOk(told)).toMatchObject({ valid: false, reason: "REVOKED_KEY" });
		expect(told.text).not.toContain("whsec_");
	});

	it("takes a body of 64 KiB, counted in UTF-8, and a header of 4,096 characters", async () => {
		const { as, register } = await givenWebhookOwner();
		const path = { webhook_id: (await register()).id };
		const ask = (header: string, body: string) => call(verifySignature, { as, path, body: { header, body } });
		expect(await ask("t=1,v1=00".padEnd(4_096, "0"), "é".repeat(32_768))).toMatchObject({ status: 200 });
		const tooLong = (member: string) => ({ status: 400, body: { invalid_params: [{ path: member, sub_code: "TOO_LONG" }] } });
		for (const body of [`a${"é".repeat(32_768)}`, "a".repeat(65_537)]) expect(await ask("t=1,v1=00", body)).toMatchObject(tooLong("body"));
		expect(await ask("t".repeat(4_097), "{}")).toMatchObject(tooLong("header"));
	});
});

describe("statistics", () => {
	it("report the success rate, latency, the oldest pending delivery and failures in a row", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		const path = { webhook_id: webhook.id };
		expect(expectOk(await call(getWebhookStats, { as, path }))).toEqual({
			deliveries: { delivered: 0, failed: 0, pending: 0 },
			success_rate: null,
			latency_ms: null,
			oldest_pending_at: null,
			failures_in_row: 0,
		});
		await raiseQuietly(organization.id);
		await attemptAt(webhook.id);
		await raiseQuietly(organization.id);
		const stats = await call(getWebhookStats, { as, path });
		expect(expectOk(stats)).toMatchObject({
			deliveries: { delivered: 1, failed: 0, pending: 1 },
			success_rate: 1,
			latency_ms: { p50: expect.any(Number) },
			oldest_pending_at: expect.any(String),
		});
		expect(stats.headers.get("server-timing")).toContain("trips=1 ");
	});
});

describe("health", () => {
	it("reports how long the oldest due delivery has waited", async () => {
		expect(expectOk(await call(getHealth, {}))).toEqual({ status: "ok", oldest_overdue_seconds: 0 });
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
		await call(getHealth, {});
		await everyDatabase.exec("alter table webhook_deliveries rename to gone");
		forgetAll();
		expect(await call(getHealth, {})).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
	});
});
