// What a refused caller learns: which credentials to send, which thing is unknown, and what is wrong with the input.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { mintToken } from "../../../src/domains/tokens/model/service-token.crypto";
import { mintApiKey } from "../../../src/http/callers/api-key";
import { configuration } from "../../../src/runtime/config";
import { givenApiKey, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { servePath } from "../../support/serve";
import { badTokens, sandboxToken } from "../../support/tokens";

type Told = { code: string; description: string; invalid_params?: { path: string; reason: string; sub_code: string }[] };

async function told(path: string, headers: Record<string, string> = {}, body?: unknown): Promise<Told & { status: number }> {
	const response = await servePath(path, {
		headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
		...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
	});
	return { status: response.status, ...((await response.json()) as Told) };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const unauthorised = (description: string) => ({ status: 401, code: "UNAUTHORISED", description, reason: "UNAUTHORISED" });

describe("a refusal of credentials", () => {
	it("names the credentials that the operation takes, when there are none or they have the wrong form", async () => {
		expect(await told("/v1/user/notifications/preferences")).toEqual(
			unauthorised("Credentials are missing. Send Authorization: Bearer <token>"),
		);
		expect(await told("/v1/user/notifications/preferences", { authorization: "Basic YTpi" })).toEqual(
			unauthorised("Authorization is not a bearer token. Send Authorization: Bearer <token>"),
		);
		expect(await told("/v1/user/notifications/preferences", { "x-api-key": "sk_x" })).toEqual(
			unauthorised("This operation takes no API key. Send Authorization: Bearer <token>"),
		);
		expect(await told("/v1/accounts/loan/quotes", {}, {})).toEqual(
			unauthorised("Credentials are missing. Send Authorization: Bearer <token>, or X-API-Key: <key>"),
		);
	});

	it("says what is wrong with a bearer token, and what to do first with one of another kind", async () => {
		const { id } = await givenUser();
		const bad = await badTokens(id);
		const wanted: Record<string, string> = {
			"an expired token": "The bearer token has expired: get a new one",
			"a custom token": "The bearer token is for another purpose: send an access token",
			"a token of an unknown issuer": "The bearer token's issuer is not trusted here",
			"a token signed by another key": "The bearer token's signature is invalid",
			"a text that is not a JWT": "The bearer token is not a JWT: send the whole access token",
			"a partner issuer's token":
				"This is a partner's token: exchange it at POST /v1/auth/exchange, and send the access token that you get",
		};
		for (const [kind, description] of Object.entries(wanted)) {
			expect({ kind, ...(await told("/v1/me", bearer(bad[kind] ?? ""))) }).toEqual({ kind, ...unauthorised(description) });
		}
		const phone = { kind: "phone", issuer: "http://localhost", subject: "+254712345678", lifetimeSeconds: 300 } as const;
		for (const token of [
			await sandboxToken("phone", "+254712345678", { aud: "financial-account-service" }),
			await mintToken(await configuration(env), { ...phone, realNow: Date.now() }),
		]) {
			expect((await told("/v1/me", bearer(token))).description).toMatch(
				/^This is a phone verification token: exchange it at POST \/v1\/auth\/public\/exchange\/phone,/,
			);
		}
		expect(
			await told(
				"/v1/me",
				bearer(
					await mintToken(await configuration(env), {
						kind: "access",
						issuer: "http://localhost",
						subject: crypto.randomUUID(),
						realNow: Date.now(),
						lifetimeSeconds: 300,
					}),
				),
			),
		).toEqual(unauthorised("The token belongs to no user of this service"));
	});

	it("distinguishes an incomplete API key from an unknown one", async () => {
		const { id } = await givenOrganization();
		const key = await givenApiKey(id, ["loans:write"]);
		const quote = (apiKey: string) => told("/v1/accounts/loan/quotes", { "x-api-key": apiKey }, {});
		expect((await quote(key)).status).toBe(400);
		expect(await quote(key.slice(0, -1))).toEqual(
			unauthorised("X-API-Key is not a whole API key: send it as it was shown, from sk_ to its end"),
		);
		const unknown = await mintApiKey((await configuration(env)).keyring, id, crypto.randomUUID());
		expect(await quote(unknown)).toEqual(unauthorised("The API key is unknown or revoked"));
	});
});

describe("404", () => {
	it("says which thing is unknown", async () => {
		const as = bearer(await operatorToken());
		const { id } = await givenOrganization();
		const acting = { ...as, "x-organization-id": id };
		const unknown = crypto.randomUUID();
		expect(await told("/v1/nothing", as)).toMatchObject({ description: "No operation has this path" });
		expect(await told(`/v1/webhooks/${unknown}`, acting)).toMatchObject({ description: "There is no such webhook" });
		expect(await told(`/v1/webhooks/deliveries/${unknown}`, acting)).toMatchObject({ description: "There is no such delivery" });
		expect(await told(`/v1/organizations/${unknown}/api-keys`, as)).toMatchObject({ description: "There is no such organization" });
		const quote = { loan_product_id: unknown, loan_amount: 1000, tenure: { duration: 30, unit: "DAYS" } };
		expect(await told("/v1/accounts/loan/quotes", as, quote)).toMatchObject({ status: 404, description: "There is no such loan product" });
	});
});

describe("a refusal of input", () => {
	it("names the field that was probably meant, and says in plain words what a value must be", async () => {
		const as = bearer(await operatorToken());
		const { invalid_params = [] } = await told("/v1/platform/organizations", as, { nmae: "Acme", name: 1, slug: "", zzzzzzzz: 1 });
		expect(invalid_params).toEqual(
			expect.arrayContaining([
				{ path: "name", reason: "must be a string", sub_code: "INVALID_TYPE" },
				{ path: "nmae", reason: "is not a known field; did you mean name?", sub_code: "UNKNOWN_FIELD" },
				{ path: "zzzzzzzz", reason: "is not a known field", sub_code: "UNKNOWN_FIELD" },
			]),
		);
	});

	it("is described by its first fault, and by how many others there are", async () => {
		const as = bearer(await operatorToken());
		expect(await told("/v1/platform/organizations", as, { name: 1, slug: "acme" })).toMatchObject({ description: "name must be a string" });
		expect(await told("/v1/platform/users?stauts=ACTIVE&size=0", as)).toMatchObject({
			description: "query.stauts is no parameter of this operation; did you mean status?",
		});
		const { description, invalid_params = [] } = await told("/v1/platform/organizations", as, { name: 1, nmae: "Acme", slug: 2 });
		expect(description).toMatch(/^name must be a string \(and \d more\)$/);
		expect(description).toContain(`(and ${invalid_params.length - 1} more)`);
	});

	it("says that a query parameter was sent twice, and refuses an item of a list as before", async () => {
		const as = bearer(await operatorToken());
		const once = (name: string) => [{ path: `query.${name}`, reason: "must be sent only once", sub_code: "DUPLICATE" }];
		expect(await told("/v1/platform/users?size=1&size=2", as)).toMatchObject({ status: 400, invalid_params: once("size") });
		expect(await told("/v1/platform/users?status=ACTIVE&status=ACTIVE", as)).toMatchObject({ invalid_params: once("status") });
		const { slug } = await givenOrganization();
		expect(await told(`/v1/organizations/${slug}/members/invitations?roles=boss&roles=organization-owner`, as)).toMatchObject({
			invalid_params: [{ path: "query.roles", reason: expect.stringContaining("must be one of"), sub_code: "NOT_ALLOWED" }],
		});
	});

	it("names its faults with the specification's description, and in problem+json with what to do", async () => {
		const path = "/v1/auth/public/phone/verifications";
		const fault = { path: "mobile_number", reason: "must be a string", sub_code: "INVALID_TYPE" };
		expect(await told(path, {}, { mobile_country_code: "254", mobile_number: 7 })).toEqual({
			...{ status: 400, code: "BAD_REQUEST", description: "Invalid input", reason: "INVALID_TYPE" },
			invalid_params: [fault],
		});
		expect(await told(path, { accept: "application/problem+json" }, { mobile_number: 7 })).toMatchObject({
			code: "BAD_REQUEST",
			description: "Invalid input",
			detail: expect.stringMatching(/^mobile_\w+ (must be a string|is required)/),
			remedy: expect.any(String),
			identifier: expect.any(String),
			invalid_params: expect.arrayContaining([fault]),
		});
	});
});
