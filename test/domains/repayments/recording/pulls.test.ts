// Payments to a shortcode that nobody has confirmed are found in Daraja's list, verified, and credited once. `HOMES=3` runs it on three
// databases.
// @module-tag thorough

import { describe, expect, it, vi } from "vitest";
import { type PullBehaviour, rowOf } from "../../../../src/dev/stand-ins/daraja.pulls";
import { putDarajaConnection } from "../../../../src/domains/connections/daraja.operations";
import { darajaConfirmations } from "../../../../src/domains/repayments/recording/confirmations.table";
import { recordRepayment } from "../../../../src/domains/repayments/recording/operations";
import { pullPayments } from "../../../../src/domains/repayments/recording/pulls.job";
import { payments } from "../../../../src/domains/repayments/table";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { paymentTo } from "../../../support/credit";
import { CONNECTED, CREDENTIALS, givenConnectedLoan, timePasses } from "../../../support/daraja";
import { alone } from "../../../support/databases";
import { db, givenApiKey, givenOrganization, operatorToken } from "../../../support/factories";
import { expectStoredEqualsReplay } from "../../../support/ledgers";
import { runDueWork } from "../../../support/loans";
import { allowErrors, expectErrors } from "../../../support/log";
import { givenPulling, NUMBER, pull, QUARTER_MS, verify } from "../../../support/pulls";

describe("a payment that nobody has confirmed", () => {
	it("is found, verified and credited once", async () => {
		const { standIn, lose, sweep, paid, number, connection, lender } = await givenPulling();
		expect(await connection()).toMatchObject({ nominated_number: NUMBER, last_pull: null });
		const [receipt] = lose(100);
		expect(await sweep()).toBeGreaterThan(0);
		expect(standIn.pulls.registrations).toMatchObject([
			{ ShortCode: CREDENTIALS.short_code, RequestType: "Pull", NominatedNumber: NUMBER.slice(1), CallBackURL: standIn.registeredAt },
		]);
		expect(JSON.stringify(await db.select().from(darajaConfirmations))).not.toContain(number);
		expect(await paid()).toBe(10_000);
		const [payment, ...others] = await db.select().from(payments);
		expect(payment).toMatchObject({
			status: "POSTED",
			mobileMoneyTransactionId: receipt,
			amount: 10_000,
			organizationId: lender.organization.id,
		});
		expect(others).toEqual([]);
		// When it was made, and not when it was found.
		expect((payment?.createdAt ?? 0) - (payment?.transactedAt ?? 0)).toBeGreaterThanOrEqual(QUARTER_MS - 1000);
		standIn.confirm({ TransID: receipt, TransAmount: "100", BillRefNumber: number });
		for (let round = 0; round < 3; round++) await sweep();
		expect(await paid()).toBe(10_000);
		expect(standIn.pulls.registrations).toHaveLength(1);
		const { last_pull } = await connection();
		expect(last_pull).toMatchObject({ outcome: "SUCCEEDED", complete_until: last_pull?.at });
		await expectStoredEqualsReplay();
	});

	it("is not asked about where it is known: confirmed, or reported by the lender", async () => {
		const { standIn, lose, sweep, paid, number, accountId } = await givenPulling();
		const confirmed = standIn.receive({ shillings: 10, account: number });
		const [reported = ""] = lose(20);
		await standIn.deliver();
		await standIn.deliver();
		expectOk(await call(recordRepayment, { as: await operatorToken(), body: paymentTo(accountId, 2_000, reported) }));
		await sweep();
		expect(await paid()).toBe(3_000);
		const hints = (await db.select().from(darajaConfirmations)).map(({ transactionId, status }) => [transactionId, status]);
		// The lender's report is in the account's database, which need not be the organization's, where the search is.
		const asked = hints.filter(([transaction]) => alone || transaction !== reported);
		expect(asked).toEqual([[confirmed, "VERIFIED"]]);
	});

	it("is found though another lender has reported a payment of the same number", async () => {
		const { lose, sweep, paid } = await givenPulling();
		const other = await givenOrganization();
		const [receipt = ""] = lose(100);
		const { account_id: _, ...body } = paymentTo("", 10_000, receipt);
		const as = await givenApiKey(other.id, ["repayments:write"]);
		expect(await call(recordRepayment, { as, body: { ...body, account_number: "12345678901" } })).toMatchObject({ status: 202 });
		await sweep();
		expect(await paid()).toBe(10_000);
	});

	it("is found by its own amount, though somebody has claimed another", async () => {
		expectErrors("a confirmation is of a payment that was not made so");
		const { standIn, lose, sweep, paid, number } = await givenPulling();
		const [receipt] = lose(100);
		standIn.confirm({ TransID: receipt, TransAmount: "900.00", BillRefNumber: number });
		await standIn.deliver();
		await standIn.deliver();
		await sweep();
		expect(await paid()).toBe(10_000);
	});

	it.each<readonly [string, PullBehaviour]>([
		["by rows", {}],
		["by rows, of small pages", { size: 3 }],
		["by rows, one at a time", { size: 1 }],
		["by rows, in no order", { shuffled: true, size: 7 }],
		["by the numbers of pages", { countsPages: true }],
		["by the numbers of many pages", { countsPages: true, size: 2 }],
		["by the numbers of pages that overlap", { countsPages: true, size: 7, overlap: 3 }],
		["by the numbers of pages, whose last it tells", { countsPages: true, sendsTotals: true }],
		["in one page, which it tells", { size: 100, sendsTotals: true }],
		["in no order, by the numbers of pages", { countsPages: true, shuffled: true }],
	])("is found among many that are listed %s", async (_, behaviour) => {
		const { lose, sweep, paid, connection } = await givenPulling(() => behaviour);
		lose(10, 25);
		// Ten pages are read in one go, and the sweep after goes on.
		const asked = await sweep();
		expect(asked).toBeLessThanOrEqual(10);
		for (let round = 0; round < 3; round++) await sweep(0);
		expect(await paid()).toBe(25_000);
		const { last_pull } = await connection();
		expect(last_pull).toMatchObject({ outcome: "SUCCEEDED", complete_until: expect.any(String) });
		// The end was reached, so that nothing is asked before the next quarter of an hour.
		expect(await sweep(0)).toBe(0);
		expect(await db.select().from(payments)).toHaveLength(25);
	});

	it("is not waited for in a list that begins again with every page", async () => {
		const { lose, sweep, paid } = await givenPulling(() => ({ repeats: true }));
		lose(10, 25);
		expect(await sweep()).toBe(2);
		expect(await paid()).toBe(10_000);
	});

	it("is no payment that the shortcode itself has made, for every content of the list", async () => {
		expectErrors("a confirmation is of a payment that was not made so");
		let more: PullBehaviour["more"] = [];
		const { standIn, lose, sweep, paid, number } = await givenPulling(() => ({ more }));
		const [payout] = standIn.paid;
		if (!payout) throw new Error("expected a payout");
		more = [{ ...rowOf(payout.receipt, { ...payout, account: number }), transactiontype: "b2c-debit" }];
		lose(30);
		await sweep();
		expect(await paid()).toBe(3_000);
		const states = new Map((await db.select().from(darajaConfirmations)).map(({ transactionId, status }) => [transactionId, status]));
		expect(states.get(payout.receipt)).toBe("REFUTED");
	});

	it("is no business of the service where it was made before the lender asked for it", async () => {
		const { standIn, account, number, lender } = await givenConnectedLoan({}, undefined, { pulls: () => ({ ignoresWindow: true }) });
		standIn.receive({ shillings: 50, account: number }, {}, 0);
		await timePasses(HOUR_MS);
		const body = { ...CREDENTIALS, nominated_number: NUMBER };
		expectOk(await call(putDarajaConnection, { as: lender.owner.token, path: lender.path, body }));
		await timePasses(QUARTER_MS);
		standIn.receive({ shillings: 30, account: number }, {}, 0);
		await timePasses(QUARTER_MS);
		await pull();
		await verify();
		await standIn.deliver();
		expect((await account()).balance.total_paid).toBe(3_000);
	});

	it("is found though others in the list cannot be read, which is logged", async () => {
		expectErrors("payments that a provider lists cannot be read");
		const errors = vi.spyOn(console, "error");
		const { lose, sweep, paid } = await givenPulling(() => ({ more: [{ transactionId: "S1", amount: "a lot" }, "a row"] }));
		lose(30);
		await sweep();
		expect(await paid()).toBe(3_000);
		const logged = errors.mock.calls.map(([line]) => String(line)).filter((line) => line.includes("cannot be read"));
		expect(logged).toMatchObject([expect.stringContaining('"unreadable":2')]);
	});
});

describe("a search for payments", () => {
	it.each<readonly [string, PullBehaviour, string]>([
		["is down", { answer: "DOWN" }, "NO_ANSWER"],
		["answers a page", { answer: "HTML" }, "NO_ANSWER"],
		["is busy", { answer: "BUSY" }, "NO_ANSWER"],
		["loses its answer", { answer: "LOST" }, "NO_ANSWER"],
		["knows no token", { answer: "TOKEN_EXPIRED" }, "CREDENTIALS_REFUSED"],
		["does not list for the app", { answer: "NOT_ALLOWED" }, "PRODUCT_NOT_ALLOWED"],
		["refuses", { answer: "INVALID" }, "REFUSED"],
	])("is made again, later and later, while Daraja %s", async (_, behaviour, outcome) => {
		allowErrors("a provider refuses the credentials of a connection");
		let isFailing = true;
		const { standIn, lose, sweep, paid, connection } = await givenPulling(() => (isFailing ? behaviour : {}));
		lose(10);
		await sweep();
		expect(await connection()).toMatchObject({ status: "ACTIVE", last_pull: { outcome } });
		const searches: number[] = [];
		for (let minutes = 0; minutes < 240; minutes += 10) if ((await sweep(10 * MINUTE_MS)) > 0) searches.push(minutes);
		const pauses = searches.map((at, nth) => at - (searches[nth - 1] ?? 0)).slice(1);
		expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
		expect(pauses.at(-1)).toBeGreaterThanOrEqual(60);
		expect(await paid()).toBe(0);
		isFailing = false;
		await sweep(HOUR_MS + MINUTE_MS);
		expect(await paid()).toBe(1_000);
		expect(await connection()).toMatchObject({ last_pull: { outcome: "SUCCEEDED" } });
		expect(standIn.pulls.registrations).toHaveLength(1);
	});

	it("asks with a new token where the last one has expired", async () => {
		const { standIn, lose, sweep, paid } = await givenPulling();
		lose(10);
		await sweep();
		standIn.forgetTokens();
		lose(20);
		await sweep();
		expect(await paid()).toBe(3_000);
	});

	it.each(["CODE", "TEXT", "FAULT"] as const)("finds nothing where Daraja has nothing, and says so as a %s", async (none) => {
		const { sweep, connection } = await givenPulling(() => ({ none }));
		expect(await sweep()).toBe(1);
		expect(await connection()).toMatchObject({ last_pull: { outcome: "SUCCEEDED" } });
		expect(await sweep(MINUTE_MS)).toBe(0);
		expect(await sweep()).toBe(1);
	});

	it("goes back two hours, and after an outage to where it came, but not further than Daraja lists; of a day's it logs an error", async () => {
		expectErrors("lost confirmations could not be looked for in a day");
		const errors = vi.spyOn(console, "error");
		let isFailing = false;
		const { standIn, sweep } = await givenPulling(() => (isFailing ? { answer: "DOWN" } : {}));
		const hours = () => {
			const { StartDate = "", EndDate = "" } = standIn.pulls.asked.at(-1) ?? {};
			return (Date.parse(EndDate) - Date.parse(StartDate)) / HOUR_MS;
		};
		await sweep();
		// It began with the connection.
		expect(hours()).toBeCloseTo(0.25, 2);
		await sweep(3 * HOUR_MS);
		expect(hours()).toBeCloseTo(3.25, 2);
		await sweep();
		expect(hours()).toBeCloseTo(2.25, 2);
		isFailing = true;
		await sweep(12 * HOUR_MS);
		expect(hours()).toBeCloseTo(14, 2);
		const late = () => errors.mock.calls.filter(([line]) => String(line).includes("could not be looked for in a day")).length;
		expect(late()).toBe(0);
		await sweep(12 * HOUR_MS);
		expect(late()).toBe(1);
		isFailing = false;
		await sweep(3 * DAY_MS);
		expect(hours()).toBeCloseTo(47, 2);
	});

	it("begins again where what it was reading is no longer listed", async () => {
		expectErrors("lost confirmations could not be looked for in a day");
		let isFailing = false;
		const { standIn, lose, sweep, paid } = await givenPulling(() => (isFailing ? { answer: "DOWN" } : { countsPages: true, size: 2 }));
		lose(10, 25);
		await sweep();
		expect(await paid()).toBe(20_000);
		isFailing = true;
		await sweep(0);
		await sweep(2 * DAY_MS);
		isFailing = false;
		lose(10, 1);
		await sweep();
		expect(standIn.pulls.asked.at(-3)).toMatchObject({ OffSetValue: "0" });
		expect(await paid()).toBe(21_000);
	});

	it("is made by one sweep of several, and not where the lender does not ask for it", async () => {
		const { standIn, lose, put, lender, connection, sweep } = await givenPulling(() => ({ size: 100, sendsTotals: true }));
		lose(10);
		await timePasses(QUARTER_MS);
		await runDueWork((services) => Promise.all([pullPayments(services), pullPayments(services)]), CONNECTED);
		expect(standIn.pulls.asked).toHaveLength(1);
		expectOk(await call(putDarajaConnection, { as: lender.owner.token, path: lender.path, body: CREDENTIALS }));
		expect(await connection()).toMatchObject({ nominated_number: null, last_pull: null });
		expect(await sweep(DAY_MS)).toBe(0);
		expect(await put({})).toMatchObject({ status: 200, body: { nominated_number: NUMBER, last_pull: null } });
	});

	it("stops where the connection changes meanwhile, and continues with the changed connection", async () => {
		let changed: Promise<unknown> | undefined;
		const { lose, sweep, paid, put, connection, standIn } = await givenPulling((nth) => {
			if (nth === 1) changed = put({ nominated_number: "+254722000001" });
			return { countsPages: true, size: 2 };
		});
		lose(10, 6);
		await sweep();
		await changed;
		await sweep(0);
		await sweep();
		expect(await paid()).toBe(6_000);
		expect(await connection()).toMatchObject({ nominated_number: "+254722000001", last_pull: { outcome: "SUCCEEDED" } });
		expect(standIn.pulls.registrations.map(({ NominatedNumber }) => NominatedNumber)).toEqual(["254722000000", "254722000001"]);
	});

	it("needs an initiator, which verifies what it finds, and a number of Kenya", async () => {
		const { put } = await givenPulling();
		const without = { short_code: "600998", payouts: false, initiator_name: undefined, security_credential: undefined };
		expect(await put(without)).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "initiator_name" }, { path: "security_credential" }] },
		});
		expect(await put({ nominated_number: "0722000000" })).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "nominated_number" }] },
		});
	});
});
