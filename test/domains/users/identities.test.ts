// Outside identities are linked to users, and act as them.

import { env, exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { createIssuer } from "../../../src/domains/tokens/issuers/operations";
import { createSandboxToken } from "../../../src/domains/tokens/sandbox/operations";
import { linkIdentity } from "../../../src/domains/users/identity.operations";
import { member, memberOfPath, orIdentity } from "../../../src/http/callers/access";
import { mount } from "../../../src/http/mount";
import { operation } from "../../../src/http/operation";
import { callerLookup } from "../../../src/wiring/caller-lookup";
import { call, expectOk } from "../../support/client";
import { givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { givenKey, signed, type TestKey } from "../../support/issuers";
import { servicesFor } from "../../support/outbound";

const Caller = z.object({
	kind: z.string(),
	userId: z.string().optional(),
	organizationId: z.string(),
	resourceAccess: z.string().optional(),
});

const brand = operation({
	id: "brand",
	method: "POST",
	path: "/brand/{organizationId}",
	summary: "For the path's organization, by RS256 alone",
	access: orIdentity(memberOfPath("org:branding:write"), { algorithms: ["RS256"] }),
	request: {},
	response: Caller,
	handle: async ({ caller }) => caller,
});

const invoices = operation({
	id: "invoices",
	method: "GET",
	path: "/invoices",
	summary: "For the acting organization, by any algorithm",
	access: orIdentity(member("org:financing.merchants:read")),
	request: {},
	response: Caller,
	handle: async ({ caller }) => caller,
});

const plain = operation({
	id: "plain",
	method: "GET",
	path: "/plain",
	summary: "By service tokens alone",
	access: member("org:members:read"),
	request: {},
	response: Caller,
	handle: async ({ caller }) => caller,
});

const { app, add } = mount({ servicesFor, callerLookup });
add([brand, invoices, plain]);

async function request(method: string, path: string, as: string, headers: Record<string, string> = {}) {
	const ctx = { waitUntil() {}, passThroughOnException() {}, props: {}, exports } as unknown as ExecutionContext;
	const response = await app.request(
		`http://localhost${path}`,
		{ method, headers: { authorization: `Bearer ${as}`, ...headers } },
		env,
		ctx,
	);
	return { status: response.status, body: await response.json<Record<string, unknown>>() };
}

const ISSUER = "https://id.example";
let rsa: TestKey;
let ec: TestKey;
let organization: Awaited<ReturnType<typeof givenOrganization>>;
let user: Awaited<ReturnType<typeof givenMember>>;

beforeEach(async () => {
	[rsa, ec] = [await givenKey("RS256", "rsa"), await givenKey("ES256", "ec")];
	organization = await givenOrganization("acme");
	user = await givenMember(organization.id);
	const as = await operatorToken();
	const jwks = { keys: [rsa.jwk, ec.jwk] as never };
	expectOk(await call(createIssuer, { as, body: { issuer: ISSUER, kind: "identity", algorithms: ["RS256", "ES256"], jwks } }));
	expectOk(await call(linkIdentity, { as, path: { userId: user.id }, body: { issuer: ISSUER, subject: "auth0|anna" } }));
});

const bearer = (claims: Record<string, unknown> = {}, key = rsa) => signed(key, { iss: ISSUER, sub: "auth0|anna", ...claims });

describe("an identity issuer's token", () => {
	it("authenticates the user that an operator linked to its subject", async () => {
		expect(await request("POST", "/brand/acme", await bearer())).toEqual({
			status: 200,
			body: { kind: "member", userId: user.id, organizationId: organization.id, resourceAccess: "embedded" },
		});
		expect(await request("GET", "/invoices", await bearer({}, ec))).toMatchObject({
			status: 200,
			body: { organizationId: organization.id },
		});
	});

	it("is rejected when another algorithm is required, and where only service tokens are accepted", async () => {
		expect(await request("POST", "/brand/acme", await bearer({}, ec))).toMatchObject({ status: 401, body: { code: "UNAUTHORISED" } });
		expect(await request("GET", "/plain", await bearer())).toMatchObject({ status: 401 });
		expect((await request("GET", "/plain", user.token)).status).toBe(200);
	});

	it("is rejected for an unknown subject, even a user's id that the issuer may not assert", async () => {
		for (const sub of ["auth0|ben", user.id]) {
			expect(await request("POST", "/brand/acme", await bearer({ sub }))).toMatchObject({ status: 401, body: { code: "UNAUTHORISED" } });
		}
	});

	it("may name a user by their own id if the issuer's record allows it", async () => {
		const { token } = expectOk(await call(createSandboxToken, { body: { kind: "identity", subject: user.id } }));
		expect(await request("POST", "/brand/acme", token)).toMatchObject({ status: 200, body: { userId: user.id } });
		const stranger = expectOk(await call(createSandboxToken, { body: { kind: "identity", subject: crypto.randomUUID() } })).token;
		expect((await request("POST", "/brand/acme", stranger)).status).toBe(401);
	});

	it("acts for the organization in its claim, and for no other", async () => {
		const other = await givenOrganization("other");
		for (const org_id of [organization.id, "acme"]) {
			expect((await request("POST", "/brand/acme", await bearer({ org_id }))).status).toBe(200);
			expect((await request("POST", `/brand/${organization.id}`, await bearer({ org_id }))).status).toBe(200);
			expect((await request("GET", "/invoices", await bearer({ org_id }))).status).toBe(200);
		}
		for (const org_id of [other.id, "other", "nobody"]) {
			expect(await request("POST", "/brand/acme", await bearer({ org_id }))).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
			expect((await request("GET", "/invoices", await bearer({ org_id }))).status).toBe(403);
			expect((await request("GET", "/invoices", await bearer({ org_id }), { "x-organization-id": "acme" })).status).toBe(403);
		}
		expect((await request("POST", "/brand/nobody", await bearer({ org_id: "acme" }))).status).toBe(403);
	});

	it("gives no more access than the user's role", async () => {
		const viewer = await givenMember(organization.id, "organization-viewer");
		await call(linkIdentity, { as: await operatorToken(), path: { userId: viewer.id }, body: { issuer: ISSUER, subject: "viewer" } });
		expect(await request("POST", "/brand/acme", await bearer({ sub: "viewer" }))).toMatchObject({
			status: 403,
			body: { code: "FORBIDDEN" },
		});
	});

	it("is rejected when it is expired, forged, malformed or for another audience", async () => {
		const past = Math.floor(Date.now() / 1000) - 100;
		for (const token of [
			await bearer({ exp: past, iat: past - 10 }),
			await bearer({ aud: "x" }),
			await bearer({}, await givenKey("RS256", "rsa")),
			await bearer({ org_id: 7 }),
		]) {
			expect(await request("POST", "/brand/acme", token)).toMatchObject({ status: 401, body: { code: "UNAUTHORISED" } });
		}
	});
});

describe("a link", () => {
	it("is created by operators, once for each subject", async () => {
		const as = await operatorToken();
		const another = await givenUser();
		const link = (bearer: string, userId: string, subject: string) =>
			call(linkIdentity, { as: bearer, path: { userId }, body: { issuer: ISSUER, subject } });
		expect(await link(as, another.id, "auth0|ben")).toMatchObject({
			status: 201,
			body: { user_id: another.id, issuer: ISSUER, subject: "auth0|ben" },
		});
		expect(await link(as, another.id, "auth0|anna")).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(await link(as, crypto.randomUUID(), "x")).toMatchObject({ status: 404 });
		expect(await link(another.token, another.id, "x")).toMatchObject({ status: 403 });
	});
});
