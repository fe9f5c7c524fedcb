// From a verified phone to a session, and its end.

import { decodeJwt, decodeProtectedHeader } from "jose";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { listMessages } from "../../../../src/domains/messages/operations";
import { confirmPhoneVerification, startPhoneVerification } from "../../../../src/domains/otp/operations";
import { exchangePhoneToken } from "../../../../src/domains/tokens/exchange/phone.operations";
import { createIssuer } from "../../../../src/domains/tokens/issuers/operations";
import { createSandboxToken } from "../../../../src/domains/tokens/sandbox/operations";
import { refreshSession, signOut } from "../../../../src/domains/tokens/sessions/operations";
import { signIn } from "../../../../src/domains/tokens/sign-in.operations";
import { refreshTokens, sessions } from "../../../../src/domains/tokens/table";
import { users } from "../../../../src/domains/users/model/table";
import { getMe } from "../../../../src/domains/users/profile.operations";
import { webhookEvents } from "../../../../src/events/table";
import { call, expectOk, send } from "../../../support/client";
import { alone } from "../../../support/databases";
import { accessToken, db, givenUser, operatorToken } from "../../../support/factories";
import { givenKey, signed } from "../../../support/issuers";
import { beforeCommit } from "../../../support/loans";
import { customToken, exchange, meStatus, NUMBER, phoneToken, refresh, signedIn } from "../../../support/phone-sign-in";

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("a call that the same call overtakes before its commit", () => {
	it("opens no second session with a custom token", async () => {
		const custom_token = await customToken();
		const open = (vars: Partial<Env> = {}) => call(signIn, { body: { custom_token }, vars });
		const first: string[] = [];
		const vars = beforeCommit(async () => void first.push(expectOk(await open()).refresh_token));
		expect(first).toContain(expectOk(await open(vars)).refresh_token);
		expect(await db.select().from(sessions)).toHaveLength(1);
	});

	it("gets the refresh token that the other one got", async () => {
		const { refresh_token } = await signedIn();
		let first: string | undefined;
		const vars = beforeCommit(async () => {
			first ??= expectOk(await refresh(refresh_token)).refresh_token;
		});
		expect(expectOk(await call(refreshSession, { body: { refresh_token }, vars })).refresh_token).toBe(first);
		expect((await db.select().from(refreshTokens)).filter(({ replacedAt }) => replacedAt === null)).toHaveLength(1);
	});
});

describe("the exchange of a verified phone", () => {
	it("puts a new user on the waiting list, with any claims, and finds a known user", async () => {
		const first = await exchange(await phoneToken(NUMBER, { organization: "acme" }));
		expect(first).toMatchObject({ status: 200, body: { token_type: "Bearer", expires_in: 300 } });
		const second = await exchange(await phoneToken());
		expect(Object.keys(expectOk(second))).toEqual(Object.keys(expectOk(first)));
		const [user, another] = await db.select().from(users);
		expect(another).toBeUndefined();
		expect(user).toMatchObject({ mobileNumber: NUMBER, status: "WAITING_LIST" });
		expect((await db.select().from(webhookEvents))[0]).toMatchObject({
			eventType: "user.waitlisted",
			data: JSON.stringify({ user_id: user?.id, source: "PHONE" }),
		});
	});

	it("costs the same for known and unknown numbers", async () => {
		const trips = async () => /trips=\d+/.exec((await exchange(await phoneToken())).headers.get("server-timing") ?? "")?.[0];
		expect([await trips(), await trips()]).toEqual(alone ? ["trips=2", "trips=2"] : ["trips=4", "trips=4"]);
	});

	it("creates one user when first exchanges run concurrently", async () => {
		const token = await phoneToken(NUMBER, { organization: "acme" });
		const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(token)));
		expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
		expect(await db.select().from(users)).toHaveLength(1);
	});

	it("gives the same answer for every kind of invalid token", async () => {
		await givenUser({ mobileNumber: "+254700000001", blocked: true });
		const key = await givenKey("EdDSA");
		await call(createIssuer, {
			as: await operatorToken(),
			body: { issuer: "https://sms.example", kind: "phone", algorithms: ["EdDSA"], jwks: { keys: [key.jwk as never] }, auto_admit: true },
		});
		const by = (claims: Record<string, unknown>) => signed(key, { iss: "https://sms.example", sub: NUMBER, ...claims });
		expect((await exchange(await by({}))).status).toBe(200);
		const found = await db.select({ number: users.mobileNumber, status: users.status }).from(users);
		expect(found).toHaveLength(2);
		expect(found).toContainEqual({ number: NUMBER, status: "WAITING_LIST" });
		const wrong = [
			"nonsense",
			await by({ sub: "0712345678" }),
			await by({ sub: "254712345678" }),
			await by({ sub: "+254 712 345678" }),
			await by({ sub: "+254712" }),
			await by({ sub: "+999712345678" }),
			await by({ sub: "anna" }),
			await by({ sub: "+254700000001" }),
			await by({ aud: "x" }),
			await by({ iss: "https://nobody.example" }),
			await by({ exp: 1 }),
			await signed(await givenKey("EdDSA"), { iss: "https://sms.example", sub: NUMBER }),
			expectOk(await call(createSandboxToken, { body: { kind: "partner", subject: NUMBER } })).token,
			await accessToken(crypto.randomUUID()),
			await customToken(),
		];
		const texts = new Set<string>();
		for (const token of wrong) {
			const answer = await exchange(token);
			expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
			texts.add(answer.text);
		}
		const fault = {
			path: "phone_verification_token",
			reason: "is not valid: verify the number again, and send the new token once",
			sub_code: "NOT_ALLOWED",
		};
		const refusal = { code: "BAD_REQUEST", description: "Invalid input", reason: "NOT_ALLOWED", invalid_params: [fault] };
		expect([...texts]).toEqual([JSON.stringify(refusal)]);
		expect(await send(exchangePhoneToken, { body: {} })).toMatchObject({ body: { code: "BAD_REQUEST", reason: "REQUIRED" } });
	});
});

describe("signing in", () => {
	it("returns a session's tokens, each valid for its own purpose only", async () => {
		const answer = await signedIn();
		expect(answer).toMatchObject({ token_type: "Bearer", expires_in: 900, refresh_token: expect.stringMatching(/^rt_/) });
		const [access, id] = [decodeJwt(answer.access_token), decodeJwt(answer.id_token)];
		expect(access).toMatchObject({ sub: id.sub, sid: id.sid, aud: "financial-account-service", iss: "http://localhost" });
		expect(id).toMatchObject({ aud: "financial-account-client", phone_number_verified: true });
		expect([decodeProtectedHeader(answer.access_token).typ, decodeProtectedHeader(answer.id_token).typ]).toEqual(["at+jwt", "id+jwt"]);
		expect(await meStatus(answer.access_token)).toBe(200);
		expect((await call(getMe, { as: answer.id_token })).status).toBe(200);
		for (const other of [answer.refresh_token, await customToken(), await phoneToken()]) expect(await meStatus(other)).toBe(401);
	});

	it("gives the same answer for expired tokens and tokens of another kind", async () => {
		const { access_token, id_token } = await signedIn();
		const late = await customToken();
		later(300_000);
		const texts = new Set<string>();
		for (const custom_token of ["nonsense", access_token, id_token, late]) {
			const answer = await call(signIn, { body: { custom_token } });
			expect(answer.status).toBe(400);
			texts.add(answer.text);
		}
		expect(texts.size).toBe(1);
	});

	it("refuses a user who has been blocked since", async () => {
		const custom_token = await customToken();
		const { refresh_token } = await signedIn();
		await db.update(users).set({ blockedAt: Date.now() });
		expect(await call(signIn, { body: { custom_token } })).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
		expect(await refresh(refresh_token)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
	});
});

describe("signing out", () => {
	it("ends the caller's session and no other", async () => {
		const [here, there] = [await signedIn(), await signedIn()];
		expect(await meStatus(here.access_token)).toBe(200);
		expect((await send(signOut, { as: here.access_token })).status).toBe(204);
		expect(await meStatus(here.access_token)).toBe(401);
		expect((await refresh(here.refresh_token)).status).toBe(400);
		expect(await meStatus(there.access_token)).toBe(200);
		expect((await refresh(there.refresh_token)).status).toBe(200);
	});

	it("ends the session of a given refresh token if it is the caller's own", async () => {
		const [here, there, other] = [await signedIn(), await signedIn(), await signedIn("+254700000009")];
		for (const { refresh_token } of [there, other]) {
			const again = await signedIn();
			expect((await call(signOut, { as: again.access_token, body: { refresh_token } })).status).toBe(204);
		}
		expect(await meStatus(there.access_token)).toBe(401);
		expect(await meStatus(other.access_token)).toBe(200);
		expect(await meStatus(here.access_token)).toBe(200);
	});

	it("ends all the user's sessions on request, and tokens from a partner exchange", async () => {
		const [here, there] = [await signedIn(), await signedIn()];
		const outside = await accessToken(decodeJwt(here.access_token).sub ?? "");
		later(1_000);
		expect((await call(signOut, { as: here.access_token, body: { all: true } })).status).toBe(204);
		for (const token of [here.access_token, there.access_token, outside]) expect(await meStatus(token)).toBe(401);
		expect(await meStatus((await signedIn()).access_token)).toBe(200);
	});
});

describe("the verification of a phone", () => {
	const start = (number = "0712 345 678", code = "254") =>
		call(startPhoneVerification, { body: { mobile_country_code: code, mobile_number: number } });
	const codeFor = async (recipient: string) =>
		expectOk(await call(listMessages, { as: await operatorToken(), query: { recipient } })).data[0]?.otp_code ?? "";
	const confirm = (id: string, otp_code: string) => call(confirmPhoneVerification, { path: { id }, body: { otp_code } });

	it("sends a code and exchanges it for a token that works once", async () => {
		const started = await start();
		expect(started).toMatchObject({ status: 202, body: { expires_at: new Date(Date.now() + 300_000).toISOString() } });
		const confirmed = await confirm(expectOk(started).id, await codeFor(NUMBER));
		expect(confirmed).toMatchObject({ status: 200, body: { expires_in: 300 } });
		const token = expectOk(confirmed).phone_verification_token;
		expect(decodeJwt(token)).toMatchObject({ sub: NUMBER, iss: "http://localhost" });
		const [one, same] = await Promise.all([exchange(token), exchange(token)]);
		expect(expectOk(one).access_token).toBe(expectOk(same).access_token);
		later(60_000);
		expect((await exchange(token)).status).toBe(400);
		expect((await db.select().from(users)).map((user) => user.mobileNumber)).toEqual([NUMBER]);
	});

	it("gives the same answer for known and unknown numbers", async () => {
		await givenUser({ mobileNumber: NUMBER });
		const [known, unknown] = [await start(), await start("0700000000")];
		expect(known.status).toBe(unknown.status);
		expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body));
	});

	it("accepts numbers in national and punctuated form", async () => {
		await start("712345678", "+254");
		expect(await codeFor(NUMBER)).toMatch(/^\d{6}$/);
		await start("(0772) 123-456", "256");
		expect(await codeFor("+256772123456")).toMatch(/^\d{6}$/);
	});

	it("rejects invalid numbers and countries that are not served", async () => {
		for (const sent of ["254 07123", "254 abc", "254 +256772123456", "1 2025550123", "0 712345678"]) {
			const [code, number] = sent.split(" ");
			expect(await start(number, code), sent).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		}
	});

	it("answers the right code with one token, also concurrent calls and for a minute", async () => {
		const { id } = expectOk(await start());
		const code = await codeFor(NUMBER);
		const answers = await Promise.all([confirm(id, code), confirm(id, code)]);
		later(59_999);
		const tokens = [...answers, await confirm(id, code)].map((answer) => expectOk(answer).phone_verification_token);
		expect(new Set(tokens).size).toBe(1);
		later(1);
		expect((await confirm(id, code)).status).toBe(400);
	});

	it("answers 404 for an unknown id", async () => {
		await start();
		expect(await confirm(crypto.randomUUID(), "123456")).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
	});
});
