// One-time passwords: bound to their purpose, few tries, few sends.

import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { StaleWrite } from "../../../src/db/database";
import { listMessages } from "../../../src/domains/messages/operations";
import { claimDue } from "../../../src/domains/messages/store";
import { organizations } from "../../../src/domains/organizations/table";
import { confirmPhoneVerification, startPhoneVerification } from "../../../src/domains/otp/operations";
import { issueCode, resendCode } from "../../../src/domains/otp/plan";
import { codeCaps, tryCode } from "../../../src/domains/otp/procedure";
import { consumeChallenge, giveTryBack } from "../../../src/domains/otp/store";
import { otpChallenges, otpSends } from "../../../src/domains/otp/table";
import { atInstant } from "../../../src/runtime/making-services";
import { DAY_MS, MINUTE_MS } from "../../../src/shared/time";
import { dueWork } from "../../../src/wiring/due-work";
import { call, expectOk, send } from "../../support/client";
import { moveClock } from "../../support/clock";
import { everyDatabase } from "../../support/databases";
import { db, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { servicesFor } from "../../support/outbound";
import { plansOf } from "../../support/plans";

const NUMBER = "+254712345678";
const later = (ms: number) => moveClock(ms);

const start = (number = "0712345678", headers: Record<string, string> = {}) =>
	call(startPhoneVerification, { body: { mobile_country_code: "254", mobile_number: number }, headers });
const confirm = (id: string, otp_code: string) => call(confirmPhoneVerification, { path: { id }, body: { otp_code } });
const codeFor = async (recipient = NUMBER) =>
	expectOk(await call(listMessages, { as: await operatorToken(), query: { recipient } })).data[0]?.otp_code ?? "";
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
const services = () => servicesFor({ env, ctx: { waitUntil() {} } });

describe("a one-time password", () => {
	it("is rejected after five wrong tries, even with the right code", async () => {
		const { id } = expectOk(await start());
		const code = await codeFor();
		for (let i = 0; i < 5; i++)
			expect(await confirm(id, wrong(code))).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", description: "Invalid input" } });
		const answer = await confirm(id, code);
		expect(answer).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
		const wait = answer.headers.get("retry-after");
		expect(Number(wait)).toBeGreaterThan(0);
		expect(answer.headers.get("ratelimit")).toBe(`"confirmPhoneVerification";r=0;t=${wait}`);
	});

	it("is never compared more than five times, however many concurrent guesses arrive", async () => {
		const { id } = expectOk(await start());
		const code = await codeFor();
		const answers = await Promise.all(Array.from({ length: 30 }, () => confirm(id, wrong(code))));
		expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
		expect(answers.filter(({ status }) => status === 429)).toHaveLength(25);
		expect((await db.select().from(otpChallenges))[0]?.tries).toBe(5);
	});

	it("comes in the caller's language, from the lender whose app they use", async () => {
		const { slug } = await givenOrganization();
		const body = { mobile_country_code: "254", mobile_number: "0712345678", organization: slug };
		expectOk(await call(startPhoneVerification, { body, headers: { "accept-language": "sw, en;q=0.5" } }));
		expectOk(await start("0722345678"));
		const textTo = async (recipient: string) => {
			const [message] = expectOk(await call(listMessages, { as: await operatorToken(), query: { recipient } })).data;
			return message?.text?.replace(message.otp_code ?? "", "…");
		};
		const [named] = await db.select().from(organizations).where(eq(organizations.slug, slug));
		expect(await textTo(NUMBER)).toBe(`${named?.name}: … ni msimbo wako. Unatumika kwa dakika 5. Usimpe mtu yeyote.`);
		expect(await textTo("+254722345678")).toBe("… is your code. It is valid for 5 minutes. Never share it.");
	});

	it("is accepted on the fifth try", async () => {
		const { id } = expectOk(await start());
		const code = await codeFor();
		for (let i = 0; i < 4; i++) await confirm(id, wrong(code));
		expect((await confirm(id, code)).status).toBe(200);
	});

	it("does not use up a try when it is malformed", async () => {
		const { id } = expectOk(await start());
		for (const otp_code of ["12345", "1234567", "12345a", " 123456", "１２３４５６", 123456, null]) {
			expect(await send(confirmPhoneVerification, { path: { id }, body: { otp_code } })).toMatchObject({ status: 400 });
		}
		expect((await db.select().from(otpChallenges))[0]?.tries).toBe(0);
	});

	it("expires after five minutes by the service's clock", async () => {
		const { id } = expectOk(await start());
		const code = await codeFor();
		await later(5 * MINUTE_MS);
		expect(await confirm(id, code)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
	});

	it("is stored as a digest, and its message encrypted", async () => {
		await start();
		const code = await codeFor();
		for (const table of ["otp_challenges", "messages"]) {
			const { results } = await everyDatabase.prepare(`select * from ${table}`).all();
			expect(JSON.stringify(results)).not.toContain(`"${code}"`);
			expect(JSON.stringify(results)).not.toContain(`${code} is`);
		}
	});

	it("is valid for its own purpose, subject and resource only", async () => {
		const s = await services();
		const binding = { purpose: "CLOSURE", subject: "anna", resource: "account-1" };
		const { challenge, writes } = await issueCode(s, binding, { channel: "SMS", recipient: NUMBER }, await codeCaps(s, NUMBER));
		await s.commit(writes);
		const code = await codeFor();
		for (const other of [{ purpose: "PHONE_CHANGE" }, { subject: "ben" }, { resource: "account-2" }]) {
			await expect(tryCode(s, challenge.id, { ...binding, ...other }, code)).rejects.toMatchObject({ code: "NOT_FOUND" });
		}
		expect(await tryCode(s, challenge.id, binding, code)).toMatchObject({ tries: 1 });
		await s.commit([giveTryBack(s.db.orm, challenge.id)], undefined);
		expect((await db.select().from(otpChallenges))[0]).toMatchObject({ tries: 0, consumedAt: null });
	});

	it("is replaced by one of two requests, and used by one", async () => {
		const s = await services();
		const { id } = expectOk(await start());
		const [challenge] = await db.select().from(otpChallenges).where(eq(otpChallenges.id, id));
		if (!challenge) throw new Error("no challenge");
		const after = atInstant(s, s.now + MINUTE_MS);
		const again = async () => (await resendCode(after, challenge, "SMS", await codeCaps(after, NUMBER))).writes;
		const [first, second] = [await again(), await again()];
		await after.commit(first);
		await expect(after.commit(second)).rejects.toThrow(StaleWrite);
		await expect(after.commit([consumeChallenge(s.db.orm, challenge, after.now)])).rejects.toThrow(StaleWrite);
		const [renewed = challenge] = await db.select().from(otpChallenges).where(eq(otpChallenges.id, id));
		await after.commit([consumeChallenge(s.db.orm, renewed, after.now)]);
		await expect(after.commit([consumeChallenge(s.db.orm, renewed, after.now)])).rejects.toThrow(StaleWrite);
	});

	it("can be sent again after 30 s, with a new code and the same tries", async () => {
		const s = await services();
		const binding = { purpose: "CLOSURE", subject: "anna", resource: "account-1" };
		const caps = await codeCaps(s, NUMBER);
		const { challenge, writes } = await issueCode(s, binding, { channel: "SMS", recipient: NUMBER }, caps);
		await s.commit(writes);
		const first = await codeFor();
		await tryCode(s, challenge.id, binding, wrong(first)).catch(() => {});
		await expect(resendCode(s, challenge, "SMS", caps)).rejects.toMatchObject({
			code: "TOO_MANY_REQUESTS",
			headers: { "Retry-After": "30" },
		});
		await later(30_000);
		const after = await services();
		const again = await resendCode(after, challenge, "SMS", await codeCaps(after, NUMBER));
		await after.commit(again.writes);
		const second = await codeFor();
		expect(second).not.toBe(first);
		await expect(tryCode(after, challenge.id, binding, first)).rejects.toMatchObject({ message: "Invalid input" });
		expect(await tryCode(after, challenge.id, binding, second)).toMatchObject({ tries: 3 });
	});
});

describe("the caps on one-time passwords", () => {
	it("allow a number three sends in 15 minutes and strangers seven a day, even for concurrent requests", async () => {
		const answers = await Promise.all(Array.from({ length: 8 }, () => start()));
		expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
		for (const answer of answers) if (!answer.ok) expect(answer).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
		expect(await db.select().from(otpSends)).toHaveLength(3);
		expect(Number((await start()).headers.get("retry-after"))).toBeGreaterThan(890);
		await later(15 * MINUTE_MS);
		for (let i = 0; i < 3; i++) expect((await start()).status).toBe(202);
		await later(15 * MINUTE_MS);
		const [sent, refused] = (await Promise.all([start(), start()])).sort((a, b) => a.status - b.status);
		expect([sent?.status, refused?.status]).toEqual([202, 429]);
		expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(80_000);
		await later(DAY_MS);
		expect((await start()).status).toBe(202);
	});

	it("keep three of a number's ten sends a day for its own user", async () => {
		for (let round = 0; round < 3; round++) {
			for (let i = 0; i < 3; i++) await start();
			await later(15 * MINUTE_MS);
		}
		expect((await start()).status).toBe(429);
		const own = async () => {
			const s = await services();
			const binding = { purpose: "CLOSURE", subject: "anna", resource: "account-1" };
			const issued = await issueCode(s, binding, { channel: "SMS", recipient: NUMBER }, await codeCaps(s, NUMBER));
			await s.commit(issued.writes, { reserve: issued.reserve });
		};
		for (let i = 0; i < 3; i++) await own();
		await later(15 * MINUTE_MS);
		await expect(own()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
	});

	it("are alike for known and unknown numbers in each share: in the answer, its costs, and in what a further start gets", async () => {
		const ask = (number: string, i: number, budget: string) =>
			call(startPhoneVerification, {
				body: { mobile_country_code: "254", mobile_number: number },
				headers: { "cf-connecting-ip": `192.0.2.${i}` },
				vars: { MESSAGE_BUDGET_PER_MINUTE: budget },
			});
		await givenUser({ mobileNumber: NUMBER });
		const seen = async (number: string, budget: string) => {
			const answers = [];
			for (let i = 0; i < 4; i++) answers.push(await ask(number, i, budget));
			return answers.map(({ status, headers, body }) => ({
				status,
				costs: /trips=\d+ read=\w+ written=\w+/.exec(headers.get("server-timing") ?? "")?.[0],
				members: Object.keys(body as object),
			}));
		};
		for (const budget of ["600", "4"]) {
			const [known, unknown] = [await seen("0712345678", budget), await seen("0712345679", budget)];
			expect(known.map(({ status, members }) => ({ status, members }))).toEqual(
				unknown.map(({ status, members }) => ({ status, members })),
			);
			expect(known.map(({ costs }) => costs?.replace(/read=\w+ /, ""))).toEqual(
				unknown.map(({ costs }) => costs?.replace(/read=\w+ /, "")),
			);
			await later(DAY_MS);
		}
	});

	it("withhold a code without a trace: it is not sent, and its challenge is confirmed like any other", async () => {
		const vars = { MESSAGE_BUDGET_PER_MINUTE: "1" };
		const ask = (number: string) => call(startPhoneVerification, { body: { mobile_country_code: "254", mobile_number: number }, vars });
		expectOk(await ask("0712000001"));
		const { id } = expectOk(await ask("0712345678"));
		expect(await codeFor()).toBe("");
		expect(await confirm(id, "000000")).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		await later(MINUTE_MS);
		const again = expectOk(await ask("0712345678"));
		expect((await confirm(again.id, await codeFor())).status).toBe(200);
	});

	it("allow a client address, for IPv6 its /48, 30 sends an hour, to any numbers, even for concurrent requests", {
		tags: ["thorough"],
	}, async () => {
		const from = (address: string, i: number) => start(`0712${String(100_000 + i)}`, { "cf-connecting-ip": address });
		for (let i = 0; i < 29; i++) expect((await from(`2001:db8:0:${i}::1`, i)).status).toBe(202);
		const last = (await Promise.all([29, 30].map((i) => from("2001:db8:0:f::3", i)))).map(({ status }) => status);
		expect(last.sort()).toEqual([202, 429]);
		expect((await from("192.0.2.1", 32)).status).toBe(202);
		expect((await from("2001:db8:1::1", 34)).status).toBe(202);
		await later(60 * MINUTE_MS);
		expect((await from("2001:db8::1", 33)).status).toBe(202);
	});

	it("allow wrong guesses at a number's other codes to lock none, at most fifty a day", { tags: ["thorough"] }, async () => {
		for (let i = 0; i < 3; i++) {
			const { id } = expectOk(await start());
			const code = await codeFor();
			for (let k = 0; k < 5; k++) expect((await confirm(id, wrong(code))).status).toBe(400);
		}
		await later(15 * MINUTE_MS);
		const { id } = expectOk(await start());
		expect((await confirm(id, await codeFor())).status).toBe(200);
		await db.update(otpChallenges).set({ tries: 17 });
		const next = expectOk(await start());
		expect((await confirm(next.id, await codeFor())).status).toBe(429);
		await later(DAY_MS);
		const last = expectOk(await start());
		expect((await confirm(last.id, await codeFor())).status).toBe(200);
	});

	it("allow a signed-in user 15 wrong guesses an hour over all their challenges, with anything that strangers do with the number", async () => {
		const { id: strangers } = expectOk(await start());
		for (let k = 0; k < 5; k++) await confirm(strangers, "000000");
		const guess = async (code?: string) => {
			const s = await services();
			const binding = { purpose: "CLOSURE", subject: "anna", resource: "account-1" };
			const issued = await issueCode(s, binding, { channel: "SMS", recipient: NUMBER }, await codeCaps(s, NUMBER, []));
			await s.commit(issued.writes);
			return Promise.all(
				Array.from({ length: 5 }, async () =>
					tryCode(await services(), issued.challenge.id, binding, code ?? wrong(await codeFor())).catch(
						(error: { code?: string }) => error.code ?? "WRONG",
					),
				),
			);
		};
		for (let i = 0; i < 3; i++) expect(await guess()).toEqual(Array(5).fill("WRONG"));
		expect(await guess()).toEqual(Array(5).fill("TOO_MANY_REQUESTS"));
	});
});

describe("the due work", () => {
	it("removes sends and challenges that no longer count", async () => {
		await start();
		await later(32 * 24 * 60 * MINUTE_MS);
		const s = await services();
		for (const { run } of dueWork) await run(s);
		expect(await db.select().from(otpSends)).toEqual([]);
		expect(await db.select().from(otpChallenges)).toEqual([]);
		expect(await codeFor()).toBe("");
	});

	it("is found through indexes", async () => {
		const plan = (await plansOf(claimDue(await services()))).join("\n");
		expect(plan).toContain("messages_due");
		expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
	});
});
