// Which partners' tokens are exchanged, and how each fault of a token is answered.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { organizations } from "../../../../src/domains/organizations/table";
import { exchangePartnerToken } from "../../../../src/domains/tokens/exchange/operations";
import { createIssuer, updateIssuer } from "../../../../src/domains/tokens/issuers/operations";
import { createSandboxToken } from "../../../../src/domains/tokens/sandbox/operations";
import { users } from "../../../../src/domains/users/model/table";
import { getMe } from "../../../../src/domains/users/profile.operations";
import { webhookEvents } from "../../../../src/events/table";
import { settleNames } from "../../../../src/wiring/unsettled-names";
import { call, expectOk, send } from "../../../support/client";
import { alone, everyDatabase } from "../../../support/databases";
import { accessToken, db, givenOrganization, givenUser, operatorToken } from "../../../support/factories";
import { givenKey, signed, type TestKey } from "../../../support/issuers";
import { runDueWork } from "../../../support/loans";
import { expectUser } from "../../../support/profiles";

const ISSUER = "https://registered.example";

let key: TestKey;
beforeEach(async () => {
	key = await givenKey("ES256");
	vi.restoreAllMocks();
});

const register = async (
	settings: Partial<Parameters<typeof call<never, typeof createIssuer.request, typeof createIssuer.response>>[1]["body"]> = {},
) =>
	expectOk(
		await call(createIssuer, {
			as: await operatorToken(),
			body: {
				issuer: ISSUER,
				kind: "partner",
				algorithms: ["ES256"],
				jwks: { keys: [key.jwk as never] },
				organization_id: "acme",
				...settings,
			},
		}),
	);

const exchange = (partner_token: string) => call(exchangePartnerToken, { body: { partner_token } });
const token = (claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
	signed(key, { iss: ISSUER, ...claims }, header);

const sandboxToken = async (kind: "partner" | "operator" | "phone" | "identity", rest: Record<string, unknown> = {}) =>
	expectOk(await call(createSandboxToken, { body: { kind, subject: "anna", ...rest } })).token;

describe("the exchange of a partner's token", () => {
	it("returns a service token that works as a bearer token, and puts a new user on the waiting list", async () => {
		const answer = await exchange(await sandboxToken("partner", { organization: "acme" }));
		expect(answer).toMatchObject({ status: 200, body: { token_type: "Bearer", expires_in: 900 } });
		const me = expectUser(await call(getMe, { as: expectOk(answer).access_token }));
		expect(me).toMatchObject({ status: "WAITING_LIST", tag: expect.stringMatching(/^@[a-z0-9]{10}$/), organizations: [] });
		const [event] = await db.select().from(webhookEvents);
		expect(event).toMatchObject({ eventType: "user.waitlisted", data: JSON.stringify({ user_id: me.id, source: "PARTNER" }) });
	});

	it("creates the home organization of a slug on first use and reuses it afterwards", async () => {
		for (const subject of ["anna", "ben"]) await exchange(await sandboxToken("partner", { subject, organization: "acme" }));
		const [organization, another] = await db.select().from(organizations);
		expect(another).toBeUndefined();
		expect((await db.select().from(users)).map((user) => user.homeOrganizationId)).toEqual([organization?.id, organization?.id]);
	});

	it("admits users immediately when the issuer's record says so, and raises an event", async () => {
		await register({ auto_admit: true });
		const answer = await exchange(await token());
		expect(expectUser(await call(getMe, { as: expectOk(answer).access_token })).status).toBe("ACTIVE");
		expect((await db.select().from(webhookEvents)).map((event) => event.eventType)).toEqual(["user.admitted"]);
	});

	it("creates one user when first exchanges run concurrently", async () => {
		const partner_token = await sandboxToken("partner", { organization: "acme" });
		const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(partner_token)));
		expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
		expect(await db.select().from(users)).toHaveLength(1);
		expect(await db.select().from(organizations)).toHaveLength(1);
		expect(await db.select().from(webhookEvents)).toHaveLength(1);
	});

	it("creates one organization for many concurrent new users", async () => {
		const tokens = await Promise.all(["a", "b", "c", "d"].map((subject) => sandboxToken("partner", { subject, organization: "acme" })));
		expect((await Promise.all(tokens.map(exchange))).map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
		expect(await db.select().from(users)).toHaveLength(4);
		expect(await db.select().from(organizations)).toHaveLength(1);
	});

	it("costs a read and a commit the first time (one more commit in two databases), and afterwards one read", async () => {
		await givenOrganization("acme");
		const partner_token = await sandboxToken("partner", { organization: "acme" });
		const trips = async () => (await exchange(partner_token)).headers.get("server-timing");
		expect(await trips()).toContain(alone ? "trips=2 " : "trips=3 ");
		// An isolate asks the directory which user the identity belongs to: once, as soon as a sweep has seen that it does.
		await runDueWork(settleNames);
		if (!alone) expect(await trips()).toContain("trips=2 ");
		expect(await trips()).toContain("trips=1 ");
	});

	it("creates another user for the same subject of another issuer", async () => {
		await register();
		await exchange(await token({ sub: "anna" }));
		await exchange(await sandboxToken("partner", { subject: "anna" }));
		expect(await db.select().from(users)).toHaveLength(2);
	});

	it("stores a verified email and, for a user with a number, its changes, but not an unverified one", async () => {
		await register();
		const emailAfter = async (claims: Record<string, unknown>) => {
			await exchange(await token(claims));
			return (await db.select().from(users))[0]?.email;
		};
		expect(await emailAfter({ email: "a@example.com" })).toBeNull();
		expect(await emailAfter({ email: "a@example.com", email_verified: true })).toBe("a@example.com");
		expect(await emailAfter({ email: "b@example.com", email_verified: "true" })).toBe("a@example.com");
		// Until then the codes go there.
		expect(await emailAfter({ email: "b@example.com", email_verified: true })).toBe("a@example.com");
		await db.update(users).set({ mobileNumber: "+254712345678" });
		expect(await emailAfter({ email: "b@example.com", email_verified: true })).toBe("b@example.com");
	});

	it("refuses a blocked user", async () => {
		await register();
		await exchange(await token());
		await db.update(users).set({ blockedAt: Date.now() });
		expect(await exchange(await token())).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
	});

	it("reads a UUID subject as a user id only from issuers with may_assert_user_ids, and only for their own users", async () => {
		const acme = await givenOrganization("acme");
		const [own, foreign] = [await givenUser({ organizationId: acme.id }), await givenUser()];
		const issuer = await register();
		const userOf = async (sub: string) =>
			expectUser(await call(getMe, { as: expectOk(await exchange(await token({ sub }))).access_token })).id;
		expect(await userOf(own.id)).not.toBe(own.id);
		const own2 = await givenUser({ organizationId: acme.id });
		await call(updateIssuer, { as: await operatorToken(), path: { id: issuer.id }, body: { may_assert_user_ids: true } });
		expect(await userOf(own2.id)).toBe(own2.id);
		expect(await exchange(await token({ sub: foreign.id }))).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
	});

	it("accepts a single-use token once, also from concurrent calls", async () => {
		await register({ single_use: true });
		const once = await token({ jti: "t1" });
		const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(once)));
		expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
		for (const answer of answers) if (!answer.ok) expect(answer).toMatchObject({ status: 401, body: { code: "INVALID_TOKEN" } });
		expect(await exchange(await token())).toMatchObject({ status: 400, body: { code: "INVALID_TOKEN_CLAIMS" } });
	});

	it("accepts other tokens repeatedly until they expire, because an answer may be lost", async () => {
		await register();
		const again = await token();
		expect([(await exchange(again)).status, (await exchange(again)).status]).toEqual([200, 200]);
	});
});

describe("a partner's token is refused when it", () => {
	const expectRefusal = async (partner_token: string, status: number, code: string) =>
		expect(await exchange(partner_token)).toMatchObject({ ok: false, status, body: { code } });

	it("is not a string, or absent", async () => {
		for (const body of [{}, { partner_token: 7 }, { partner_token: null }, [], "{"]) {
			expect(await send(exchangePartnerToken, { body })).toMatchObject({ status: 400, body: { code: "INVALID_TOKEN" } });
		}
	});

	it("is not a JWT", async () => {
		for (const text of ["", "abc", "a.b.c", "a.b", `${"a".repeat(9000)}.e30.e30`]) await expectRefusal(text, 400, "MALFORMED_TOKEN");
	});

	it("names no issuer, an unknown one, or one of another kind", async () => {
		await register({ kind: "identity" });
		await expectRefusal(await signed(key, {}), 400, "INVALID_TOKEN_CLAIMS");
		await expectRefusal(await signed(key, { iss: "https://nobody.example" }), 401, "UNKNOWN_TOKEN_ISSUER");
		await expectRefusal(await token(), 401, "UNKNOWN_TOKEN_ISSUER");
		await expectRefusal(await accessToken(crypto.randomUUID()), 401, "UNKNOWN_TOKEN_ISSUER");
	});

	it("is signed by another key, which is reported before expired or invalid claims", async () => {
		await register();
		const other = await givenKey("ES256");
		await expectRefusal(await signed(other, { iss: ISSUER }), 401, "INVALID_TOKEN_SIGNATURE");
		await expectRefusal(await signed(other, { iss: ISSUER, exp: 1, aud: "x" }), 401, "INVALID_TOKEN_SIGNATURE");
		await expectRefusal(await token({}, { kid: "other" }), 401, "INVALID_TOKEN_SIGNATURE");
	});

	it("is signed with an algorithm that the issuer's record does not list", async () => {
		await register({ algorithms: ["RS256"] });
		await expectRefusal(await token(), 400, "INVALID_TOKEN");
	});

	it("has a critical header extension", async () => {
		await register();
		const [, payload, signature] = (await token()).split(".");
		const header = btoa(JSON.stringify({ alg: "ES256", kid: "k1", crit: ["x"], x: 1 })).replaceAll("=", "");
		await expectRefusal(`${header}.${payload}.${signature}`, 400, "INVALID_TOKEN");
	});

	it("contains its own key", async () => {
		await register();
		const other = await givenKey("ES256");
		await expectRefusal(
			await signed(other, { iss: ISSUER }, { jwk: other.jwk, jku: "https://evil.example/" }),
			401,
			"INVALID_TOKEN_SIGNATURE",
		);
	});

	it("has expired", async () => {
		const past = Math.floor(Date.now() / 1000) - 61;
		await register();
		await expectRefusal(await token({ exp: past, iat: past - 60 }), 401, "TOKEN_EXPIRED");
		await expectRefusal(await sandboxToken("partner", { expires_in: -60 }), 401, "TOKEN_EXPIRED");
	});

	it("comes from the sandbox with another kind or an invalid organization slug", async () => {
		await expectRefusal(await sandboxToken("operator"), 400, "INVALID_TOKEN_CLAIMS");
		await expectRefusal(await sandboxToken("partner", { organization: "No Slug" }), 400, "INVALID_TOKEN_CLAIMS");
		await expectRefusal(await sandboxToken("partner", { organization: crypto.randomUUID() }), 400, "INVALID_TOKEN_CLAIMS");
	});

	it("comes from a disabled partner", async () => {
		const issuer = await register();
		await call(updateIssuer, { as: await operatorToken(), path: { id: issuer.id }, body: { disabled: true } });
		await expectRefusal(await token(), 401, "UNAUTHORISED");
	});

	it("causes an unexpected failure, with INTERNAL_ERROR", async () => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		await everyDatabase.prepare("drop table users").run();
		await expectRefusal(await sandboxToken("partner"), 500, "INTERNAL_ERROR");
	});
});
