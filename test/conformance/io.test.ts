// Requests, answers, streams, contexts, signals, timers, caches and limits, as the sources use them. Runs in workerd, and in Node.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";

const URL_ = "http://localhost/v1/me";
const posting = (body: BodyInit) => new Request(URL_, { method: "POST", body });

describe("a body", () => {
	it("is read once, of a request and of an answer", async () => {
		for (const message of [posting("text"), new Response("text")]) {
			expect([message.bodyUsed, await message.text(), message.bodyUsed]).toEqual([false, "text", true]);
			await expect(message.text()).rejects.toThrow(TypeError);
			expect(() => message.clone()).toThrow(TypeError);
		}
	});

	it("is read by each of two copies", async () => {
		const request = posting("text");
		const copy = request.clone();
		expect([await request.text(), await copy.text()]).toEqual(["text", "text"]);
		expect(await new Response(request.body === null ? null : "").text()).toBe("");
	});

	it("is none where there is none", async () => {
		const [request, answer] = [new Request(URL_), new Response(null, { status: 204 })];
		expect([request.body, answer.body, await request.text(), await answer.text()]).toEqual([null, null, "", ""]);
		expect(() => new Response("text", { status: 204 })).toThrow();
		expect(() => new Request(URL_, { method: "GET", body: "text" })).toThrow(TypeError);
	});

	it("is text or JSON with its type", async () => {
		expect(posting("text").headers.get("content-type")).toBe("text/plain;charset=UTF-8");
		const answer = Response.json({ a: 1 }, { status: 201 });
		expect([answer.status, answer.headers.get("content-type"), await answer.json()]).toEqual([201, "application/json", { a: 1 }]);
		await expect(new Response("{").json()).rejects.toThrow(SyntaxError);
	});

	it("is a stream of bytes, which passes through others", async () => {
		const zipped = new Response("text".repeat(100)).body?.pipeThrough(new CompressionStream("gzip"));
		const bytes = await new Response(zipped).arrayBuffer();
		expect(bytes.byteLength).toBeLessThan(100);
		expect(await new Response(new Response(bytes).body?.pipeThrough(new DecompressionStream("gzip"))).text()).toBe("text".repeat(100));
		const reader = new Response("text").body?.getReader();
		expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("text");
		expect((await reader?.read())?.done).toBe(true);
	});

	it("of a request may be a stream", async () => {
		expect(await posting(new Response("text").body as ReadableStream).text()).toBe("text");
	});

	it("fails its reader where its source fails", async () => {
		const broken = new ReadableStream({
			pull(controller) {
				controller.error(new Error("broken off"));
			},
		});
		await expect(new Response(broken).text()).rejects.toThrow("broken off");
	});
});

describe("a request", () => {
	it("has its method, address and headers, and no facts of a connection that it did not come by", () => {
		const request = new Request(`${URL_}?a=1#b`, { method: "POST", headers: { "X-One": "1", "x-two": "2" } });
		expect([request.method, request.url, request.headers.get("x-ONE"), [...request.headers.keys()]]).toEqual([
			...["POST", `${URL_}?a=1#b`, "1"],
			["x-one", "x-two"],
		]);
		expect(request.cf).toBeUndefined();
		expect(new Request("http://LOCALHOST:80/a b").url).toBe("http://localhost/a%20b");
		expect(() => new Request("/v1/me")).toThrow(TypeError);
	});

	it("is copied with other headers, and keeps its method", async () => {
		const copy = new Request(posting("text"), { headers: { "x-one": "1" } });
		expect([copy.method, copy.headers.get("x-one"), await copy.text()]).toEqual(["POST", "1", "text"]);
	});

	it("has headers that are joined, whose names and values are checked", () => {
		const headers = new Headers([["a", "1"]]);
		headers.append("A", "2");
		expect(headers.get("a")).toBe("1, 2");
		expect(headers.get("b")).toBeNull();
		expect(() => headers.set("a b", "1")).toThrow(TypeError);
		expect(() => headers.set("a", "1\n2")).toThrow(TypeError);
	});
});

describe("an execution context", () => {
	it("is waited for with all that it was given, and what that adds", async () => {
		const ctx = createExecutionContext();
		const seen: string[] = [];
		ctx.waitUntil(
			scheduler.wait(2).then(() => {
				seen.push("first");
				ctx.waitUntil(scheduler.wait(2).then(() => void seen.push("added")));
			}),
		);
		expect(seen).toEqual([]);
		await waitOnExecutionContext(ctx);
		expect(seen).toEqual(["first", "added"]);
	});

	it("reports work that failed, and several failures together", async () => {
		const ctx = createExecutionContext();
		ctx.waitUntil(Promise.reject(new Error("one")));
		await expect(waitOnExecutionContext(ctx)).rejects.toThrow("one");
		for (const words of ["one", "two"]) ctx.waitUntil(Promise.reject(new Error(words)));
		await expect(waitOnExecutionContext(ctx)).rejects.toMatchObject({ errors: [{ message: "one" }, { message: "two" }] });
	});
});

describe("a signal", () => {
	it("of a timeout is aborted with a TimeoutError", async () => {
		const signal = AbortSignal.timeout(1);
		await new Promise((resolve) => signal.addEventListener("abort", resolve));
		expect([signal.aborted, (signal.reason as DOMException).name]).toEqual([true, "TimeoutError"]);
		expect(() => signal.throwIfAborted()).toThrow();
	});

	it("of a controller is aborted with its reason, and with it a signal of several", () => {
		const controller = new AbortController();
		const any = AbortSignal.any([controller.signal, AbortSignal.timeout(60_000)]);
		controller.abort(new Error("enough"));
		expect([any.aborted, any.reason]).toEqual([true, new Error("enough")]);
		expect((AbortSignal.abort().reason as DOMException).name).toBe("AbortError");
	});
});

describe("time", () => {
	it("continues for the platform while a test stops it", async () => {
		vi.useFakeTimers({ now: 1_000 });
		await scheduler.wait(2);
		expect(Date.now()).toBe(1_000);
		expect(await env.SECOND_DB.prepare("select 1 as one").first("one")).toBe(1);
	});

	it("lets others go on while something waits", async () => {
		const seen: string[] = [];
		await Promise.all([scheduler.wait(5).then(() => seen.push("late")), scheduler.wait(1).then(() => seen.push("early"))]);
		expect(seen).toEqual(["early", "late"]);
	});
});

describe("a key", () => {
	it("is refused where its numbers contradict each other", async () => {
		const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
		const [key] = (JSON.parse(String(env.SERVICE_KEYS)) as { keys: [JsonWebKey] }).keys;
		const take = (jwk: JsonWebKey) => crypto.subtle.importKey("jwk", jwk, algorithm, false, ["sign"]);
		expect((await take(key)).type).toBe("private");
		await expect(take({ ...key, d: "swordfish" } as JsonWebKey)).rejects.toThrow();
	});

	it("signs what its other half verifies", async () => {
		const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
		const { privateKey, publicKey } = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
		const data = new TextEncoder().encode("text");
		const signature = await crypto.subtle.sign(algorithm, privateKey, data);
		expect(await crypto.subtle.verify(algorithm, publicKey, signature, data)).toBe(true);
		expect(await crypto.subtle.verify(algorithm, publicKey, signature, new TextEncoder().encode("other"))).toBe(false);
	});
});

describe("the cache of a data centre", () => {
	const keeping = (text: string, control = "max-age=60") => new Response(text, { headers: { "cache-control": control, "x-one": "1" } });
	const key = () => `http://localhost/${crypto.randomUUID()}`;

	it("keeps an answer by its address, as often as it is asked, until it is deleted", async () => {
		const [one, other] = [key(), key()];
		await caches.default.put(one, keeping("text"));
		for (let asked = 0; asked < 2; asked++) {
			const answer = await caches.default.match(new Request(one));
			expect([answer?.status, answer?.headers.get("x-one"), await answer?.text()]).toEqual([200, "1", "text"]);
		}
		expect(await caches.default.match(other)).toBeUndefined();
		expect([await caches.default.delete(one), await caches.default.delete(one)]).toEqual([true, false]);
		expect(await caches.default.match(one)).toBeUndefined();
	});

	it("keeps the last answer, and none that may not be kept", async () => {
		const one = key();
		for (const text of ["first", "last"]) await caches.default.put(one, keeping(text));
		expect(await (await caches.default.match(one))?.text()).toBe("last");
		for (const control of ["no-store", "private, max-age=60", "max-age=0"]) {
			const kept = key();
			await caches.default.put(kept, keeping("text", control));
			expect(await caches.default.match(kept), control).toBeUndefined();
		}
	});

	it("refuses answers to what is no GET", async () => {
		await expect(caches.default.put(new Request(key(), { method: "POST" }), keeping("text"))).rejects.toThrow(TypeError);
	});
});

describe("a rate limit", () => {
	it("counts each key apart, and refuses what is over it", async () => {
		const limit = async (key: string) => (await env.FAILURE_LIMIT?.limit({ key }))?.success;
		const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
		const answers = [];
		for (let asked = 0; asked < 130; asked++) answers.push(await limit(one));
		expect(answers[0]).toBe(true);
		// Sixty a minute, and a minute may begin meanwhile.
		expect(answers.filter((success) => success).length).toBeGreaterThanOrEqual(60);
		expect(answers.filter((success) => success).length).toBeLessThanOrEqual(120);
		expect(await limit(other)).toBe(true);
	});
});

describe("a bucket", () => {
	it("keeps objects by their keys, whose bodies are read once", async () => {
		const bucket = env.BUCKET;
		const prefix = crypto.randomUUID();
		await bucket.put(`${prefix}/a`, "text", { httpMetadata: { contentType: "text/plain" } });
		await bucket.put(`${prefix}/b`, new Uint8Array([1, 2]));
		const object = await bucket.get(`${prefix}/a`);
		expect([object?.key, object?.size, object?.httpMetadata?.contentType, await object?.text()]).toEqual([
			`${prefix}/a`,
			4,
			"text/plain",
			"text",
		]);
		await expect(object?.text()).rejects.toThrow();
		expect(await bucket.get(`${prefix}/c`)).toBeNull();
		expect((await bucket.head(`${prefix}/b`))?.size).toBe(2);
		await bucket.delete([`${prefix}/a`, `${prefix}/b`]);
		expect((await bucket.list({ prefix })).objects).toEqual([]);
	});

	it("lists in the order of the keys, page by page", async () => {
		const prefix = crypto.randomUUID();
		for (const name of ["c", "a", "b"]) await env.BUCKET.put(`${prefix}/${name}`, name);
		const names: string[] = [];
		let cursor: string | undefined;
		do {
			const page = await env.BUCKET.list({ prefix, limit: 2, ...(cursor !== undefined && { cursor }) });
			names.push(...page.objects.map(({ key }) => key.slice(-1)));
			cursor = page.truncated ? page.cursor : undefined;
		} while (cursor !== undefined);
		expect(names).toEqual(["a", "b", "c"]);
	});
});
