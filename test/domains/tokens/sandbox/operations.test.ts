// Tokens of test issuers on a deployed sandbox: who gets them, what they say, and what they cannot.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { exchangePartnerToken } from "../../../../src/domains/tokens/exchange/operations";
import { createIssuer, deleteIssuer, updateIssuer } from "../../../../src/domains/tokens/issuers/operations";
import { createSandboxToken } from "../../../../src/domains/tokens/sandbox/operations";
import { tryIssuer } from "../../../../src/domains/tokens/trial/operations";
import { getMe } from "../../../../src/domains/users/profile.operations";
import { configuration } from "../../../../src/runtime/config";
import { forgetAll } from "../../../../src/shared/cache";
import { call, expectOk, send } from "../../../support/client";
import { givenOrganization, operatorToken } from "../../../support/factories";
import { givenSandbox } from "../../../support/operators";
import type { Vars } from "../../../support/serve";

const ISSUER = "https://tests.umoja.example";
const PRODUCTION = { ENVIRONMENT: "production", MESSAGE_SENDER_URL: "https://sms.example", MESSAGE_SENDER_TOKEN: "t" };

let vars: Vars;
let operator: string;
let slug: string;
beforeEach(async () => {
	const sandbox = await givenSandbox();
	vars = sandbox.vars;
	operator = await sandbox.token();
	({ slug } = await givenOrganization());
});

const settings = (rest: object = {}) => ({ issuer: ISSUER, kind: "sandbox", organization_id: slug, auto_admit: true, ...rest });
const registering = (rest: object = {}) => send(createIssuer, { as: operator, body: settings(rest), vars });
/** Registered by one operator alone, as on this machine. */
const register = async (rest: object = {}) =>
	expectOk(await call(createIssuer, { as: await operatorToken(), body: settings(rest) as never }));
const asking = (rest: object = {}, at = vars) =>
	send(createSandboxToken, { body: { kind: "partner", subject: "alice", issuer: ISSUER, ...rest }, vars: at });
const tokenOf = async (subject = "alice") => ((await asking({ subject })).body as { token: string }).token;
const exchanging = (partner_token: string, at = vars) => call(exchangePartnerToken, { body: { partner_token }, vars: at });
const fault = (path: string) => ({ status: 400, body: { invalid_params: [{ path }] } });

describe("a test issuer on a deployed sandbox", () => {
	it("signs anybody in at its lender, each name as one user, and is tried like any issuer", async () => {
		const { id } = await register();
		const { access_token } = expectOk(await exchanging(await tokenOf()));
		const me = expectOk(await call(getMe, { as: access_token, vars }));
		expect(me).toMatchObject({ status: "ACTIVE", home_organization: { slug } });
		const again = expectOk(await exchanging(await tokenOf()));
		expect(expectOk(await call(getMe, { as: again.access_token, vars }))).toEqual(me);
		const bob = expectOk(await exchanging(await tokenOf("bob")));
		expect(expectOk(await call(getMe, { as: bob.access_token, vars }))).not.toEqual(me);
		const body = { token: await tokenOf() };
		expect(expectOk(await call(tryIssuer, { as: operator, path: { id }, body, vars }))).toMatchObject({ accepted: true });
	});

	it("gives no other token: not of another kind, with claims of one's own, of another organization, or for longer than it allows", async () => {
		await register({ max_lifetime_seconds: 600 });
		for (const kind of ["operator", "identity", "phone"]) expect(await asking({ kind, expires_in: 600 })).toMatchObject(fault("kind"));
		expect(await asking({ claims: { email: "a@example.com", email_verified: true }, expires_in: 600 })).toMatchObject(fault("claims"));
		expect(await asking({ organization: "another", expires_in: 600 })).toMatchObject(fault("organization"));
		expect(await asking({ expires_in: 601 })).toMatchObject(fault("expires_in"));
		expect(await asking({ issuer: undefined })).toMatchObject(fault("issuer"));
		expect(await asking({ issuer: "https://operators.example" })).toMatchObject(fault("issuer"));
		expect((await asking({ expires_in: 600 })).status).toBe(200);
	});

	it("gives none any more, and what it gave counts no more, once it is disabled or deleted", async () => {
		const { id } = await register();
		const token = await tokenOf();
		const as = await operatorToken();
		expectOk(await call(updateIssuer, { as, path: { id }, body: { disabled: true } }));
		expect(await asking()).toMatchObject(fault("issuer"));
		expect((await exchanging(token)).status).toBe(401);
		expectOk(await call(deleteIssuer, { as, path: { id } }));
		expect(await exchanging(token)).toMatchObject({ status: 401, body: { code: "UNKNOWN_TOKEN_ISSUER" } });
	});

	it.each([
		{ organization_id: undefined },
		{ may_assert_user_ids: true },
		{ may_assert_phone_numbers: true },
		{ emails_are_verified: true },
		{ jwks_uri: "https://tests.umoja.example/jwks.json" },
	])("is not registered with %o, nor changed to it", async (rest) => {
		const [path = ""] = Object.keys(rest);
		expect(await registering(rest)).toMatchObject(fault(path));
		const { id } = await register();
		const body = path === "organization_id" ? { organization_id: null } : rest;
		expect(await send(updateIssuer, { as: await operatorToken(), path: { id }, body })).toMatchObject(fault(path));
	});
});

describe("production", () => {
	it("has neither the operation nor test issuers, and what is registered there counts for nothing", async () => {
		await register();
		const token = await tokenOf();
		const production = { ...vars, ...PRODUCTION, DISBURSER_URL: "https://d.example", DISBURSER_SECRET: "0123456789abcdefghijklmnopqrstuv" };
		const trusted = JSON.parse(String(vars.TRUSTED_ISSUERS)).map((one: object) => ({ ...one, required_amr: [] }));
		const at = { ...production, MESSAGE_SENDER: "http", CUSTODIAN: "http", CUSTODIAN_URL: "https://c.example", DISBURSER: "http" };
		const theirs = { ...at, TRUSTED_ISSUERS: JSON.stringify(trusted) } as Vars;
		forgetAll();
		expect((await asking({}, theirs)).status).toBe(404);
		expect(await exchanging(token, theirs)).toMatchObject({ status: 401, body: { code: "UNKNOWN_TOKEN_ISSUER" } });
		expect(await send(createIssuer, { as: operator, body: settings({ issuer: "https://new.example" }), vars: theirs })).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "kind", reason: "sandbox is of test issuers, which production does not have" }] },
		});
		const named = JSON.stringify([...trusted, settings()]);
		await expect(configuration({ ...env, ...theirs, TRUSTED_ISSUERS: named } as never)).rejects.toHaveProperty(
			"variables.TRUSTED_ISSUERS",
			"entry 1: kind sandbox is of test issuers, which production does not have",
		);
	});
});
