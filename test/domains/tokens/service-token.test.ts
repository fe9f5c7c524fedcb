// The service's own tokens, and the rotation of its keys.

import { env } from "cloudflare:workers";
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, exportJWK, generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";
import { mintToken, publicJwk, type TokenKind, verifyToken } from "../../../src/domains/tokens/model/service-token.crypto";
import { getKeys } from "../../../src/domains/tokens/sessions/operations";
import { type Config, configuration } from "../../../src/runtime/config";
import { call, expectOk } from "../../support/client";
import { accessToken } from "../../support/factories";

const mint = (config: Config, kind: TokenKind, realNow = Date.now()) =>
	mintToken(config, { kind, issuer: "http://localhost", subject: "anna", realNow, lifetimeSeconds: 60 });
const verify = (config: Config, kind: TokenKind, token: string, issuer = "http://localhost") =>
	verifyToken(config, kind, issuer, token, Date.now());

const givenServiceKey = async (kid: string) => {
	const { privateKey } = await generateKeyPair("RS256", { extractable: true });
	return { ...(await exportJWK(privateKey)), kid } as Config["SERVICE_KEYS"]["keys"][number];
};

describe("the service's keys", () => {
	it("are public, and verify its tokens", async () => {
		const answer = await call(getKeys, {});
		expect(answer.headers.get("cache-control")).toBe("public, max-age=300, stale-if-error=3300");
		const { keys } = expectOk(answer);
		expect(keys.map((key) => Object.keys(key).sort())).toEqual([["alg", "e", "kid", "kty", "n", "use"]]);
		await compactVerify(await accessToken("anna"), createLocalJWKSet({ keys }));
	});

	it("may be two during a rotation: the first signs, both verify", async () => {
		const config = await configuration(env);
		const [old, fresh] = [await givenServiceKey("old"), await givenServiceKey("fresh")];
		const before = { ...config, SERVICE_KEYS: { keys: [old] } };
		const during = { ...config, SERVICE_KEYS: { keys: [fresh, old] } };
		const after = { ...config, SERVICE_KEYS: { keys: [fresh] } };
		const [earlier, later] = [await mint(before, "access"), await mint(during, "access")];
		expect(decodeProtectedHeader(later).kid).toBe("fresh");
		for (const token of [earlier, later]) expect(await verify(during, "access", token)).toMatchObject({ ok: true, subject: "anna" });
		expect(await verify(after, "access", earlier)).toMatchObject({ ok: false, reason: "KEY_UNKNOWN", found: "key id old" });
		expect(during.SERVICE_KEYS.keys.map(publicJwk).map(({ kid }) => kid)).toEqual(["fresh", "old"]);
		expect(JSON.stringify(publicJwk(old))).not.toContain(`"d"`);
	});
});

describe("a service token", () => {
	const KINDS: TokenKind[] = ["access", "id", "custom", "phone"];

	it.each(KINDS.flatMap((made) => KINDS.map((asked) => [made, asked] as const)))(
		"minted as %s and verified as %s is accepted only if the kinds match",
		async (made, asked) => {
			const config = await configuration(env);
			const verdict = await verify(config, asked, await mint(config, made));
			expect(verdict).toMatchObject(made === asked ? { ok: true } : { ok: false, reason: "AUDIENCE_MISMATCH" });
		},
	);

	it("is refused from another issuer, and after its expiry", async () => {
		const config = await configuration(env);
		const foreign = await verify(config, "access", await mint(config, "access"), "https://other.example");
		expect(foreign).toMatchObject({ ok: false, reason: "ISSUER_UNKNOWN", expected: "https://other.example" });
		const late = await verify(config, "access", await mint(config, "access", Date.now() - 60_000));
		expect(late).toMatchObject({ ok: false, reason: "EXPIRED" });
	});
});
