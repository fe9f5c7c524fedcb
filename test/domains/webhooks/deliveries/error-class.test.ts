// Each way to fail has a class of its own.

import { beforeEach, describe, expect, it } from "vitest";
import { REMEDIES, STATUS_REMEDIES } from "../../../../src/domains/webhooks/attempts/remedies.policy";
import { getDelivery } from "../../../../src/domains/webhooks/deliveries/operations";
import { deleteWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { deletedEndpoints } from "../../../../src/events/table";
import { diagnosisBy, webhookSenderBy } from "../../../../src/providers/webhook-sender";
import { ConnectionFailed, type Fetch } from "../../../../src/runtime/ports";
import { call, expectOk } from "../../../support/client";
import { db } from "../../../support/factories";
import { attemptAt, fakeWorld, givenDelivery, type World } from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

/** Makes one attempt, and reads what the API says of it. */
async function failureBy(happens: (world: World) => void) {
	const { as, webhook, delivery } = await givenDelivery("PT1S");
	happens(world);
	await attemptAt(webhook.id);
	const { last_error, remedy, attempt_log } = expectOk(await call(getDelivery, { as, path: { id: delivery.id } }));
	return { last_error, remedy, error_class: attempt_log[0]?.error_class, attempts: attempt_log.length };
}

const answering = (answer: World["answer"]) => (one: World) => {
	one.answer = answer;
};
const throwing = (message: string) =>
	answering(() => {
		throw new Error(message);
	});
const resolving = (name: World["names"][string]) => (one: World) => {
	one.names["hooks.example"] = name;
};

describe("the class of a failed attempt", () => {
	it.each([
		["DNS", resolving("NXDOMAIN"), "The endpoint's host name could not be resolved."],
		["DNS", resolving("SERVFAIL"), "The endpoint's host name could not be resolved."],
		["TLS", throwing("TLS peer's certificate is not trusted"), "No secure connection to the endpoint could be made."],
		["REFUSED", throwing("Connection refused"), "The endpoint refused the connection."],
		["RESET", throwing("Network connection lost."), "The connection to the endpoint broke off before it answered."],
		[
			"TLS",
			answering(() => new Response("x", { status: 526, headers: { Server: "cloudflare" } })),
			"No secure connection to the endpoint could be made: its certificate is not trusted.",
		],
		[
			"DNS",
			answering(() => new Response("error code: 1016", { status: 530, headers: { "Content-Type": "text/plain; charset=UTF-8" } })),
			"The endpoint's host name could not be resolved: its address is unknown.",
		],
		[
			"STATUS",
			answering(() => new Response("own", { status: 526, headers: { "Content-Type": "text/plain" } })),
			"The endpoint responded with 526.",
		],
		["TIMEOUT", answering(() => new Promise<Response>(() => {})), "The endpoint did not respond within its timeout."],
		["STATUS", answering(() => new Response(null, { status: 503 })), "The endpoint responded with 503."],
		["REDIRECT", answering(() => new Response(null, { status: 307 })), "The endpoint responded with 307; redirects are not followed."],
		["BLOCKED", resolving(["10.0.0.1"]), "The endpoint's name resolves to an address that is not public."],
	] as const)("is %s, with one sentence in last_error, and its remedy", async (error_class, happens, last_error) => {
		expect(await failureBy(happens)).toEqual({ error_class, last_error, remedy: REMEDIES[error_class], attempts: 1 });
	});

	it("has the remedy of the status where that says more", async () => {
		const { remedy } = await failureBy(answering(() => new Response(null, { status: 404 })));
		expect(remedy).toBe(STATUS_REMEDIES[404]);
	});

	it("of a failure that Cloudflare answers in the receiver's place comes without status and body", async () => {
		const { as, webhook, delivery } = await givenDelivery("PT1S");
		world.answer = () => new Response("<html>", { status: 522, headers: { Server: "cloudflare" } });
		await attemptAt(webhook.id);
		expect(expectOk(await call(getDelivery, { as, path: { id: delivery.id } })).attempt_log).toMatchObject([
			{ outcome: "CONNECTION_FAILED", error_class: "TIMEOUT", response_status: null, response_body: null },
		]);
		expect(world.received).toHaveLength(1);
	});

	it("is INTERRUPTED for an attempt whose endpoint was deleted meanwhile", async () => {
		const { as, path, webhook, delivery } = await givenDelivery();
		world.answer = async () => {
			await call(deleteWebhook, { as, path });
			return new Response(null, { status: 204 });
		};
		await attemptAt(webhook.id);
		expect(expectOk(await call(getDelivery, { as, path: { id: delivery.id } })).attempt_log).toMatchObject([
			{ outcome: "INTERRUPTED", error_class: "INTERRUPTED" },
		]);
		// Its row says so: nothing has to be remembered.
		expect(await db.select().from(deletedEndpoints)).toEqual([]);
	});

	it("stays with each attempt in the log, and is null after success", async () => {
		const { as, webhook, delivery } = await givenDelivery();
		world.answer = () => new Response(null, { status: 500 });
		await attemptAt(webhook.id);
		world.answer = () => new Response(null, { status: 204 });
		await attemptAt(webhook.id, 60_000);
		const { last_error, remedy, attempt_log } = expectOk(await call(getDelivery, { as, path: { id: delivery.id } }));
		expect(attempt_log.map(({ error_class }) => error_class)).toEqual(["STATUS", null]);
		expect([last_error, remedy]).toEqual([null, null]);
	});
});

describe("the sender of webhooks", () => {
	const send = (diagnosis: unknown) =>
		webhookSenderBy(
			async () => {
				throw new Error("internal error");
			},
			{ fetch: async () => Response.json(diagnosis) },
		).send({ url: "https://hooks.example/in", headers: {}, body: new Uint8Array(), signal: new AbortController().signal });

	const posting = (fetch: Fetch) =>
		webhookSenderBy(fetch, undefined).send({
			url: "https://hooks.example/in",
			headers: {},
			body: new Uint8Array(),
			signal: new AbortController().signal,
		});

	it("tries a stale connection again when Cloudflare answers 520 for it, and leaves a receiver's own 520 alone", async () => {
		const answers = [new Response("error code: 520", { status: 520, headers: { Server: "cloudflare" } }), new Response("ok")];
		expect(await (await posting(async () => answers.shift() ?? Response.error())).text()).toBe("ok");
		const own = [new Response("mine", { status: 520, headers: { "Content-Type": "text/plain" } })];
		expect(await (await posting(async () => own.shift() ?? Response.error())).text()).toBe("mine");
	});

	it.each([
		["REFUSED", () => Promise.reject(new Error("proxy request failed"))],
		["TLS", () => Promise.resolve()],
	] as const)("locally recognizes %s by a bare connection", async (kind, open) => {
		const sender = webhookSenderBy(
			async () => {
				throw new Error("Network connection lost.");
			},
			diagnosisBy(() => ({ opened: open(), close: async () => {} })),
		);
		const request = { headers: {}, body: new Uint8Array(), signal: new AbortController().signal };
		for (const host of ["127.0.0.1", "[::1]", "localhost"])
			await expect(sender.send({ ...request, url: `https://${host}:9/in` })).rejects.toMatchObject({ kind });
		await expect(sender.send({ ...request, url: "https://hooks.example/in" })).rejects.toThrow("Network connection lost.");
	});

	it("says how a connection failed if a diagnosis shows it", async () => {
		const failure = await send({ kind: "TLS", reason: "the receiver's certificate has expired" }).catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(ConnectionFailed);
		expect(failure).toMatchObject({ kind: "TLS", message: "the receiver's certificate has expired" });
	});
});
