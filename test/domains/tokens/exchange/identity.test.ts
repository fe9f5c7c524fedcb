// The exchange of an identity issuer's token for a session: for whom, for how long, and for which organizations.

import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { putBrand } from "../../../../src/domains/branding/operations";
import { createApiKey } from "../../../../src/domains/organizations/api-keys/operations";
import { listMembers } from "../../../../src/domains/organizations/members/operations";
import { exchangeIdentityToken } from "../../../../src/domains/tokens/exchange/identity.operations";
import { createIssuer, deleteIssuer } from "../../../../src/domains/tokens/issuers/operations";
import { refreshSession, signOut } from "../../../../src/domains/tokens/sessions/operations";
import { sessions } from "../../../../src/domains/tokens/table";
import { linkIdentity } from "../../../../src/domains/users/identity.operations";
import { getMe } from "../../../../src/domains/users/profile.operations";
import { call, expectOk } from "../../../support/client";
import { db, givenMember, givenMembership, givenOrganization, givenUser, operatorToken } from "../../../support/factories";
import { givenKey, signed } from "../../../support/issuers";
import { expectUser } from "../../../support/profiles";
import { sandboxToken } from "../../../support/tokens";

type Settings = Partial<Record<string, unknown>>;

async function givenIssuer(settings: Settings = {}) {
	const key = await givenKey("ES256");
	const issuer = `https://${crypto.randomUUID()}.example`;
	const body = { issuer, kind: "identity", jwks: { keys: [key.jwk] }, algorithms: ["ES256"], ...settings };
	const { id } = expectOk(await call(createIssuer, { as: await operatorToken(), body: body as never }));
	const token = (claims: Record<string, unknown>) => signed(key, { iss: issuer, jti: crypto.randomUUID(), ...claims });
	const link = async (userId: string, subject: string) =>
		expectOk(await call(linkIdentity, { as: await operatorToken(), path: { userId }, body: { issuer, subject } }));
	return { id, issuer, token, link };
}

const exchange = (identity_token: string) => call(exchangeIdentityToken, { body: { identity_token } });
const brand = (as: string, organizationId: string) => call(putBrand, { as, path: { organizationId }, body: { primary_color: "#0A7D38" } });

describe("an identity token", () => {
	it("of a linked subject becomes a session in which its user works for all their organizations", async () => {
		const [one, two] = [await givenOrganization(), await givenOrganization()];
		const staff = await givenMember(one.id);
		await givenMembership(two.id, staff.id, "organization-owner");
		const { issuer, token, link } = await givenIssuer();
		await link(staff.id, "someone");
		const authenticated = Math.floor(Date.now() / 1000) - 100;
		const session = expectOk(await exchange(await token({ sub: "someone", auth_time: authenticated })));
		expect(decodeJwt(session.access_token)).toMatchObject({ sub: staff.id, azp: issuer, auth_time: authenticated });
		expect(decodeJwt(session.access_token).amr).toBeUndefined();
		expect(expectUser(await call(getMe, { as: session.access_token })).id).toBe(staff.id);
		for (const { id } of [one, two]) {
			expect((await call(listMembers, { as: session.access_token, path: { organizationId: id }, query: {} })).status).toBe(200);
			expect((await brand(session.access_token, id)).status).toBe(200);
		}
	});

	it("says how old the sign-in is, and a sign-in of unknown age is too old for making keys", async () => {
		const { id } = await givenOrganization();
		const owner = await givenMember(id);
		const { token, link } = await givenIssuer();
		await link(owner.id, "someone");
		const vars = { ENVIRONMENT: "sandbox", BASE_URL: "http://localhost", WEBHOOK_ALLOWED_NETWORKS: "", RATE_LIMITS: "on" };
		const makeKey = async (claims: object) => {
			const { access_token, refresh_token } = expectOk(await exchange(await token({ sub: "someone", ...claims })));
			const renewed = expectOk(await call(refreshSession, { body: { refresh_token } })).access_token;
			const body = { name: "till", scopes: ["loans:write" as const] };
			return Promise.all(
				[access_token, renewed].map(async (as) => (await call(createApiKey, { as, path: { organizationId: id }, body, vars })).status),
			);
		};
		const now = Math.floor(Date.now() / 1000);
		expect(await makeKey({ auth_time: now - 60 })).toEqual([201, 201]);
		expect(await makeKey({ auth_time: now - 7200 })).toEqual([401, 401]);
		expect(await makeKey({})).toEqual([401, 401]);
	});

	it("of nobody is 403, and makes no user", async () => {
		const { token } = await givenIssuer();
		const answer = await exchange(await token({ sub: "nobody" }));
		expect(answer).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
		expect(JSON.stringify(answer.body)).toContain("accept the invitation, or ask an operator to link it");
		expect((await exchange(await token({ sub: (await givenUser()).id }))).status).toBe(403);
	});

	it("of a blocked user is 403; a token that does not verify is 401", async () => {
		const blocked = await givenUser({ blocked: true });
		const { token, link } = await givenIssuer();
		await link(blocked.id, "someone");
		expect((await exchange(await token({ sub: "someone" }))).status).toBe(403);
		const old = Math.floor(Date.now() / 1000) - 4000;
		for (const bad of [
			"no token",
			await token({ sub: "someone", aud: "somebody else" }),
			await token({ sub: "someone", iat: old, exp: old + 600 }),
			await sandboxToken("partner", "someone"),
			blocked.token,
		]) {
			expect(await exchange(bad)).toMatchObject({ status: 401, body: { code: "UNAUTHORISED" } });
		}
	});

	it("is exchanged once if the issuer's tokens are for a single use, by concurrent calls too", async () => {
		const user = await givenUser();
		const { token, link } = await givenIssuer({ single_use: true });
		await link(user.id, "someone");
		const once = await token({ sub: "someone" });
		const answers = await Promise.all([1, 2, 3, 4].map(() => exchange(once)));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
		expect((await exchange(once)).status).toBe(401);
	});

	it("that asserts a user's id works for the issuer's organization alone, and of its users alone", async () => {
		const [mine, other] = [await givenOrganization(), await givenOrganization()];
		const [both, stranger, customer] = [
			await givenMember(mine.id),
			await givenMember(other.id),
			await givenUser({ organizationId: mine.id }),
		];
		await givenMembership(other.id, both.id, "organization-owner");
		const { token } = await givenIssuer({ may_assert_user_ids: true, organization_id: mine.slug });
		const session = expectOk(await exchange(await token({ sub: both.id })));
		const renewed = expectOk(await call(refreshSession, { body: session }));
		for (const as of [session.access_token, session.id_token, renewed.access_token]) {
			expect((await brand(as, mine.id)).status).toBe(200);
			expect((await brand(as, other.id)).status).toBe(403);
			expect((await call(listMembers, { as, path: { organizationId: other.id }, query: {} })).status).toBe(404);
		}
		expect((await exchange(await token({ sub: stranger.id }))).status).toBe(403);
		expect((await exchange(await token({ sub: customer.id }))).status).toBe(200);
	});
});

describe("the session of an identity token", () => {
	it("ends after the issuer's max_session_seconds, however often it is renewed", async () => {
		const user = await givenUser();
		const { token, link } = await givenIssuer({ max_session_seconds: 120 });
		await link(user.id, "someone");
		const { refresh_token } = expectOk(await exchange(await token({ sub: "someone" })));
		const renewed = expectOk(await call(refreshSession, { body: { refresh_token } }));
		const [{ createdAt, expiresAt } = { createdAt: 0, expiresAt: 0 }] = await db.select().from(sessions);
		expect(expiresAt - createdAt).toBe(120_000);
		await db.update(sessions).set({ expiresAt: Date.now() - 1 });
		expect((await call(refreshSession, { body: { refresh_token: renewed.refresh_token } })).status).toBe(400);
	});

	it("ends with a sign-out, and with the trust in its issuer", async () => {
		const user = await givenUser();
		const { id, token, link } = await givenIssuer();
		await link(user.id, "someone");
		const [first, second] = [
			expectOk(await exchange(await token({ sub: "someone" }))),
			expectOk(await exchange(await token({ sub: "someone" }))),
		];
		await call(signOut, { as: first.access_token, body: {} });
		expect((await call(getMe, { as: first.access_token })).status).toBe(401);
		expect((await call(getMe, { as: second.access_token })).status).toBe(200);
		await call(deleteIssuer, { as: await operatorToken(), path: { id } });
		expect((await call(getMe, { as: second.access_token })).status).toBe(401);
		expect((await call(refreshSession, { body: { refresh_token: second.refresh_token } })).status).toBe(400);
	});
});
