// What the client does about answers that are late, lost or refused, with a fetch that plays them.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Api, type ApiError, ConnectionError, createClient, isApiError, type SendingOptions } from "../../client/src/index.ts";
import { SIGN_IN_AGAIN_MS } from "../../src/domains/tokens/model/service-token.crypto";
import { GRACE_MS } from "../../src/domains/tokens/sessions/policy";

type Sent = { readonly url: string; readonly method: string; readonly headers: Record<string, string>; readonly signal: AbortSignal };
type Played = Error | "nothing" | { status: number; body?: object; text?: string; headers?: Record<string, string> };

/** A client whose requests are answered in this order, the last one again and again. */
function playing(answers: readonly Played[], options: Partial<SendingOptions> = {}) {
	const sent: Sent[] = [];
	const fetch: SendingOptions["fetch"] = async (url, init) => {
		sent.push({ url, ...init });
		const answer = answers[Math.min(sent.length, answers.length) - 1];
		if (answer === undefined || answer === "nothing") {
			return new Promise((_, reject) => init.signal.addEventListener("abort", () => reject(init.signal.reason)));
		}
		if (answer instanceof Error) throw answer;
		const headers = { ...(answer.body && { "content-type": "application/problem+json" }), ...answer.headers };
		return new Response(answer.text ?? (answer.body && JSON.stringify(answer.body)), { status: answer.status, headers });
	};
	return { sent, api: createClient({ baseUrl: "https://service.example/", token: "t", fetch, ...options }) };
}

const lost = new TypeError("fetch failed");
const busy = (seconds: number): Played => ({
	status: 503,
	headers: { "retry-after": `${seconds}` },
	body: { code: "SERVICE_UNAVAILABLE" },
});
const done: Played = { status: 200, body: { id: "1" } };
const organization = { body: { name: "Acme", slug: "acme" } };
const settled = <T>(call: Promise<T>): Promise<unknown> => call.then(undefined, (error: unknown) => error);

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

describe("a call that gets no answer, or is put off", () => {
	it("is sent again with the same key, later each time", async () => {
		const { sent, api } = playing([lost, { status: 502 }, busy(1), done]);
		const call = settled(api.createOrganization(organization));
		const at: number[] = [];
		while (sent.length < 4) {
			if (at.length < sent.length) at.push(Date.now());
			await vi.advanceTimersByTimeAsync(50);
		}
		expect(await call).toEqual({ id: "1" });
		const keys = new Set(sent.map(({ headers }) => headers["idempotency-key"]));
		expect([keys.size, [...keys][0]?.length]).toEqual([1, 36]);
		const [first = 0, second = 0, third = 0] = at;
		expect(second - first).toBeGreaterThanOrEqual(250);
		expect(third - second).toBeGreaterThanOrEqual(500);
		expect(sent[0]?.url).toBe("https://service.example/v1/platform/organizations");
	});

	it("is given up after as many attempts as are allowed, and the error keeps the key", async () => {
		const { sent, api } = playing([lost], { attempts: 3 });
		const call = settled(api.createOrganization(organization));
		await vi.runAllTimersAsync();
		const error = (await call) as ConnectionError;
		expect(error).toBeInstanceOf(ConnectionError);
		expect([sent.length, error.cause, error.idempotencyKey]).toEqual([3, lost, sent[0]?.headers["idempotency-key"]]);
	});

	it("waits as long as the service asks, and not at all where that is too long", async () => {
		const { sent, api } = playing([busy(7), done]);
		const call = settled(api.getMe());
		await vi.advanceTimersByTimeAsync(6_900);
		expect(sent).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(200);
		expect([await call, sent.length]).toEqual([{ id: "1" }, 2]);
		const long = playing([busy(60)]);
		expect(await settled(long.api.getMe())).toMatchObject({ status: 503, retryAfter: 60 });
		expect(long.sent).toHaveLength(1);
	});

	it("counts as lost when an attempt takes too long", async () => {
		const { sent, api } = playing(["nothing", done], { timeoutMs: 1_000 });
		const call = settled(api.getMe());
		await vi.advanceTimersByTimeAsync(3_000);
		expect([await call, sent.map(({ signal }) => signal.aborted)]).toEqual([{ id: "1" }, [true, false]]);
	});

	it.each([
		["lost", lost, 1],
		["503", busy(1), 1],
		["429, which is not looked at", { status: 429, headers: { "retry-after": "1" }, body: { code: "TOO_MANY_REQUESTS" } }, 4],
	])("is not sent again where no key counts it: %s", async (_, answer, times) => {
		const { sent, api } = playing([answer]);
		const call = settled(api.exchangePartnerToken({ body: { partner_token: "p" } }));
		await vi.runAllTimersAsync();
		expect(await call).toBeInstanceOf(Error);
		expect(sent).toHaveLength(times);
		expect(sent[0]?.headers).not.toHaveProperty("idempotency-key");
		expect(sent[0]?.headers).not.toHaveProperty("authorization");
	});

	it.each<[string, (api: Api) => Promise<unknown>]>([
		["a renewal", (api) => api.refreshSession({ body: { refresh_token: "r" } })],
		["a code that was right", (api) => api.confirmPhoneVerification({ path: { id: "v" }, body: { otp_code: "123456" } })],
		["the exchange of a verified phone", (api) => api.exchangePhoneToken({ body: { phone_verification_token: "p" } })],
		["a sign-in", (api) => api.signIn({ body: { custom_token: "c" } })],
	])("is sent again without a key where the service has the same answer: %s", async (_, make) => {
		const { sent, api } = playing([lost, busy(1), done]);
		const call = settled(make(api));
		await vi.runAllTimersAsync();
		expect([await call, sent.length]).toEqual([{ id: "1" }, 3]);
	});

	it.each<[keyof Api, number, (api: Api) => Promise<unknown>]>([
		["refreshSession", GRACE_MS, (api) => api.refreshSession({ body: { refresh_token: "r" } })],
		["signIn", SIGN_IN_AGAIN_MS, (api) => api.signIn({ body: { custom_token: "c" } })],
		["confirmPhoneVerification", SIGN_IN_AGAIN_MS, (api) => api.confirmPhoneVerification({ path: { id: "v" }, body: { otp_code: "1" } })],
		["exchangePhoneToken", SIGN_IN_AGAIN_MS, (api) => api.exchangePhoneToken({ body: { phone_verification_token: "p" } })],
	])("by default is sent again while the service still has the first answer: %s", async (_, repeatedFor, make) => {
		const { sent, api } = playing(["nothing", done]);
		const call = settled(make(api));
		await vi.advanceTimersByTimeAsync(repeatedFor - 1);
		expect([await call, sent.length]).toEqual([{ id: "1" }, 2]);
	});

	it.each<[string, Played]>([
		["a hotel's sign-in page", { status: 200, text: "<html>Welcome</html>", headers: { "content-type": "text/html" } }],
		["JSON that was cut off", { status: 200, text: '{"id":', headers: { "content-type": "application/json" } }],
	])("is lost where what answers is not the service: %s", async (_, stranger) => {
		const { sent, api } = playing([stranger, done]);
		const call = settled(api.getMe());
		await vi.runAllTimersAsync();
		expect([await call, sent.length]).toEqual([{ id: "1" }, 2]);
		const always = settled(playing([stranger]).api.getMe());
		await vi.runAllTimersAsync();
		expect(await always).toBeInstanceOf(ConnectionError);
	});

	it("ends with an error where the platform's signals have no reason", async () => {
		const { api } = playing(["nothing"]);
		const listeners: (() => void)[] = [];
		const signal = {
			aborted: false,
			reason: undefined,
			addEventListener: (_: "abort", listener: () => void) => void listeners.push(listener),
			removeEventListener() {},
		};
		const call = settled(api.getMe({ signal }));
		await vi.advanceTimersByTimeAsync(100);
		signal.aborted = true;
		for (const listener of listeners) listener();
		expect(await call).toEqual(new Error("the call was ended"));
	});

	it("is sent again while the attempt before is still at it", async () => {
		const running: Played = { status: 409, headers: { "retry-after": "1" }, body: { code: "IDEMPOTENCY_IN_PROGRESS" } };
		const { sent, api } = playing([lost, running, done]);
		const call = settled(api.createOrganization(organization));
		await vi.runAllTimersAsync();
		expect([await call, sent.length]).toEqual([{ id: "1" }, 3]);
	});

	it.each([
		["while it is under way", "nothing"],
		["while it waits", busy(10)],
	] as const)("ends at once with the signal: %s", async (_, answer) => {
		const { sent, api } = playing([answer]);
		const stop = new AbortController();
		const call = settled(api.getMe({ signal: stop.signal }));
		await vi.advanceTimersByTimeAsync(100);
		stop.abort("enough");
		expect(await call).toBe("enough");
		await vi.runAllTimersAsync();
		expect(sent).toHaveLength(1);
		expect(await settled(api.getMe({ signal: stop.signal }))).toBe("enough");
	});
});

describe("a token", () => {
	const expired: Played = { status: 401, body: { code: "UNAUTHORISED" } };

	it("is asked for once by all calls that it was refused to", async () => {
		const asked: (string | undefined)[] = [];
		const token = async (refused?: string) => `token-${asked.push(refused)}`;
		const fetch: SendingOptions["fetch"] = async (_, { headers }) =>
			headers.authorization === "Bearer token-2" ? Response.json({ id: "1" }) : Response.json({ code: "UNAUTHORISED" }, { status: 401 });
		const api = createClient({ baseUrl: "https://service.example", token, fetch });
		expect(await Promise.all(Array.from({ length: 20 }, () => api.getMe()))).toHaveLength(20);
		await api.getMe();
		expect(asked).toEqual([undefined, "token-1"]);
	});

	it("that is refused twice, or does not change, is an error", async () => {
		let asked = 0;
		const { sent, api } = playing([expired], { token: () => `token-${++asked}` });
		expect(isApiError(await settled(api.getMe()), "getMe")).toBe(true);
		expect([sent.length, asked]).toEqual([2, 2]);
		const same = playing([expired], { token: () => "same" });
		expect(await settled(same.api.getMe())).toMatchObject({ code: "UNAUTHORISED" });
		expect(same.sent).toHaveLength(1);
	});

	it("that cannot be got is the call's error, and is asked for again by the next", async () => {
		let asked = 0;
		const token = () => {
			if (++asked === 1) throw new Error("signed out");
			return "t";
		};
		const { api } = playing([done], { token });
		expect(await settled(api.getMe())).toEqual(new Error("signed out"));
		expect(await settled(api.getMe())).toEqual({ id: "1" });
	});
});

it("the client sends the greatest bookmark of each database with reads, and none with changes", async () => {
	const bookmarks = ["DB.2", "SHARD_0.5", "DB.1,SHARD_0.6", ""];
	const { sent, api } = playing(bookmarks.map((value) => ({ ...(done as object), status: 200, headers: { "x-d1-bookmark": value } })));
	for (let call = 0; call < 4; call++) await api.getMe();
	await api.createOrganization(organization);
	expect(sent.map(({ headers }) => headers["x-d1-bookmark"])).toEqual([undefined, "DB.2", "DB.2,SHARD_0.5", "DB.2,SHARD_0.6", undefined]);
});

it("the client gives an answer of something else than the service as an error without a code", async () => {
	const { api } = playing([{ status: 418, headers: { "content-type": "text/html", "x-request-id": "r-1" } }]);
	const error = (await settled(api.getMe())) as ApiError;
	expect([error.code, error.requestId, error.reasons]).toEqual(["UNKNOWN", "r-1", []]);
});
