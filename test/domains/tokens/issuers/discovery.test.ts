// Issuers that are registered by their URL alone: where their keys are, and how they sign, is in their own configuration.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createIssuer, updateIssuer } from "../../../../src/domains/tokens/issuers/operations";
import { configuration } from "../../../../src/runtime/config";
import { call, expectOk } from "../../../support/client";
import { operatorToken } from "../../../support/factories";
import { codeOf, exchangeSigned, givenKey, givenPublished, setOf, type TestKey } from "../../../support/issuers";
import { expectErrors } from "../../../support/log";

const ISSUER = "https://login.example/realms/customers";
const CONFIGURATION = `${ISSUER}/.well-known/openid-configuration`;
const KEYS = "https://keys.example/set";

let key: TestKey;
beforeEach(async () => {
	vi.useFakeTimers({ toFake: ["Date"] });
	key = await givenKey("ES256");
});

const says = (more: object = {}) =>
	Response.json({ issuer: ISSUER, jwks_uri: KEYS, id_token_signing_alg_values_supported: ["HS256", "ES256", "RS256"], ...more });
const register = async (more: object = {}) =>
	call(createIssuer, { as: await operatorToken(), body: { issuer: ISSUER, kind: "partner", ...more } });
const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("an issuer that is registered by its URL", () => {
	it("shows what was found, and its tokens are accepted", async () => {
		givenPublished({ [CONFIGURATION]: () => says(), [KEYS]: () => setOf(key) });
		const { discovered, algorithms, jwks_uri } = expectOk(await register());
		expect({ discovered, algorithms, jwks_uri }).toEqual({
			discovered: { jwks_uri: KEYS, algorithms: ["RS256", "ES256"] },
			algorithms: ["RS256", "ES256"],
			jwks_uri: undefined,
		});
		expect(codeOf(await exchangeSigned(key, { iss: ISSUER }))).toBe(200);
	});

	it("may have its algorithms and its key set named all the same", async () => {
		const pages = givenPublished({ [CONFIGURATION]: () => says(), [KEYS]: () => setOf(key) });
		expect(expectOk(await register({ algorithms: ["RS256"] })).algorithms).toEqual(["RS256"]);
		expect(codeOf(await exchangeSigned(key, { iss: ISSUER }))).toBe("INVALID_TOKEN");
		const named = expectOk(await register({ kind: "identity", audience: "staff", jwks_uri: KEYS }));
		expect([named.algorithms, "discovered" in named]).toEqual([["RS256"], false]);
		expect(pages).toHaveBeenCalledTimes(1);
	});

	it("is asked once for many tokens, is read again after ten minutes, and may move its keys", async () => {
		let moved = false;
		const there = "https://keys.example/moved";
		const pages = givenPublished({
			[CONFIGURATION]: () => says(moved ? { jwks_uri: there } : {}),
			[KEYS]: () => setOf(key),
			[there]: () => setOf(key),
		});
		const asked = (uri: string) => pages.mock.calls.filter(([input]) => String(input) === uri).length;
		expectOk(await register());
		for (const sub of ["a", "b", "c"]) expect(codeOf(await exchangeSigned(key, { iss: ISSUER, sub }))).toBe(200);
		expect([asked(CONFIGURATION), asked(KEYS)]).toEqual([1, 1]);
		moved = true;
		later(10 * 60_000);
		expect(codeOf(await exchangeSigned(key, { iss: ISSUER }))).toBe(200);
		expect([asked(CONFIGURATION), asked(KEYS), asked(there)]).toEqual([2, 1, 1]);
	});

	it("keeps its last configuration while it is down, and is 503 until there has been one", async () => {
		expectErrors("the configuration of an issuer cannot be fetched", "the keys of an issuer cannot be fetched");
		let up = true;
		const down = () => new Response(null, { status: 502 });
		givenPublished({ [CONFIGURATION]: () => (up ? says() : down()), [KEYS]: () => (up ? setOf(key) : down()) });
		expectOk(await register());
		expect(codeOf(await exchangeSigned(key, { iss: ISSUER }))).toBe(200);
		up = false;
		later(10 * 60_000);
		expect(codeOf(await exchangeSigned(key, { iss: ISSUER }))).toBe(200);
	});

	it.each<[string, () => Response, string, RegExp?]>([
		["nothing there", () => new Response(null, { status: 404 }), "status 404"],
		["no JSON", () => new Response("<html>"), "no OpenID configuration"],
		["another issuer", () => says({ issuer: `${ISSUER}/` }), `it is the configuration of ${ISSUER}/`],
		["no algorithm of ours", () => says({ id_token_signing_alg_values_supported: ["HS256"] }), "it signs with none of RS256"],
		["keys at a private address", () => says({ jwks_uri: "https://10.0.0.1/keys" }), "no public HTTPS address"],
		["keys in the clear", () => says({ jwks_uri: "http://login.example/keys" }), "no public HTTPS address"],
	])("is refused with %s, which is said", async (_, page, why) => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		givenPublished({ [CONFIGURATION]: page });
		const refused = await register();
		expect(refused).toMatchObject({ status: 400, body: { code: "INVALID_PARAMS" } });
		expect(refused.text).toContain(why);
		expect(refused.text).toContain("send jwks_uri or jwks");
	});

	it("is refused with a name that resolves to a private address, or that is no address", async () => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		const pages = givenPublished({ [CONFIGURATION]: () => says() }, "10.0.0.5");
		expect(await register()).toMatchObject({ status: 400 });
		expect(await register({ issuer: "accounts of a bank" })).toMatchObject({ status: 400 });
		expect(pages).not.toHaveBeenCalled();
	});

	it("takes the place of a registered key set when that is taken away", async () => {
		givenPublished({ [CONFIGURATION]: () => says(), [KEYS]: () => setOf(key), "https://old.example/keys": () => setOf() });
		const as = await operatorToken();
		const { id } = expectOk(await register({ jwks_uri: "https://old.example/keys", algorithms: ["ES256"] }));
		expect(codeOf(await exchangeSigned(key, { iss: ISSUER }))).toBe("INVALID_TOKEN_SIGNATURE");
		expect(expectOk(await call(updateIssuer, { as, path: { id }, body: { jwks_uri: null } }))).not.toHaveProperty("jwks_uri");
		expect(codeOf(await exchangeSigned(key, { iss: ISSUER }))).toBe(200);
	});
});

describe("an issuer of the configuration", () => {
	const configured = (issuer: string) => ({ TRUSTED_ISSUERS: JSON.stringify([{ issuer, kind: "partner" }]) });

	it("needs no more than its URL", async () => {
		givenPublished({ [CONFIGURATION]: () => says(), [KEYS]: () => setOf(key) });
		expect(codeOf(await exchangeSigned(key, { iss: ISSUER }, configured(ISSUER)))).toBe(200);
		const forged = await givenKey("EdDSA");
		expect(codeOf(await exchangeSigned(forged, { iss: ISSUER }, configured(ISSUER)))).toBe("INVALID_TOKEN");
	});

	it("needs a key set where its name is no public HTTPS address", async () => {
		const refused = await configuration({ ...env, ...configured("issuer-of-a-bank") } as never).catch((error) => error.variables);
		expect(refused).toEqual({ TRUSTED_ISSUERS: "entry 0: without jwks_uri and jwks, issuer must be a public HTTPS address" });
	});
});

describe("the audiences of an issuer", () => {
	const jwks = () => ({ keys: [key.jwk as never] });
	const both = (kind: "partner" | "identity", audience: string, ...other_audiences: string[]) => ({
		...{ kind, audience, jwks: jwks(), algorithms: ["ES256"] },
		...(other_audiences.length > 0 && { other_audiences }),
	});

	it("may be several, any of which a token may be for", async () => {
		expectOk(await register(both("partner", "web", "android", "ios")));
		for (const aud of ["web", "android", ["x", "ios"]]) expect(codeOf(await exchangeSigned(key, { iss: ISSUER, aud }))).toBe(200);
		expect(codeOf(await exchangeSigned(key, { iss: ISSUER, aud: "other" }))).toBe("INVALID_TOKEN_CLAIMS");
	});

	it("are of one kind alone, also when they are changed", async () => {
		const conflict = { status: 409, body: { code: "INVALID_STATE", description: expect.stringContaining("audiences of its own") } };
		expectOk(await register(both("partner", "web", "android")));
		expect(await register(both("identity", "android"))).toMatchObject(conflict);
		expect(await register(both("identity", "staff", "web"))).toMatchObject(conflict);
		const { id } = expectOk(await register(both("identity", "staff")));
		const change = async (body: object) => call(updateIssuer, { as: await operatorToken(), path: { id }, body });
		expect(await change({ other_audiences: ["desk", "android"] })).toMatchObject(conflict);
		expect(await change({ audience: "android" })).toMatchObject(conflict);
		expect(expectOk(await change({ other_audiences: ["desk"] })).other_audiences).toEqual(["desk"]);
		expect(expectOk(await change({ other_audiences: null }))).not.toHaveProperty("other_audiences");
	});
});
