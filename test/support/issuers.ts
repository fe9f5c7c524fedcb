// Issuers of the outside world: a key pair, the tokens it signs, and the set in which it publishes its key.

import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { vi } from "vitest";

type Alg = "RS256" | "ES256" | "EdDSA";

export async function givenKey(alg: Alg = "RS256", kid = "k1") {
	const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
	return { alg, kid, privateKey: privateKey as CryptoKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

export type TestKey = Awaited<ReturnType<typeof givenKey>>;

/** A token that is right in every way, but for what is told otherwise; an undefined claim is left out. */
export async function signed(
	key: TestKey,
	claims: JWTPayload & Record<string, unknown>,
	header: Record<string, unknown> = {},
): Promise<string> {
	const now = Math.floor(Date.now() / 1000);
	const payload = { aud: "financial-account-service", sub: "subject", iat: now, exp: now + 600, ...claims };
	return new SignJWT(payload as JWTPayload).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey);
}

/** Answers fetches of the address with what `serve` says; others fail. Returns the calls. */
export function givenJwks(uri: string, serve: () => Response | Promise<Response>) {
	return vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
		const url = input instanceof Request ? input.url : String(input);
		if (url !== uri) throw new Error(`unexpected fetch of ${url}`);
		return serve();
	});
}
