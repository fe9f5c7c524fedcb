// Where persons of power come from, how they must have authenticated, and what a withdrawn issuer leaves behind.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { requestApproval } from "../../../../src/domains/approvals/operations";
import { exchangePartnerToken } from "../../../../src/domains/tokens/exchange/operations";
import { exchangePhoneToken } from "../../../../src/domains/tokens/exchange/phone.operations";
import { createIssuer, deleteIssuer, listIssuers, updateIssuer } from "../../../../src/domains/tokens/issuers/operations";
import { refreshSession } from "../../../../src/domains/tokens/sessions/operations";
import { signIn } from "../../../../src/domains/tokens/sign-in.operations";
import { getMe } from "../../../../src/domains/users/profile.operations";
import { type ConfigurationError, configuration } from "../../../../src/runtime/config";
import { forgetAll } from "../../../../src/shared/cache";
import { call, expectOk, send } from "../../../support/client";
import { givenOrganization, operatorToken } from "../../../support/factories";
import { givenKey, signed, type TestKey } from "../../../support/issuers";
import { givenSandbox } from "../../../support/operators";

const ISSUER = "https://registered.example";

let key: TestKey;
beforeEach(async () => {
	key = await givenKey();
});

const body = (rest: Record<string, unknown> = {}) => ({ issuer: ISSUER, kind: "partner", jwks: { keys: [key.jwk] }, ...rest });
const register = async (rest: Record<string, unknown> = {}) =>
	expectOk(await call(createIssuer, { as: await operatorToken(), body: body(rest) as never }));

describe("outside local", () => {
	it.each(["operator", "phone"])("no %s issuer is registered, and a stored one is ignored", async (kind) => {
		await register({ kind });
		const { vars, token } = await givenSandbox();
		const as = await token();
		const refusal = { status: 400, body: { code: "INVALID_PARAMS", invalid_params: [{ path: "kind", sub_code: "NOT_ALLOWED" }] } };
		expect(await send(createIssuer, { as, body: body({ kind, issuer: "https://new.example" }), vars })).toMatchObject(refusal);
		const { id } = await givenOrganization();
		const request = { approval_type: "ISSUER_REGISTRATION", entity_type: "ORGANIZATION", entity_id: id, payload: body({ kind }) };
		expect(await send(requestApproval, { as, body: request, vars })).toMatchObject(refusal);
		const theirs = await signed(key, { iss: ISSUER, sub: kind === "phone" ? "+254712345678" : "root" });
		forgetAll();
		if (kind === "operator") expect(await call(listIssuers, { as: theirs, query: {}, vars })).toMatchObject({ status: 401 });
		else expect(await call(exchangePhoneToken, { body: { phone_verification_token: theirs }, vars })).toMatchObject({ status: 400 });
		expect(await call(listIssuers, { as, query: {}, vars })).toMatchObject({ status: 200, body: { data: [{ kind }] } });
	});
});

describe("the authentication that an issuer's entry demands", () => {
	const seconds = () => Math.floor(Date.now() / 1000);

	it("is any of the methods and of the classes, and recent enough; otherwise 401 says what to do", async () => {
		const { vars, token } = await givenSandbox({
			required_amr: ["hwk", "mfa"],
			required_acr: ["gold", "silver"],
			max_authentication_age_seconds: 600,
		});
		const good = { amr: ["pwd", "mfa"], acr: "silver", auth_time: seconds() - 500 };
		const list = async (claims: Record<string, unknown>) => call(listIssuers, { as: await token("root", claims), query: {}, vars });
		expect((await list(good)).status).toBe(200);
		for (const wrong of [
			{ amr: ["pwd"] },
			{ amr: "mfa" },
			{ amr: undefined },
			{ acr: "bronze" },
			{ acr: ["gold"] },
			{ acr: undefined },
			{ auth_time: seconds() - 700 },
			{ auth_time: seconds() + 700 },
			{ auth_time: String(seconds()) },
			{ auth_time: undefined },
		]) {
			const answer = await list({ ...good, ...wrong });
			expect(answer).toMatchObject({ status: 401, body: { code: "UNAUTHORISED" } });
			expect(answer.headers.get("www-authenticate")).toBe(
				'Bearer error="insufficient_user_authentication", max_age="600", acr_values="gold silver"',
			);
		}
	});

	it("holds for registered issuers too, partners' included, until null takes it away", async () => {
		const { id } = await register({ required_amr: ["mfa"] });
		const exchange = async (claims: Record<string, unknown> = {}) =>
			call(exchangePartnerToken, { body: { partner_token: await signed(key, { iss: ISSUER, ...claims }) } });
		const refused = await exchange({ amr: ["pwd"] });
		expect(refused).toMatchObject({ status: 401, body: { code: "UNAUTHORISED" } });
		expect(refused.headers.get("www-authenticate")).toBe('Bearer error="insufficient_user_authentication"');
		expect((await exchange({ amr: ["mfa"] })).status).toBe(200);
		const changed = await call(updateIssuer, { as: await operatorToken(), path: { id }, body: { required_amr: null } });
		expect(expectOk(changed)).not.toHaveProperty("required_amr");
		expect((await exchange()).status).toBe(200);
	});

	it("must be stated for operators in production, or waived", async () => {
		const variables = (entry: object) =>
			configuration({
				...env,
				ENVIRONMENT: "production",
				TRUSTED_ISSUERS: JSON.stringify([{ issuer: ISSUER, kind: "operator", jwks: { keys: [key.jwk] }, ...entry }]),
			} as never).then(
				() => [],
				(error: ConfigurationError) => Object.keys(error.variables),
			);
		expect(await variables({})).toContain("TRUSTED_ISSUERS");
		for (const entry of [{ required_amr: [] }, { required_amr: ["mfa"] }, { required_acr: ["gold"] }]) {
			expect(await variables(entry)).not.toContain("TRUSTED_ISSUERS");
		}
	});
});

describe("an issuer whose subjects may be users' ids", () => {
	it("needs an organization, in the registry (400) and in the configuration (503)", async () => {
		const as = await operatorToken();
		const asserting = body({ kind: "identity", may_assert_user_ids: true });
		const refusal = { status: 400, body: { invalid_params: [{ path: "organization_id" }] } };
		expect(await send(createIssuer, { as, body: asserting })).toMatchObject(refusal);
		const { id } = await register({ kind: "identity" });
		expect(await call(updateIssuer, { as, path: { id }, body: { may_assert_user_ids: true } })).toMatchObject(refusal);
		const both = { may_assert_user_ids: true, organization_id: "acme" };
		expect((await call(updateIssuer, { as, path: { id }, body: both })).status).toBe(200);
		expect(await call(updateIssuer, { as, path: { id }, body: { organization_id: null } })).toMatchObject(refusal);
		vi.spyOn(console, "error").mockImplementation(() => {});
		expect(await call(listIssuers, { as, query: {}, vars: { TRUSTED_ISSUERS: JSON.stringify([asserting]) } })).toMatchObject({
			status: 503,
		});
	});
});

describe("the sessions of an issuer that is no longer trusted", () => {
	beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));

	const partners = async () => {
		const partner_token = await signed(key, { iss: ISSUER });
		return { access: expectOk(await call(exchangePartnerToken, { body: { partner_token } })).access_token };
	};
	const custom = async () => {
		const phone_verification_token = await signed(key, { iss: ISSUER, sub: "+254712345678" });
		return expectOk(await call(exchangePhoneToken, { body: { phone_verification_token } })).access_token;
	};
	const phones = async () => {
		const signedIn = expectOk(await call(signIn, { body: { custom_token: await custom() } }));
		return { access: signedIn.access_token, id: signedIn.id_token, refresh: signedIn.refresh_token, custom: await custom() };
	};

	it.each([
		["partner", "deleted"],
		["partner", "disabled"],
		["phone", "deleted"],
		["phone", "disabled"],
	] as const)("end within a minute when the %s issuer is %s", async (kind, end) => {
		const as = await operatorToken();
		const { id } = await register({ kind, organization_id: "acme" });
		const tokens: { access: string; id?: string; refresh?: string; custom?: string } =
			kind === "partner" ? await partners() : await phones();
		const bearers = [tokens.access, ...(tokens.id ? [tokens.id] : [])];
		for (const bearer of bearers) expect((await call(getMe, { as: bearer })).status).toBe(200);
		// Another isolate would learn of it after a minute.
		if (end === "deleted") await call(deleteIssuer, { as, path: { id } });
		else await call(updateIssuer, { as, path: { id }, body: { disabled: true } });
		for (const bearer of bearers) expect(await call(getMe, { as: bearer })).toMatchObject({ status: 401 });
		if (kind === "partner") return;
		expect(await call(refreshSession, { body: { refresh_token: tokens.refresh ?? "" } })).toMatchObject({ status: 400 });
		expect(await call(signIn, { body: { custom_token: tokens.custom ?? "" } })).toMatchObject({ status: 400 });
	});
});
