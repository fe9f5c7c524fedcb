// The rotation of MASTER_KEY: who is found before, during and after it, and what a start without the oldest key says.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { exchangePartnerToken } from "../../src/domains/tokens/exchange/operations";
import { createSandboxToken } from "../../src/domains/tokens/sandbox/operations";
import { getMe } from "../../src/domains/users/profile.operations";
import { call, expectOk } from "../support/client";
import { everyDatabase } from "../support/databases";
import { expectUser } from "../support/profiles";

const freshKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
const NEW = freshKey();
const ROTATING = { MASTER_KEY: `${NEW},${env.MASTER_KEY}` };

const token = async (vars: Partial<Env>) =>
	expectOk(await call(createSandboxToken, { body: { kind: "partner", subject: "anna", organization: "acme" }, vars })).token;
const userId = async (vars: Partial<Env>) => {
	const { access_token } = expectOk(await call(exchangePartnerToken, { body: { partner_token: await token(vars) }, vars }));
	return expectUser(await call(getMe, { as: access_token, vars })).id;
};

beforeEach(async () => {
	vi.spyOn(console, "error").mockImplementation(() => {});
	await everyDatabase.prepare("delete from oldest_key").run();
});

describe("MASTER_KEY", () => {
	it("finds the same users with a new key in front of the old one", async () => {
		const id = await userId({});
		expect(await userId(ROTATING)).toBe(id);
		expect(await userId({})).toBe(id);
	});

	it("without the key by which users are found is refused with 503, which the log names and which makes nobody a second time", async () => {
		// The first start leaves the row, because this isolate has not asked for this key before.
		const first = { MASTER_KEY: freshKey() };
		const id = await userId(first);
		const log = vi.spyOn(console, "error").mockImplementation(() => {});
		const partner_token = await token(first);
		for (const MASTER_KEY of [NEW, `${first.MASTER_KEY},${NEW}`]) {
			const answer = await call(exchangePartnerToken, { body: { partner_token }, vars: { MASTER_KEY } });
			expect(answer).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
		}
		const said = JSON.stringify(log.mock.calls);
		expect(said).toMatch(/must end with the key [0-9a-f]{8}, by which users are found/);
		for (const secret of [NEW, first.MASTER_KEY]) expect(said).not.toContain(secret);
		expect((await everyDatabase.prepare("select id from users").all()).results).toEqual([{ id }]);
		expect(await userId({ MASTER_KEY: `${NEW},${first.MASTER_KEY}` })).toBe(id);
	});
});
