// The service warns a lender before the account from which payouts are paid is empty.

import { expect, it } from "vitest";
import { askDueBalances } from "../../../src/domains/connections/balances.job";
import { checkDarajaConnection } from "../../../src/domains/connections/balances.operations";
import { putDarajaConnection } from "../../../src/domains/connections/daraja.operations";
import { getLenderAttention } from "../../../src/domains/work/lender.operations";
import { DAY_MS, HOUR_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { CONNECTED, CREDENTIALS, darajaStandsIn, givenLender, givenOfferOf, timePasses } from "../../support/daraja";
import { eventsOf, runDueWork } from "../../support/loans";

it("reports once what is left, what waits and what a day takes, until the account holds enough again", async () => {
	const standIn = darajaStandsIn({ utility: 1_000 });
	const lender = await givenLender();
	const { organization, owner, path } = lender;
	const settle = async () => {
		while (standIn.reports.length > 0) await standIn.deliver();
	};
	const check = async () => {
		expectOk(await call(checkDarajaConnection, { as: owner.token, path, vars: CONNECTED }));
		await settle();
	};
	const lows = async () => expectOk(await call(getLenderAttention, { as: owner.token })).low_floats;
	const told = async () => (await eventsOf(organization.id)).filter(({ type }) => type === "payment_connection.low_float");
	const payOut = async () => {
		expectOk(await (await givenOfferOf(lender)).apply());
		await settle();
	};
	await check();
	expect([await lows(), await told()]).toEqual([[], []]);
	await payOut();
	await check();
	expect(await lows()).toEqual([]);
	await timePasses(2_000);
	await payOut();
	// 400 are left, and 600 were paid out within a day: the sweep sees that, and asks what is there.
	await timePasses(HOUR_MS + 1);
	await runDueWork((services) => Promise.all([askDueBalances(services), askDueBalances(services)]), CONNECTED);
	await settle();
	const figures = { provider: "daraja", currency: "KES", available: 40_000, waiting: 0, paid_last_day: 60_000 };
	expect(await lows()).toMatchObject([figures]);
	expect((await told()).map(({ data }) => data)).toEqual([figures]);
	await check();
	expect(await told()).toHaveLength(1);
	const accounts = standIn.accountsOf("600997");
	accounts.utility = 5_000;
	await timePasses(HOUR_MS + 1);
	await runDueWork(askDueBalances, CONNECTED);
	await settle();
	expect(await lows()).toEqual([]);
	accounts.utility = 10;
	await check();
	expect(await told()).toHaveLength(2);
	const connect = async (payouts: boolean) =>
		expectOk(await call(putDarajaConnection, { as: owner.token, path, body: { ...CREDENTIALS, payouts } }));
	expect(await lows()).toHaveLength(1);
	// No payout is paid from it any more, so nothing asks what it holds.
	await connect(false);
	await check();
	expect([await lows(), (await told()).length]).toEqual([[], 2]);
	await connect(true);
	await check();
	expect([(await lows()).length, (await told()).length]).toEqual([1, 3]);
	await timePasses(DAY_MS);
	await runDueWork(askDueBalances, CONNECTED);
	await settle();
	expect(await lows()).toEqual([]);
});
