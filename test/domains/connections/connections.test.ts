// The account of an organization with Daraja: what it keeps, and to whom it says what.

import { describe, expect, it } from "vitest";
import { askDueBalances } from "../../../src/domains/connections/balances.job";
import { checkDarajaConnection, reportDarajaBalance } from "../../../src/domains/connections/balances.operations";
import {
	deleteDarajaConnection,
	getDarajaConnection,
	putDarajaConnection,
	registerDarajaConfirmations,
	resumeDarajaConnection,
} from "../../../src/domains/connections/daraja.operations";
import { paymentConnections } from "../../../src/domains/connections/model/table";
import { HOUR_MS, MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { CONNECTED, CREDENTIALS, darajaStandsIn, givenLender, givenOfferOf, replaceBy, timePasses } from "../../support/daraja";
import { db, givenMember, operatorToken } from "../../support/factories";
import { beforeCommit, eventsOf, runDueWork } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { givenReturning } from "../../support/returns";

describe("a connection", () => {
	it("keeps its secrets to itself, and those that are left out", async () => {
		darajaStandsIn();
		const lender = await givenLender();
		const as = lender.owner.token;
		const put = (body: Partial<typeof CREDENTIALS>) => send(putDarajaConnection as never, { as, path: lender.path, body });
		const { environment, short_code, payouts } = CREDENTIALS;
		const answers = [
			await put({ environment, short_code, payouts, initiator_name: "another" }),
			await call(getDarajaConnection, { as, path: lender.path }),
			await call(getDarajaConnection, { as: await operatorToken(), path: lender.path }),
		];
		for (const answer of answers) {
			expect(answer).toMatchObject({ status: 200, body: { short_code, has: { passkey: false, initiator: true } } });
			for (const secret of ["a consumer", "testapi", "another", "RC6E9W"]) expect(answer.text).not.toContain(secret);
		}
		const [row] = await db.select().from(paymentConnections);
		expect(row).toMatchObject({ version: 2 });
		expect(JSON.stringify(row)).not.toMatch(/a consumer|testapi|another|RC6E9W/);
		expect(await put({ environment, short_code: "600998", payouts })).toMatchObject({
			status: 400,
			body: {
				invalid_params: ["consumer_key", "consumer_secret", "initiator_name", "security_credential"].map((path) => ({
					path,
					sub_code: "REQUIRED",
				})),
			},
		});
		const { token } = await givenMember(lender.organization.id, "organization-lending-admin");
		expect(await call(getDarajaConnection, { as: token, path: lender.path })).toMatchObject({ status: 403 });
	});

	it("is what came last when two change it at once, and no change is lost", async () => {
		const standIn = darajaStandsIn();
		const { owner, path } = await givenLender();
		const as = owner.token;
		const put = (changes: object, vars: Partial<Env> = {}) =>
			call(putDarajaConnection, { as, path, body: { ...CREDENTIALS, ...changes }, vars });
		/** Another change, right before the commit. */
		const overtaken = (changes: object) => beforeCommit(async () => expectOk(await put(changes)));
		const stored = async () => (await db.select().from(paymentConnections))[0];
		expectOk(await put({ initiator_name: "outer" }, overtaken({ initiator_name: "inner" })));
		expect(await stored()).toMatchObject({ version: 3 });
		await db.update(paymentConnections).set({ status: "PAUSED", pausedReason: "RESULT_2001" });
		const pausedAgain = beforeCommit(async () => {
			expectOk(await put({}));
			await db.update(paymentConnections).set({ status: "PAUSED", pausedReason: "RESULT_2001" });
		});
		expectOk(await call(resumeDarajaConnection, { as, path, vars: pausedAgain }));
		expect(await stored()).toMatchObject({ version: 4, status: "ACTIVE" });
		const register = (vars: Partial<Env>) =>
			call(registerDarajaConfirmations, { as, path, body: { renew: true }, vars: { ...CONNECTED, ...vars } });
		expectOk(await register(overtaken({})));
		expect(standIn.registeredAt).toContain(`-${(await stored())?.addressVersion}-`);
		expect(await call(deleteDarajaConnection, { as, path, vars: overtaken({}) })).toMatchObject({ status: 204 });
		expect(await stored()).toBeUndefined();
	});

	it("keeps its shortcode while a payout is open, so that none is repeated from another", async () => {
		const standIn = darajaStandsIn();
		const lender = await givenLender();
		const as = lender.owner.token;
		const { path } = lender;
		const { apply } = await givenOfferOf(lender);
		expectOk(await apply());
		const replace = () => replaceBy(lender, { short_code: "600998" });
		expect(await replace()).toMatchObject({ status: 409, body: { description: expect.stringContaining("Payouts") } });
		expect(await call(deleteDarajaConnection, { as, path })).toMatchObject({ status: 409 });
		expectOk(await call(putDarajaConnection, { as, path, body: { ...CREDENTIALS, initiator_name: "renamed" } }));
		await standIn.deliver();
		expect(expectOk(await replace())).toMatchObject({ short_code: "600998", replacement: null });
		expect(await call(deleteDarajaConnection, { as, path })).toMatchObject({ status: 204 });
		expect(await call(getDarajaConnection, { as, path })).toMatchObject({ status: 404 });
	});

	it("keeps its shortcode while a return of money is open, because no other can give it back", async () => {
		const { standIn, pay, reverse, read, lender } = await givenReturning();
		const [first, second] = [await pay(), await pay()];
		const [as, path] = [lender.owner.token, lender.path];
		const replace = (vars: Partial<Env> = {}) => replaceBy(lender, { short_code: "600998", passkey: "a passkey" }, vars);
		const remove = () => call(deleteDarajaConnection, { as, path });
		expectOk(await reverse(first.id));
		const why = { status: 409, body: { code: "INVALID_STATE", description: expect.stringContaining("Returns of money") } };
		expect(await replace()).toMatchObject(why);
		expect(await remove()).toMatchObject(why);
		expectOk(await call(putDarajaConnection, { as, path, body: { ...CREDENTIALS, passkey: "a passkey" } }));
		await standIn.deliver();
		// Ordered between what the replacement reads and its commit, and the other way round: one of the two is refused.
		expect(await replace(beforeCommit(async () => expectOk(await reverse(second.id))))).toMatchObject({ status: 409 });
		await standIn.deliver();
		for (const { id } of [first, second]) expect(await read(id)).toMatchObject({ status: "RETURNED" });
		const third = await pay();
		expect(
			await reverse(
				third.id,
				beforeCommit(async () => expectOk(await replace())),
			),
		).toMatchObject({ status: 409, body: { description: expect.stringContaining("has verified") } });
		expect(await read(third.id)).toBeNull();
		expect(await remove()).toMatchObject({ status: 204 });
	});
});

describe("a check of a connection", () => {
	const givenChecking = async (changes: Partial<typeof CREDENTIALS> = {}) => {
		const standIn = darajaStandsIn();
		const lender = await givenLender(changes);
		const as = lender.owner.token;
		const check = () => call(checkDarajaConnection, { as, path: lender.path, vars: CONNECTED });
		const seen = async () => expectOk(await call(getDarajaConnection, { as, path: lender.path }));
		return { standIn, lender, check, seen };
	};

	it("says what the accounts hold, by the answer to the last question alone", async () => {
		const { standIn, lender, check, seen } = await givenChecking();
		expect(await seen()).toMatchObject({ last_check: null, balances: null, balances_at: null });
		expect(await check()).toMatchObject({ status: 202, body: { last_check: { outcome: "WAITING" } } });
		const [early] = standIn.reports;
		expect(early?.url).not.toMatch(/mpesa|safaricom|exe|cmd|sql|query/i);
		expectOk(await check());
		const [, id = "", code = ""] = /balances\/([0-9a-f-]{36})\/([0-9a-f]{32})$/.exec(early?.url ?? "") ?? [];
		const body = { Result: { ResultType: 0, ResultCode: 0, ResultParameters: { ResultParameter: [] } } };
		const forged = { path: { id, code: code.replace(/./, (digit) => (digit === "0" ? "1" : "0")) }, body, vars: CONNECTED };
		expect(await send(reportDarajaBalance as never, forged)).toMatchObject({ status: 404 });
		// The first comes too late.
		standIn.report(early?.url ?? "", { Result: { ResultType: 0, ResultCode: 2001 } });
		expect(await standIn.deliver()).toEqual([200, 200, 200, 200, 200]);
		expect(await seen()).toMatchObject({
			status: "ACTIVE",
			last_check: { outcome: "SUCCEEDED", result_code: null },
			balances: [
				{ account: "Working Account", available: 70_000_000, currency: "KES" },
				{ account: "Utility Account", available: 22_803_700, currency: "KES" },
				{ account: "Charges Paid Account", available: -154_000, currency: "KES" },
			],
		});
		// Facts about some credentials say nothing about others.
		expectOk(await call(putDarajaConnection, { as: lender.owner.token, path: lender.path, body: CREDENTIALS }));
		expect(await seen()).toMatchObject({ last_check: null, balances: expect.any(Array) });
	});

	it("says that the consumer's secret is wrong, although a token of the last one still holds", async () => {
		expectErrors("a provider refuses the credentials of a connection");
		const { standIn, lender, check, seen } = await givenChecking();
		expectOk(await check());
		const body = { ...CREDENTIALS, consumer_secret: "a wrong secret" };
		expectOk(await call(putDarajaConnection, { as: lender.owner.token, path: lender.path, body }));
		expectOk(await check());
		await standIn.deliver();
		expect(await seen()).toMatchObject({ status: "ACTIVE", last_check: { outcome: "CREDENTIALS_REFUSED" }, balances: null });
	});

	it("pauses the connection of an initiator whose password is wrong, before it is locked", async () => {
		const { standIn, lender, check, seen } = await givenChecking({ security_credential: "a wrong password" });
		expectOk(await check());
		expect(await standIn.deliver()).toEqual([200, 200]);
		const told = { status: "PAUSED", paused_reason: "RESULT_2001", last_check: { outcome: "FAILED", result_code: "2001" } };
		expect(await seen()).toMatchObject(told);
		expect((await eventsOf(lender.organization.id)).map(({ type }) => type)).toContain("payment_connection.paused");
	});

	it("is made each hour while a payout by it is open, and by one sweep", async () => {
		const { standIn, lender, seen } = await givenChecking();
		const asks = async () => {
			await runDueWork((services) => Promise.all([askDueBalances(services), askDueBalances(services)]), CONNECTED);
			return standIn.reports.filter(({ url }) => url.includes("/balances/")).length;
		};
		expect(await asks()).toBe(0);
		const { apply } = await givenOfferOf(lender);
		expectOk(await apply());
		expect(await asks()).toBe(0);
		await timePasses(HOUR_MS + MINUTE_MS);
		expect(await asks()).toBe(1);
		expect(await asks()).toBe(1);
		await standIn.deliver();
		expect(await seen()).toMatchObject({ last_check: { outcome: "SUCCEEDED" }, balances: expect.any(Array) });
		await timePasses(HOUR_MS + MINUTE_MS);
		expect(await asks()).toBe(0);
	});
});
