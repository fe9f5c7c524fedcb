// The entries of docs/identity-providers.md, each tried with tokens in the form of its provider.

import { describe, expect, it } from "vitest";
import page from "../../../../docs/identity-providers.md?raw";
import { exchangePartnerToken } from "../../../../src/domains/tokens/exchange/operations";
import { createIssuer, updateIssuer } from "../../../../src/domains/tokens/issuers/operations";
import { getMe } from "../../../../src/domains/users/profile.operations";
import { call, expectOk, send } from "../../../support/client";
import { operatorToken } from "../../../support/factories";
import { givenJwks, givenKey, signed } from "../../../support/issuers";

type Entry = { issuer: string; kind: "partner"; audience: string; jwks_uri: string; algorithms?: ["ES256"] };
const entries = new Map(
	[...page.matchAll(/^## (.+)$[^#]*?```json\n(.+)\n```/gm)].map(([, name = "", json = ""]) => [name, JSON.parse(json) as Entry] as const),
);

const EMAIL = "amina@acme.example";
const NUMBER = "+254712000001";

/**
 * What each provider's tokens have in addition to `iss`, `sub`, `iat` and `exp`: seconds of life, claims, and a claim with which they are
 * refused.
 */
const TOKENS: Record<string, { lives: number; claims: Record<string, unknown>; refused: Record<string, unknown> }> = {
	Auth0: {
		lives: 86_400,
		claims: {
			aud: ["https://api.acme.example", "https://acme.eu.auth0.com/userinfo"],
			azp: "AbC",
			permissions: [],
			org_id: "org_9ybsU1dN2dKfDkBi",
		},
		refused: { aud: "https://other.example" },
	},
	Firebase: {
		lives: 3_600,
		claims: { aud: "acme-app", phone_number: NUMBER, auth_time: 1, firebase: { sign_in_provider: "phone" } },
		refused: { aud: "another-app" },
	},
	"Amazon Cognito": {
		lives: 3_600,
		claims: { client_id: "1example23456789", token_use: "access", scope: "aws.cognito.signin.user.admin", username: "amina" },
		refused: { client_id: "2example" },
	},
	"Microsoft Entra ID": {
		lives: 5_100,
		claims: { aud: "6731de76-14a6-49ae-97bc-6eba6914391e", tid: "9122040d-6c67-4c5b-b112-36a304b66dad", ver: "2.0", email: EMAIL },
		refused: { tid: "00000000-0000-0000-0000-000000000000" },
	},
	Clerk: {
		lives: 60,
		claims: { azp: "https://app.acme.example", sid: "sess_1", org_id: "org_2abc" },
		refused: { azp: "https://evil.example" },
	},
	WorkOS: { lives: 300, claims: { aud: "financial-account-service", sid: "session_1", org_id: "org_01H" }, refused: { aud: undefined } },
	Supabase: {
		lives: 3_600,
		claims: { aud: "authenticated", role: "authenticated", is_anonymous: false, amr: [{ method: "otp", timestamp: 1 }] },
		refused: { is_anonymous: true },
	},
	Keycloak: { lives: 300, claims: { aud: "account", azp: "acme-app", acr: "1" }, refused: { azp: "account-console" } },
	Google: {
		lives: 3_600,
		claims: { aud: "407408718192.apps.googleusercontent.com", hd: "acme.example", email: EMAIL, email_verified: true },
		refused: { hd: undefined },
	},
	Okta: { lives: 3_600, claims: { aud: "api://default", cid: "0oa1", scp: ["openid"], ver: 1 }, refused: { aud: "api://other" } },
};

it("is tried for every provider of the page", () => {
	expect([...entries.keys()]).toEqual(Object.keys(TOKENS));
});

describe.each(Object.entries(TOKENS))("a token of %s", (name, { lives, claims, refused }) => {
	const entry = entries.get(name) as Entry;

	async function given() {
		const key = await givenKey(entry.algorithms?.[0] ?? "RS256");
		givenJwks(entry.jwks_uri, () => Response.json({ keys: [key.jwk] }));
		const as = await operatorToken();
		const { id } = expectOk(await call(createIssuer, { as, body: entry }));
		const now = Math.floor(Date.now() / 1000);
		const token = (more: object = {}) =>
			signed(key, { iss: entry.issuer, aud: undefined as never, iat: now, exp: now + lives, ...claims, ...more });
		return { as, id, exchange: async (more?: object) => call(exchangePartnerToken, { body: { partner_token: await token(more) } }) };
	}

	it("is exchanged, and refused with another client, tenant or kind of person", async () => {
		const { exchange } = await given();
		const { access_token: as } = expectOk(await exchange());
		const me = expectOk(await call(getMe, { as }));
		if (name === "Microsoft Entra ID" || name === "Google") expect(me).toMatchObject({ email: EMAIL });
		if (name === "Firebase") expect(me).toMatchObject({ mobile_number: expect.stringMatching(/001$/) });
		expect(await exchange(refused)).toMatchObject({ status: 400, body: { code: "INVALID_TOKEN_CLAIMS" } });
	});
});

describe("the claim that names the client", () => {
	it("is the same for all kinds of an issuer, because a token could be of both otherwise", async () => {
		const { kind: _, ...keycloak } = entries.get("Keycloak") as Entry;
		const as = await operatorToken();
		const { id } = expectOk(await call(createIssuer, { as, body: { ...keycloak, kind: "partner" } }));
		const staff = { ...keycloak, kind: "identity", audience: "staff" } as const;
		const conflict = { status: 409, body: { code: "INVALID_STATE", description: expect.stringContaining("audience_claim") } };
		expect(await send(createIssuer, { as, body: { ...staff, audience_claim: "aud" } })).toMatchObject(conflict);
		expectOk(await call(createIssuer, { as, body: staff }));
		expect(await call(updateIssuer, { as, path: { id }, body: { audience_claim: "client_id" } })).toMatchObject(conflict);
		expectOk(await call(updateIssuer, { as, path: { id }, body: { audience_claim: "azp" } }));
	});
});
