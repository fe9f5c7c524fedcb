// Sign-ins and sign-outs whose answers were lost, and which are repeated.

import { beforeEach, expect, it, vi } from "vitest";
import { exchangePhoneToken } from "../../../src/domains/tokens/exchange/phone.operations";
import { createSandboxToken } from "../../../src/domains/tokens/sandbox/operations";
import { refreshSession, signOut } from "../../../src/domains/tokens/sessions/operations";
import { signIn } from "../../../src/domains/tokens/sign-in.operations";
import { sessions } from "../../../src/domains/tokens/table";
import { getMe } from "../../../src/domains/users/profile.operations";
import { call, expectOk } from "../../support/client";
import { db } from "../../support/factories";
import { verifiedPhone } from "../../support/phone-door";

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

async function customToken() {
	const phone = expectOk(await call(createSandboxToken, { body: { kind: "phone", subject: "+254712345678", organization: "acme" } })).token;
	return expectOk(await call(exchangePhoneToken, { body: { phone_verification_token: phone } })).access_token;
}
const signedIn = async () => expectOk(await call(signIn, { body: { custom_token: await customToken() } }));
const refresh = (refresh_token: string) => call(refreshSession, { body: { refresh_token } });
const meStatus = async (as: string) => (await call(getMe, { as })).status;

it("the service begins one session with a custom token, whose refresh token repeated calls get for a minute", async () => {
	const custom_token = await customToken();
	const open = () => call(signIn, { body: { custom_token } });
	const answers = await Promise.all(Array.from({ length: 4 }, open));
	expect(new Set(answers.map((answer) => expectOk(answer).refresh_token)).size).toBe(1);
	expect(await db.select().from(sessions)).toHaveLength(1);
	later(60_000);
	expect(await open()).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
});

it("the service gives one custom token for a verified phone, which repeated calls get for a minute, and begins one session with it", async () => {
	const phone_verification_token = await verifiedPhone("+254712345678");
	const exchange = () => call(exchangePhoneToken, { body: { phone_verification_token } });
	const answers = (await Promise.all([exchange(), exchange()])).map(expectOk);
	later(59_999);
	answers.push(expectOk(await exchange()));
	expect(new Set(answers.map(({ access_token }) => access_token)).size).toBe(1);
	const open = () => call(signIn, { body: { custom_token: answers[0]?.access_token ?? "" } });
	const { access_token } = expectOk(await open());
	expect(await meStatus(access_token)).toBe(200);
	later(1);
	expect(await exchange()).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
	later(60_000);
	expect((await open()).status).toBe(400);
	expect(await db.select().from(sessions)).toHaveLength(1);
});

it("repeats no sign-in whose refresh token was used, or whose session has ended", async () => {
	for (const end of [refresh, async (_: string, as: string) => call(signOut, { as, body: {} })]) {
		const custom_token = await customToken();
		const { refresh_token, access_token } = expectOk(await call(signIn, { body: { custom_token } }));
		expect((await end(refresh_token, access_token)).ok).toBe(true);
		expect((await call(signIn, { body: { custom_token } })).status).toBe(400);
	}
});

it("the service answers a sign-out again, and does nothing for the token of a session that has ended", async () => {
	const [one, other] = [await signedIn(), await signedIn()];
	for (let times = 0; times < 3; times++) expect((await call(signOut, { as: one.access_token, body: {} })).status).toBe(204);
	expect((await call(signOut, { as: one.access_token, body: { all: true } })).status).toBe(204);
	expect(await meStatus(other.access_token)).toBe(200);
	expect(await meStatus(one.access_token)).toBe(401);
});
