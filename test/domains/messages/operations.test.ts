// Messages are sent once by the gateway, kept by the sandbox's mailbox, and erased when sent.

import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { sendMessages } from "../../../src/domains/messages/job";
import { listMessages } from "../../../src/domains/messages/operations";
import { queueMessage } from "../../../src/domains/messages/plan";
import { messages } from "../../../src/domains/messages/table";
import type { Fetch } from "../../../src/runtime/ports";
import { MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { eventually } from "../../support/eventually";
import { db, givenUser, operatorToken } from "../../support/factories";
import { answerOutbound, servicesFor } from "../../support/outbound";

const NUMBER = "+254712345678";
const GATEWAY = { ...env, MESSAGE_SENDER: "http", MESSAGE_SENDER_URL: "https://sms.example/send", MESSAGE_SENDER_TOKEN: "secret" } as Env;

/** Services whose work after the answer the test can await. */
async function servicesOf(bindings: Env) {
	const pending: Promise<unknown>[] = [];
	const services = await servicesFor({ env: bindings, ctx: { waitUntil: (promise) => pending.push(promise) } });
	return { services, settled: () => Promise.all(pending) };
}

async function queue(bindings: Env, text = "hello", ttlMs = 5 * MINUTE_MS) {
	const { services, settled } = await servicesOf(bindings);
	const content = { text, otp_code: "012345" };
	const expiresAt = services.now + ttlMs;
	await services.commit(
		[await queueMessage(services, { address: { channel: "SMS", recipient: NUMBER }, purpose: "TEST", category: null, content, expiresAt })],
		undefined,
	);
	await settled();
}

/** A gateway that answers with these statuses in turn, then with 200. Returns its calls. */
function givenGateway(...statuses: number[]) {
	const gateway = vi.fn<Fetch>(async () => new Response(null, { status: statuses.shift() ?? 200 }));
	answerOutbound(gateway);
	return gateway;
}
const sweep = async () => sendMessages((await servicesOf(GATEWAY)).services);
const row = async () => (await db.select().from(messages))[0];

describe("the message gateway", () => {
	it("gets a message after its commit, and the text is erased", async () => {
		const fetches = givenGateway();
		await queue(GATEWAY);
		expect(fetches).toHaveBeenCalledTimes(1);
		const [url, init] = fetches.mock.calls[0] ?? [];
		expect(url).toBe("https://sms.example/send");
		expect(init).toMatchObject({ method: "POST", redirect: "manual", headers: { Authorization: "Bearer secret" } });
		expect(JSON.parse(String(init?.body))).toEqual({
			id: expect.any(String),
			channel: "SMS",
			recipient: NUMBER,
			purpose: "TEST",
			text: "hello",
		});
		expect(await row()).toMatchObject({ status: "SENT", sealed: null, nextAttemptAt: null });
	});

	it("gets a failed message again with growing delays by the service's clock", async () => {
		const fetches = givenGateway(500, 429);
		await queue(GATEWAY);
		await sweep();
		expect(fetches).toHaveBeenCalledTimes(1);
		await moveClock(5_000);
		await sweep();
		expect(fetches).toHaveBeenCalledTimes(2);
		await moveClock(15_000);
		await sweep();
		expect(fetches).toHaveBeenCalledTimes(3);
		expect(await row()).toMatchObject({ status: "SENT", sealed: null });
	});

	it("gets a message once from many concurrent sweeps", async () => {
		const fetches = givenGateway(500);
		await queue(GATEWAY);
		await moveClock(5_000);
		await Promise.all([sweep(), sweep(), sweep()]);
		expect(fetches).toHaveBeenCalledTimes(2);
	});

	it("gets no message that has expired or that it refused, and their text is erased", async () => {
		const fetches = givenGateway(500, 400);
		await queue(GATEWAY);
		await moveClock(6 * MINUTE_MS);
		await sweep();
		expect(await row()).toMatchObject({ status: "EXPIRED", sealed: null });
		await db.delete(messages);
		await queue(GATEWAY);
		await moveClock(MINUTE_MS);
		await sweep();
		expect(await row()).toMatchObject({ status: "REFUSED", sealed: null });
		expect(fetches).toHaveBeenCalledTimes(2);
	});

	it("gets a message that a crashed sender had claimed", async () => {
		const fetches = givenGateway(500);
		await queue(GATEWAY);
		await db.update(messages).set({ nextAttemptAt: Date.now() + 30_000 });
		await moveClock(30_001);
		await sweep();
		expect(fetches).toHaveBeenCalledTimes(2);
	});

	it("decides nothing by an answer that comes after another sender has claimed the message", async () => {
		const answers: ((status: number) => void)[] = [];
		const gateway = vi.fn<Fetch>(() => new Promise((resolve) => answers.push((status) => resolve(new Response(null, { status })))));
		answerOutbound(gateway);
		const slow = queue(GATEWAY);
		await eventually(() => expect(gateway).toHaveBeenCalledTimes(1));
		await moveClock(30_001);
		const other = sweep();
		await eventually(() => expect(gateway).toHaveBeenCalledTimes(2));
		answers[0]?.(400);
		await slow;
		expect(await row()).toMatchObject({ status: "PENDING", sealed: expect.any(String), attempts: 2 });
		answers[1]?.(200);
		await other;
		expect(await row()).toMatchObject({ status: "SENT", sealed: null });
	});
});

describe("the sandbox mailbox", () => {
	it("lists the kept messages, newest first, in pages", async () => {
		const fetches = givenGateway();
		for (const text of ["one", "two", "three"]) await queue(env, text);
		const as = await operatorToken();
		const first = expectOk(await call(listMessages, { as, query: { recipient: NUMBER, size: "2" } }));
		expect(first.data.map(({ text }) => text)).toEqual(["three", "two"]);
		expect(first.data[0]).toMatchObject({ channel: "SMS", recipient: NUMBER, purpose: "TEST", otp_code: "012345", token: null });
		const second = expectOk(await call(listMessages, { as, query: { recipient: NUMBER, size: "2", after: first.links.next ?? "" } }));
		expect(second.data.map(({ text }) => text)).toEqual(["one"]);
		expect(expectOk(await call(listMessages, { as, query: { recipient: "+254700000000" } })).data).toEqual([]);
		expect(expectOk(await call(listMessages, { as, query: {} })).data).toHaveLength(3);
		expect(fetches).not.toHaveBeenCalled();
	});

	it("finds the messages of a number whose plus sign was not escaped", async () => {
		await queue(env);
		const as = await operatorToken();
		expect(expectOk(await call(listMessages, { as, query: { recipient: ` ${NUMBER.slice(1)}` } })).data).toHaveLength(1);
	});

	it("is for operators only", async () => {
		expect(await call(listMessages, { as: (await givenUser()).token, query: {} })).toMatchObject({ status: 403 });
		expect(await call(listMessages, { query: {} })).toMatchObject({ status: 401 });
	});
});
