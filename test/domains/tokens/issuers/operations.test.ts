// The registry of issuers.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { exchangePartnerToken } from "../../../../src/domains/tokens/exchange/operations";
import { createIssuer, deleteIssuer, getIssuer, listIssuers, updateIssuer } from "../../../../src/domains/tokens/issuers/operations";
import { getMe } from "../../../../src/domains/users/profile.operations";
import { call, expectOk, send } from "../../../support/client";
import { everyDatabase } from "../../../support/databases";
import { givenUser, operatorToken } from "../../../support/factories";
import { CONFIGURED, codeOf, exchangeSigned, givenJwks, givenKey, setOf, signed, type TestKey } from "../../../support/issuers";
import { beforeCommit } from "../../../support/loans";
import { forgetOutbound } from "../../../support/outbound";

let key: TestKey;
beforeEach(async () => {
	key = await givenKey("RS256");
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("the registry of issuers", () => {
	const body = (rest: Record<string, unknown> = {}) => ({
		issuer: "https://new.example",
		kind: "partner" as const,
		jwks: { keys: [key.jwk as never] },
		...rest,
	});

	it("lets operators create, read, list, change and delete issuers", async () => {
		const as = await operatorToken();
		const created = await call(createIssuer, { as, body: body({ organization_id: "acme" }) });
		expect(created).toMatchObject({
			status: 201,
			body: { issuer: "https://new.example", audience: "financial-account-service", max_lifetime_seconds: 3_600 },
		});
		const { id } = expectOk(created);
		expect(expectOk(await call(getIssuer, { as, path: { id } }))).toEqual(expectOk(created));
		expect(expectOk(await call(listIssuers, { as, query: {} })).data.map((one) => one.id)).toEqual([id]);
		const changed = expectOk(
			await call(updateIssuer, { as, path: { id }, body: { jwks_uri: "https://new.example/keys", organization_id: null } }),
		);
		expect(changed).toMatchObject({ id, jwks_uri: "https://new.example/keys", kind: "partner" });
		expect(changed).not.toHaveProperty("jwks");
		expect(changed).not.toHaveProperty("organization_id");
		expect((await call(deleteIssuer, { as, path: { id } })).status).toBe(204);
		expect(await call(getIssuer, { as, path: { id } })).toMatchObject({ status: 404 });
		expect(await call(deleteIssuer, { as, path: { id } })).toMatchObject({ status: 404 });
	});

	it("keeps what another operator changes before the commit", async () => {
		const as = await operatorToken();
		const { id } = expectOk(await call(createIssuer, { as, body: body() }));
		const change = (settings: { organization_id?: string; max_lifetime_seconds?: number }, vars: Partial<Env> = {}) =>
			call(updateIssuer, { as, path: { id }, body: settings, vars });
		expectOk(
			await change(
				{ organization_id: "acme" },
				beforeCommit(() => change({ max_lifetime_seconds: 600 })),
			),
		);
		expect(expectOk(await call(getIssuer, { as, path: { id } }))).toMatchObject({ organization_id: "acme", max_lifetime_seconds: 600 });
	});

	it("makes an issuer's tokens valid from its registration to its deletion", async () => {
		const as = await operatorToken();
		const tokenOf = async () => codeOf(await exchangeSigned(key, { iss: "https://new.example" }));
		expect(await tokenOf()).toBe("UNKNOWN_TOKEN_ISSUER");
		const { id } = expectOk(await call(createIssuer, { as, body: body() }));
		expect(await tokenOf()).toBe(200);
		await call(deleteIssuer, { as, path: { id } });
		expect(await tokenOf()).toBe("UNKNOWN_TOKEN_ISSUER");
	});

	it("is read again after a minute, so that changes by other isolates take effect", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		await call(createIssuer, { as: await operatorToken(), body: body() });
		expect(codeOf(await exchangeSigned(key, { iss: "https://new.example" }))).toBe(200);
		await everyDatabase.prepare("delete from trusted_issuers").run();
		later(59_000);
		expect(codeOf(await exchangeSigned(key, { iss: "https://new.example" }))).toBe(200);
		later(1_000);
		expect(codeOf(await exchangeSigned(key, { iss: "https://new.example" }))).toBe("UNKNOWN_TOKEN_ISSUER");
	});

	it("is read again next to a request from half a minute on, so that no request waits for it while they come", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		expectOk(await call(createIssuer, { as: await operatorToken(), body: body() }));
		const token = expectOk(
			await call(exchangePartnerToken, { body: { partner_token: await signed(key, { iss: "https://new.example" }) } }),
		);
		const trips = async () => (await call(getMe, { as: token.access_token, vars: {} })).headers.get("server-timing");
		await trips();
		// Three times as long as it is kept.
		for (let half = 0; half < 6; half++) {
			later(30_000);
			expect(await trips()).toContain("trips=1 ");
		}
		await everyDatabase.prepare("delete from trusted_issuers").run();
		later(30_000);
		expect((await call(getMe, { as: token.access_token, vars: {} })).status).toBe(200);
		expect((await call(getMe, { as: token.access_token })).status).toBe(401);
	});

	it("rejects an issuer that the configuration, the sandbox or the service itself uses", async () => {
		const as = await operatorToken();
		for (const issuer of [CONFIGURED, "https://sandbox.issuer.local", "http://localhost"]) {
			for (const kind of ["partner", "operator"] as const) {
				expect(await call(createIssuer, { as, body: body({ issuer, kind }) })).toMatchObject({ status: 409 });
			}
		}
	});

	it("rejects a jwks_uri whose name resolves to a private address, and accepts a name that does not resolve yet", async () => {
		const as = await operatorToken();
		const jwks_uri = "https://new.example/keys";
		const given = { jwks: undefined, jwks_uri };
		givenJwks(jwks_uri, () => setOf(key), "10.0.0.5");
		const refused = { status: 400, body: { invalid_params: [{ path: "jwks_uri", sub_code: "NOT_PUBLIC_HTTPS" }] } };
		expect(await send(createIssuer, { as, body: body(given) })).toMatchObject(refused);
		const { id } = expectOk(await call(createIssuer, { as, body: body() }));
		expect(await call(updateIssuer, { as, path: { id }, body: { jwks_uri } })).toMatchObject(refused);
		forgetOutbound();
		expect(await call(updateIssuer, { as, path: { id }, body: { jwks_uri } })).toMatchObject({ status: 200 });
	});

	it("accepts a jwks_uri over plain HTTP on loopback in the local environment", async () => {
		const as = await operatorToken();
		const settings = { jwks: undefined, jwks_uri: "http://127.0.0.1:9999/jwks.json" };
		expect((await send(createIssuer, { as, body: body(settings) })).status).toBe(201);
	});

	it("holds an issuer at most once per kind", async () => {
		const as = await operatorToken();
		expect((await call(createIssuer, { as, body: body() })).status).toBe(201);
		expect(await call(createIssuer, { as, body: body() })).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect((await call(createIssuer, { as, body: body({ kind: "identity", audience: "another" }) })).status).toBe(201);
	});

	it("holds each kind of an issuer under an audience of its own, so that a customer's token is never accepted as an operator's", async () => {
		const as = await operatorToken();
		const conflict = { status: 409, body: { code: "INVALID_STATE", description: expect.stringContaining("audience") } };
		const both = await Promise.all((["partner", "operator"] as const).map((kind) => call(createIssuer, { as, body: body({ kind }) })));
		expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
		expect(both.find(({ ok }) => !ok)).toMatchObject(conflict);
		const other = expectOk(await call(createIssuer, { as, body: body({ kind: "identity", audience: "another" }) }));
		const path = { id: other.id };
		expect(await call(updateIssuer, { as, path, body: { audience: "financial-account-service" } })).toMatchObject(conflict);
		expect((await call(updateIssuer, { as, path, body: { audience: "a-third" } })).status).toBe(200);
	});

	it("rejects unsafe settings, and callers who are not operators", async () => {
		const as = await operatorToken();
		for (const wrong of [
			{ algorithms: ["HS256"] },
			{ algorithms: ["none"] },
			{ algorithms: [] },
			{ jwks: { keys: [{ kty: "oct", k: "AAAA" }] } },
			{ jwks: { keys: [{ ...key.jwk, d: "AAAA" }] } },
			{ jwks_uri: "https://new.example/keys" },
			{ jwks: undefined, issuer: "new.example" },
			{ jwks: undefined, jwks_uri: "http://new.example/keys" },
			{ jwks: { keys: [{ ...key.jwk, p: "AAAA" }] } },
			...["https://10.0.0.1/keys", "https://169.254.169.254/", "https://[fd00::1]/", "https://8.8.8.8/", "https://a:b@new.example/"].map(
				(jwks_uri) => ({ jwks: undefined, jwks_uri }),
			),
			{ kind: "admin" },
			{ unknown: 1 },
		]) {
			expect(await send(createIssuer, { as, body: body(wrong) })).toMatchObject({ status: 400, body: { code: "INVALID_PARAMS" } });
		}
		expect(await call(createIssuer, { as: (await givenUser()).token, body: body() })).toMatchObject({ status: 403 });
		expect(await call(createIssuer, { body: body() })).toMatchObject({ status: 401 });
	});

	it("accepts only subjects of operator issuers as operators", async () => {
		await call(createIssuer, { as: await operatorToken(), body: body({ kind: "operator" }) });
		const bearer = (claims: Record<string, unknown> = {}) => signed(key, { iss: "https://new.example", ...claims });
		expect((await call(listIssuers, { as: await bearer(), query: {} })).status).toBe(200);
		const past = Math.floor(Date.now() / 1000) - 100;
		for (const as of [
			await bearer({ exp: past, iat: past - 10 }),
			await bearer({ aud: "x" }),
			await bearer({ iss: "https://nobody.example" }),
			await signed(await givenKey("RS256"), { iss: "https://new.example" }),
			"nonsense",
		]) {
			expect(await call(listIssuers, { as, query: {} })).toMatchObject({ status: 401, body: { code: "UNAUTHORISED" } });
		}
	});
});
