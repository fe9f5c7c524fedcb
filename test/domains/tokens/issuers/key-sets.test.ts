// Key sets that are fetched from an issuer.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { exchangePartnerToken } from "../../../../src/domains/tokens/exchange/operations";
import { forgetAll } from "../../../../src/shared/cache";
import { call } from "../../../support/client";
import { eventually } from "../../../support/eventually";
import { CONFIGURED, codeOf, exchangeSigned, givenJwks, givenKey, setOf, signed, type TestKey } from "../../../support/issuers";
import { expectErrors } from "../../../support/log";

const JWKS = "https://partner.example/jwks.json";

let key: TestKey;
beforeEach(async () => {
	key = await givenKey("RS256");
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("the key set of a remote issuer", () => {
	beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));

	it("is fetched once for many tokens", async () => {
		const fetches = givenJwks(JWKS, () => setOf(key));
		expect(codeOf(await exchangeSigned(key))).toBe(200);
		expect(codeOf(await exchangeSigned(key, { sub: "another" }))).toBe(200);
		expect(fetches).toHaveBeenCalledTimes(1);
	});

	it("is fetched once for many concurrent requests, even when the fetch fails", { tags: ["thorough"] }, async () => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		let up = true;
		const fetches = givenJwks(JWKS, async () => {
			await scheduler.wait(50);
			return up ? setOf(key) : new Response(null, { status: 500 });
		});
		const atOnce = () => Promise.all(Array.from({ length: 60 }, (_, index) => exchangeSigned(key, { sub: `user-${index}` })));
		expect((await atOnce()).map(codeOf)).toEqual(Array(60).fill(200));
		expect(fetches).toHaveBeenCalledTimes(1);
		forgetAll();
		up = false;
		expect((await atOnce()).map(codeOf)).toEqual(Array(60).fill("SERVICE_UNAVAILABLE"));
		expect(fetches).toHaveBeenCalledTimes(2);
	});

	it("is fetched by a later request when the first fetch never completes", async () => {
		const fetches = givenJwks(JWKS, () => (fetches.mock.calls.length === 1 ? new Promise<Response>(() => {}) : setOf(key)));
		void exchangeSigned(key);
		await eventually(() => expect(fetches).toHaveBeenCalledTimes(1));
		later(3_000);
		expect(codeOf(await exchangeSigned(key))).toBe(200);
		expect(fetches).toHaveBeenCalledTimes(2);
	});

	it("is fetched again when a token names an unknown key, at most once a minute", async () => {
		const keys = [key];
		const fetches = givenJwks(JWKS, () => setOf(...keys));
		await exchangeSigned(key);
		const rotated = await givenKey("RS256", "k2");
		keys.push(rotated);
		later(1);
		expect(codeOf(await exchangeSigned(rotated))).toBe(200);
		expect(fetches).toHaveBeenCalledTimes(2);
		for (let i = 0; i < 5; i++) {
			expect(codeOf(await exchangeSigned({ ...key, kid: `forged-${i}` }))).toBe("INVALID_TOKEN_SIGNATURE");
			later(1_000);
		}
		expect(fetches).toHaveBeenCalledTimes(2);
		later(60_000);
		await exchangeSigned({ ...key, kid: "forged" });
		expect(fetches).toHaveBeenCalledTimes(3);
	});

	it("stays in use while the issuer is down, and is replaced afterwards", async () => {
		expectErrors("the keys of an issuer cannot be fetched");
		let up = true;
		const rotated = await givenKey("RS256");
		const fetches = givenJwks(JWKS, () =>
			up ? setOf(fetches.mock.calls.length > 2 ? rotated : key) : new Response(null, { status: 500 }),
		);
		await exchangeSigned(key);
		up = false;
		later(11 * 60_000);
		expect(codeOf(await exchangeSigned(key))).toBe(200);
		expect(codeOf(await exchangeSigned(key))).toBe(200);
		expect(fetches).toHaveBeenCalledTimes(2);
		up = true;
		later(60_000);
		expect(codeOf(await exchangeSigned(key))).toBe("INVALID_TOKEN_SIGNATURE");
		expect(codeOf(await exchangeSigned(rotated))).toBe(200);
	});

	it("is refreshed by one request while the others use the last good set", async () => {
		const { promise: answered, resolve: answer } = Promise.withResolvers<Response>();
		const fetches = givenJwks(JWKS, () => (fetches.mock.calls.length === 1 ? setOf(key) : answered));
		await exchangeSigned(key);
		later(10 * 60_000);
		const asking = exchangeSigned(key);
		await eventually(() => expect(fetches).toHaveBeenCalledTimes(2));
		expect(codeOf(await exchangeSigned(key))).toBe(200);
		answer(setOf(key));
		expect(codeOf(await asking)).toBe(200);
		expect(fetches).toHaveBeenCalledTimes(2);
	});

	it.each<[string, () => Response, RegExp]>([
		["a redirect", () => Response.redirect("https://elsewhere.example/jwks.json", 302), /^status 302$/],
		["an error", () => new Response("no", { status: 503 }), /^status 503$/],
		["a text that is not JSON", () => new Response("<html>"), /^no key set$/],
		["more than 64 KiB", () => Response.json({ keys: [], pad: "x".repeat(70_000) }), /^more than 65536 bytes$/],
		["JSON that is not a key set", () => Response.json([]), /^no key set$/],
	])("is 503 when the issuer serves %s, and is fetched again after 5 s", async (_, serve, cause) => {
		const logged = vi.spyOn(console, "error").mockImplementation(() => {});
		const fetches = givenJwks(JWKS, () => (fetches.mock.calls.length === 1 ? serve() : setOf(key)));
		const answers = [await exchangeSigned(key), await exchangeSigned(key)];
		expect(answers.map((one) => [codeOf(one), one.headers.get("retry-after")])).toEqual(Array(2).fill(["SERVICE_UNAVAILABLE", "5"]));
		expect(JSON.parse(String(logged.mock.calls))).toMatchObject({
			issuer: CONFIGURED,
			address: JWKS,
			cause: expect.stringMatching(cause),
			has_earlier_keys: false,
		});
		expect(fetches).toHaveBeenCalledTimes(1);
		expect(fetches.mock.calls[0]?.[1]).toMatchObject({ redirect: "manual" });
		later(5_000);
		expect(codeOf(await exchangeSigned(key))).toBe(200);
	});

	it.each(["10.0.0.5", "169.254.169.254", "192.168.1.1"])("is not fetched from a name that resolves to %s", async (ip) => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		const fetches = givenJwks(JWKS, () => setOf(key), ip);
		expect(codeOf(await exchangeSigned(key))).toBe("SERVICE_UNAVAILABLE");
		expect(fetches).not.toHaveBeenCalled();
	});

	it("may contain unusable keys, and several candidates for a token without a kid", async () => {
		const other = await givenKey("RS256", "k2");
		givenJwks(JWKS, () => Response.json({ keys: [{ kty: "oct", k: "AAAA", kid: "k1" }, other.jwk, { ...key.jwk, kid: undefined }] }));
		const partner_token = await signed(key, { iss: CONFIGURED }, { kid: undefined });
		expect((await call(exchangePartnerToken, { body: { partner_token } })).status).toBe(200);
	});
});
