// External token issuers: a key pair, tokens signed with it, and the published key set.

import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { vi } from "vitest";
import { exchangePartnerToken } from "../../src/domains/tokens/exchange/operations";
import type { Fetch } from "../../src/runtime/ports";
import { call } from "./client";
import { answerOutbound } from "./outbound";

type Alg = "RS256" | "ES256" | "EdDSA";

/** RSA pairs, each made when it is first needed and handed out in turn: to make one takes longer than most tests. No test has more than four. */
const rsaPairs: (ReturnType<typeof generateKeyPair> | undefined)[] = Array(4).fill(undefined);
let handedOut = 0;

const extractable = { extractable: true };

function pairOf(alg: Alg) {
	if (alg !== "RS256") return generateKeyPair(alg, extractable);
	const turn = handedOut++ % rsaPairs.length;
	rsaPairs[turn] ??= generateKeyPair(alg, extractable);
	return rsaPairs[turn];
}

export async function givenKey(alg: Alg = "RS256", kid = "k1") {
	const { publicKey, privateKey } = await pairOf(alg);
	return { alg, kid, privateKey: privateKey as CryptoKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

export type TestKey = Awaited<ReturnType<typeof givenKey>>;

/** A valid token, with these claims and header members in place of the usual ones; an undefined claim is left out. */
export async function signed(
	key: TestKey,
	claims: JWTPayload & Record<string, unknown>,
	header: Record<string, unknown> = {},
): Promise<string> {
	const now = Math.floor(Date.now() / 1000);
	const payload = { aud: "financial-account-service", sub: "subject", iat: now, exp: now + 600, ...claims };
	return new SignJWT(payload as JWTPayload).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey);
}

/**
 * Publishes a key set: requests to `uri`, whose host resolves to `ip`, get what `serve` returns, and all others fail. Returns the mock that
 * records the requests.
 */
export const givenJwks = (uri: string, serve: () => Response | Promise<Response>, ip = "1.1.1.1") => givenPublished({ [uri]: serve }, ip);

/** The same with several addresses. */
export function givenPublished(pages: Readonly<Record<string, () => Response | Promise<Response>>>, ip = "1.1.1.1") {
	const publisher = vi.fn<Fetch>(async (input) => {
		const serve = pages[String(input)];
		if (!serve) throw new Error(`unexpected request to ${String(input)}`);
		return serve();
	});
	answerOutbound((input, init) => (isLookup(input) ? Promise.resolve(lookUp(String(input), ip)) : publisher(input, init)));
	return publisher;
}

const isLookup = (input: RequestInfo | URL): boolean => String(input).includes("/dns-query?");

/** The DNS resolver's answer: the address for an A query, nothing for AAAA. */
function lookUp(url: string, ip: string): Response {
	const answers = new URL(url).searchParams.get("type") === "A" ? [{ type: 1, data: ip }] : [];
	return Response.json({ Status: 0, Answer: answers });
}

/** The issuer in TRUSTED_ISSUERS of the test configuration. */
export const CONFIGURED = "https://partner.example";

/** Exchanges a token of the configured issuer, or of the issuer that the claims name. */
export const exchangeSigned = async (from: TestKey, claims: Record<string, unknown> = {}, vars: Partial<Env> = {}) =>
	call(exchangePartnerToken, { body: { partner_token: await signed(from, { iss: CONFIGURED, ...claims }) }, vars });

export const codeOf = (answer: Awaited<ReturnType<typeof exchangeSigned>>) => (answer.ok ? 200 : answer.body.code);

export const setOf = (...keys: readonly TestKey[]) => Response.json({ keys: keys.map(({ jwk }) => jwk) });
