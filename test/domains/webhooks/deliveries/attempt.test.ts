// A delivery from its first attempt to its last.

import { beforeEach, describe, expect, it } from "vitest";
import { version } from "../../../../package.json";
import { Approval } from "../../../../src/domains/approvals/wire";
import { loanDisbursementFailed } from "../../../../src/domains/loans/model/events";
import { userAdmitted } from "../../../../src/domains/users/model/events";
import { getDelivery } from "../../../../src/domains/webhooks/deliveries/operations";
import { updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { createSigningKey, revokeSigningKey } from "../../../../src/domains/webhooks/signing/operations";
import { raise } from "../../../../src/events/raise";
import { openapi } from "../../../../src/http/reference/openapi";
import { call, expectOk } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { eventTypes } from "../../../support/domains";
import { eventually } from "../../../support/eventually";
import {
	attemptAt,
	attemptLog,
	commitQuietly,
	consumeNow,
	deliveriesOf,
	endpoint,
	expectSigned,
	fakeWorld,
	givenWebhookOwner,
	onlyDelivery,
	raiseQuietly,
	services,
	type World,
} from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

/** Characters and numbers that a careless encoder would change. */
const DATA = { ...loanDisbursementFailed.example, failure_reason: "Grüße, 🦊 \u2028 </script>", amount: 9007199254740991 };

async function givenDelivery(registered: Parameters<Awaited<ReturnType<typeof givenWebhookOwner>>["register"]>[0] = {}) {
	const owner = await givenWebhookOwner();
	const webhook = await owner.register({ events: [loanDisbursementFailed.type], ...registered });
	await commitQuietly(owner.organization.id, (quiet) => [
		raise(quiet, loanDisbursementFailed, { organizationId: owner.organization.id, entityId: DATA.application_id, data: DATA }),
	]);
	const delivery = await onlyDelivery(webhook.id);
	return { ...owner, webhook, delivery };
}

describe("a delivery", () => {
	it("is a POST of the six-member envelope with four headers and a signature that an independent verifier accepts", async () => {
		const { as, organization, webhook, delivery } = await givenDelivery();
		await consumeNow([delivery.id]);
		const [request] = world.received;
		if (!request) throw new Error("expected a request");
		const envelope = JSON.parse(request.body);
		expect(Object.keys(envelope)).toEqual(["delivery_id", "event_type", "payload_version", "sent_at", "organization_id", "data"]);
		expect(envelope).toMatchObject({
			delivery_id: delivery.id,
			event_type: "loan.disbursement_failed",
			payload_version: 1,
			sent_at: new Date(delivery.createdAt).toISOString(),
			organization_id: organization.id,
		});
		expect(envelope.data).toEqual(DATA);
		const documented = openapi(new Map(), eventTypes, { baseUrl: "http://localhost", held: Approval }).webhooks["loan.disbursement_failed"]
			?.post;
		expect(documented).toMatchObject({
			requestBody: { content: { "application/json": { schema: { required: Object.keys(envelope) } } } },
		});
		expect(request.headers.get("content-type")).toBe("application/json");
		expect(request.headers.get("x-service-event-type")).toBe("loan.disbursement_failed");
		expect(request.headers.get("x-service-delivery-id")).toBe(delivery.id);
		expect(request.headers.get("user-agent")).toBe(`financial-account-service/${version}`);
		expectSigned(request, [webhook.secret]);
		expect(world.redirects).toEqual(["manual"]);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED", attempts: 1, nextAttemptAt: null });
		const record = expectOk(await call(getDelivery, { as, path: { id: delivery.id } }));
		expect(record.body).toBe(request.body);
		expect(await attemptLog(delivery.id)).toMatchObject([
			{ number: 1, trigger: "AUTOMATIC", outcome: "DELIVERED", responseStatus: 204, durationMs: expect.any(Number) },
		]);
	});

	it("is sent six times within about half an hour with the same bytes and a new signature, and then FAILED", async () => {
		world.answer = () => new Response("no", { status: 500 });
		const { webhook, delivery } = await givenDelivery();
		const delays: number[] = [];
		for (let number = 1; number <= 6; number++) {
			const due = (await onlyDelivery(webhook.id)).nextAttemptAt ?? 0;
			await attemptAt(webhook.id, due - Date.now() - 5_000);
			expect(world.received).toHaveLength(number - 1);
			await attemptAt(webhook.id, Math.max(0, due - Date.now()));
			expect(world.received).toHaveLength(number);
			const next = (await onlyDelivery(webhook.id)).nextAttemptAt;
			if (next !== null) delays.push(next - due);
		}
		expect(new Set(world.received.map(({ body }) => body)).size).toBe(1);
		for (const request of world.received) expectSigned(request, [webhook.secret]);
		for (const [index, planned] of [15, 45, 135, 405, 1215].entries()) {
			expect(delays[index]).toBeGreaterThanOrEqual(planned * 900);
			expect(delays[index]).toBeLessThanOrEqual(planned * 1100 + 5_000);
		}
		expect(await onlyDelivery(webhook.id)).toMatchObject({
			status: "FAILED",
			attempts: 6,
			nextAttemptAt: null,
			failedAt: expect.any(Number),
			lastError: "The endpoint responded with 500.",
		});
		expect((await attemptLog(delivery.id)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
	});

	it("waits as long as a 503 response asks, up to twice the planned delay", async () => {
		world.answer = () => new Response(null, { status: 503, headers: { "Retry-After": "3600" } });
		const { webhook, delivery } = await givenDelivery();
		await consumeNow([delivery.id]);
		const { nextAttemptAt } = await onlyDelivery(webhook.id);
		expect((nextAttemptAt ?? 0) - delivery.createdAt).toBeGreaterThanOrEqual(30_000);
		expect((nextAttemptAt ?? 0) - delivery.createdAt).toBeLessThan(60_000);
	});

	it.each([
		[200, "DELIVERED"],
		[206, "DELIVERED"],
		[299, "DELIVERED"],
		[301, "REDIRECT"],
		[304, "REDIRECT"],
		[308, "REDIRECT"],
		[400, "HTTP_ERROR"],
		[410, "HTTP_ERROR"],
		[500, "HTTP_ERROR"],
	])("with the response %i is %s, after exactly one request", async (status, outcome) => {
		world.answer = () => new Response(null, { status, headers: { Location: "https://other.example/in" } });
		const { delivery } = await givenDelivery();
		await consumeNow([delivery.id]);
		expect(await attemptLog(delivery.id)).toMatchObject([{ outcome, responseStatus: status }]);
		expect(world.received.map(({ url }) => url)).toEqual(["https://hooks.example/in"]);
	});

	it("that cannot connect fails without exposing the platform's error message", async () => {
		world.answer = () => {
			throw new Error("internal error; reference = secret-reference");
		};
		const { webhook, delivery } = await givenDelivery();
		await consumeNow([delivery.id]);
		expect(await attemptLog(delivery.id)).toMatchObject([{ outcome: "CONNECTION_FAILED", responseStatus: null, responseBody: null }]);
		const { results } = await everyDatabase.prepare("select * from webhook_deliveries, webhook_attempts").all();
		expect(JSON.stringify(results)).not.toContain("secret-reference");
		expect((await endpoint(webhook.id)).slow).toBe(false);
	});

	it("times out when no headers arrive within the endpoint's timeout", { tags: ["thorough"] }, async () => {
		world.answer = () => new Promise<Response>(() => {});
		const { webhook, delivery } = await givenDelivery({ timeout: "PT1S" });
		await consumeNow([delivery.id]);
		expect(await attemptLog(delivery.id)).toMatchObject([{ outcome: "TIMEOUT", responseStatus: null }]);
		expect(await onlyDelivery(webhook.id)).toMatchObject({
			status: "PENDING",
			lastError: "The endpoint did not respond within its timeout.",
		});
	});

	it("succeeds by its status even if the body never ends, and keeps the first kilobyte of it", async () => {
		let cancelled = false;
		world.answer = () =>
			new Response(
				new ReadableStream<Uint8Array>({
					pull(controller) {
						controller.enqueue(new TextEncoder().encode("é".repeat(100_000)));
					},
					cancel() {
						cancelled = true;
					},
				}),
			);
		const { delivery } = await givenDelivery({ timeout: "PT1S" });
		await consumeNow([delivery.id]);
		expect(await attemptLog(delivery.id)).toMatchObject([{ outcome: "DELIVERED", responseBody: "é".repeat(512) }]);
		await eventually(() => expect(cancelled).toBe(true));
	});

	it("uses the current URL and the current keys, newest first, and never a revoked one", async () => {
		world.answer = () => new Response(null, { status: 500 });
		const { as, webhook, delivery } = await givenDelivery();
		await attemptAt(webhook.id);
		const path = { webhook_id: webhook.id };
		const second = expectOk(await call(createSigningKey, { as, path }));
		await call(updateWebhook, { as, path, body: { url: "https://new.example/in" } });
		await attemptAt(webhook.id, 60_000);
		await call(revokeSigningKey, { as, path: { ...path, signing_key_id: webhook.signing_keys[0]?.id ?? "" } });
		await attemptAt(webhook.id, 600_000);
		const [first, rotating, last] = world.received;
		if (!first || !rotating || !last) throw new Error("expected three requests");
		expect(world.received.map(({ url }) => url)).toEqual(["https://hooks.example/in", "https://new.example/in", "https://new.example/in"]);
		expectSigned(first, [webhook.secret]);
		expectSigned(rotating, [second.secret ?? "", webhook.secret]);
		expectSigned(last, [second.secret ?? ""]);
		expect((await attemptLog(delivery.id)).map(({ number }) => number)).toEqual([1, 2, 3]);
	});

	it("is made for each endpoint that subscribes, and for no other", async () => {
		const owner = await givenWebhookOwner();
		const [a, b, c] = [await owner.register(), await owner.register(), await owner.register({ events: ["loan.disbursed"] })];
		const other = await givenWebhookOwner();
		const d = await other.register();
		await raiseQuietly(owner.organization.id);
		const counts = await Promise.all([a, b, c, d].map(async ({ id }) => (await deliveriesOf(id)).length));
		expect(counts).toEqual([1, 1, 0, 0]);
	});

	it("reaches the receiver through the real queue", async () => {
		const owner = await givenWebhookOwner();
		const webhook = await owner.register();
		const made = await services();
		const event = { organizationId: owner.organization.id, entityId: userAdmitted.example.user_id, data: userAdmitted.example };
		await made.db.commit([raise(made, userAdmitted, event)]);
		await eventually(async () => expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED" }));
		expect(world.received).toHaveLength(1);
	});
});
