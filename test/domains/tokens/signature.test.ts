// A signature that has verified once is not computed again, and cannot be borrowed.

import { env } from "cloudflare:workers";
import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, it, vi } from "vitest";
import { mintToken, verifyToken } from "../../../src/domains/tokens/model/service-token.crypto";
import { readOnce } from "../../../src/domains/tokens/model/signature.crypto";
import { type Config, configuration } from "../../../src/runtime/config";

const ISSUER = "http://localhost";

async function given(lifetimeSeconds = 60) {
	const { privateKey } = await generateKeyPair("RS256", { extractable: true });
	const key = { ...(await exportJWK(privateKey)), kid: "k" } as Config["SERVICE_KEYS"]["keys"][number];
	const config = { ...(await configuration(env)), SERVICE_KEYS: { keys: [key] } };
	const realNow = Date.now();
	const token = await mintToken(config, { kind: "access", issuer: ISSUER, subject: "anna", realNow, lifetimeSeconds });
	const verify = async (text = token, by = config, at = realNow) => verifyToken(by, "access", ISSUER, readOnce(text) as never, at);
	return { config, key, realNow, token, verify };
}

describe("a token whose signature has verified before", () => {
	it("is accepted without verifying the signature again", async () => {
		const { verify } = await given();
		expect(await verify()).toMatchObject({ ok: true, subject: "anna" });
		const verifying = vi.spyOn(crypto.subtle, "verify");
		expect(await verify()).toMatchObject({ ok: true, subject: "anna" });
		expect(verifying).not.toHaveBeenCalled();
		verifying.mockRestore();
	});

	it("is still rejected after its expiry, for another issuer and for another kind", async () => {
		const { config, realNow, token, verify } = await given();
		await verify();
		expect(await verify(token, config, realNow + 61_000)).toMatchObject({ ok: false, reason: "EXPIRED" });
		const known = readOnce(token) as never;
		expect(await verifyToken(config, "access", "https://other.example", known, realNow)).toMatchObject({ reason: "ISSUER_UNKNOWN" });
		expect(await verifyToken(config, "id", ISSUER, known, realNow)).toMatchObject({ ok: false, reason: "AUDIENCE_MISMATCH" });
	});

	it("is rejected as soon as its key is no longer configured, or another key has the same key id", async () => {
		const { config, token, verify } = await given();
		await verify();
		expect(await verify(token, { ...config, SERVICE_KEYS: { keys: [] } })).toMatchObject({ ok: false, reason: "KEY_UNKNOWN" });
		const other = await given();
		expect(await verify(token, other.config)).toMatchObject({ ok: false, reason: "SIGNATURE_INVALID" });
	});

	it("does not make a token valid that differs in any part", async () => {
		const { token, verify } = await given();
		await verify();
		const [header, payload = "", signature = ""] = token.split(".");
		const claims = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
		const forged = btoa(JSON.stringify({ ...claims, sub: "ben" }))
			.replaceAll("+", "-")
			.replaceAll("/", "_")
			.replaceAll("=", "");
		const flipped = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
		for (const text of [`${header}.${forged}.${signature}`, `${header}.${payload}.${flipped}`]) {
			expect(await verify(text)).toMatchObject({ ok: false, reason: "SIGNATURE_INVALID" });
		}
	});
});
