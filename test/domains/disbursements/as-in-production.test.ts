// What providers do in production and a kind stand-in does not: tokens that end one another, roles that lack, a success after a failure, money
// that is not there, payments to another shortcode of the same lender.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { Role } from "../../../src/dev/stand-ins/daraja.account";
import { checkDarajaConnection } from "../../../src/domains/connections/balances.operations";
import { getDarajaConnection } from "../../../src/domains/connections/daraja.operations";
import { getMomoConnection } from "../../../src/domains/connections/momo.operations";
import { creditCycles } from "../../../src/domains/credit-accounts/table";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { darajaConfirmations } from "../../../src/domains/repayments/recording/confirmations.table";
import { payments } from "../../../src/domains/repayments/table";
import { HOUR_MS, MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import {
	CONNECTED,
	CREDENTIALS,
	darajaStandsIn,
	givenConnectedLoan,
	givenLender,
	givenOfferOf,
	lose,
	sweepPayouts,
	timePasses,
} from "../../support/daraja";
import { db } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { expectErrors } from "../../support/log";
import { givenWallet, momoStandsIn, ugandanNumber, WALLET } from "../../support/momo";
import { givenReturning } from "../../support/returns";

const payoutOf = async (id: string) => (await db.select().from(disbursements).where(eq(disbursements.id, id)))[0];

describe("a token of Daraja", () => {
	it("that another program of the lender has ended is renewed, and the payout goes out once, by that attempt", async () => {
		const standIn = darajaStandsIn();
		const lender = await givenLender();
		const { consumer_key, consumer_secret } = CREDENTIALS;
		const headers = { Authorization: `Basic ${btoa(`${consumer_key}:${consumer_secret}`)}` };
		for (let nth = 0; nth < 3; nth++) {
			const { id, apply } = await givenOfferOf(lender);
			await standIn.handle(new Request("https://daraja.example/oauth/v1/generate", { headers }));
			expectOk(await apply());
			expect(await payoutOf(id)).toMatchObject({ status: "ACCEPTED", attempts: 1, harmlessAttempts: 0 });
		}
		expect(standIn.asked).toHaveLength(3);
		const as = lender.owner.token;
		expectOk(await call(checkDarajaConnection, { as, path: lender.path, vars: CONNECTED }));
		while (standIn.reports.length > 0) await standIn.deliver();
		expect(expectOk(await call(getDarajaConnection, { as, path: lender.path })).last_check).toMatchObject({ outcome: "SUCCEEDED" });
	});
});

describe("an initiator", () => {
	it("without the role to pay pauses the connection, and its payout fails once Daraja has been asked", async () => {
		const lacks: readonly Role[] = ["PAYOUT"];
		const standIn = darajaStandsIn({ lacks: () => lacks });
		const lender = await givenLender();
		const { id, apply } = await givenOfferOf(lender);
		expectOk(await apply());
		while (standIn.reports.length > 0) await standIn.deliver();
		expect(await payoutOf(id)).toMatchObject({ status: "FAILED", failureReason: "LENDER_ACCOUNT" });
		const connection = expectOk(await call(getDarajaConnection, { as: lender.owner.token, path: lender.path }));
		expect(connection).toMatchObject({ status: "PAUSED", paused_reason: "RESULT_21" });
		expect(standIn.paid).toEqual([]);
	});
});

describe("a success after a failure", () => {
	it("is booked once, also when Daraja reports both or is asked in between", async () => {
		const standIn = darajaStandsIn({ plan: (_, nth) => ({ failsFirst: 2040, ...(nth === 1 && { results: 0 }) }) });
		const lender = await givenLender();
		const offers = [await givenOfferOf(lender), await givenOfferOf(lender)];
		for (const { apply } of offers) expectOk(await apply());
		while (standIn.reports.length > 0) await standIn.deliver();
		for (const [nth, { id }] of offers.entries()) {
			expect(await payoutOf(id)).toMatchObject({ status: "SUCCEEDED", mobileMoneyTransactionId: standIn.paid[nth]?.receipt });
		}
		expect(await db.select().from(creditCycles)).toHaveLength(2);
		await expectStoredEqualsReplay();
	});

	it("is waited for while no answer of Daraja comes, however long", async () => {
		const standIn = darajaStandsIn({ plan: () => ({ failsFirst: 2040, results: 0 }) });
		const { id, apply } = await givenOfferOf(await givenLender());
		expectOk(await apply());
		await standIn.deliver();
		for (let nth = 0; nth < 4; nth++) {
			lose(standIn);
			await timePasses(2 * HOUR_MS);
			await sweepPayouts();
			expect(await payoutOf(id)).toMatchObject({ status: "ACCEPTED", failureTold: "RECIPIENT_UNKNOWN" });
		}
		await standIn.deliver();
		expect(await payoutOf(id)).toMatchObject({ status: "SUCCEEDED", mobileMoneyTransactionId: standIn.paid[0]?.receipt });
	});
});

describe("the money of the lender", () => {
	it("runs out, which fails the payout and rests the connection, and pays again once borrowers have paid", async () => {
		const standIn = darajaStandsIn({ utility: 500 });
		const lender = await givenLender();
		const [first, second, third] = [await givenOfferOf(lender), await givenOfferOf(lender), await givenOfferOf(lender)];
		const settle = async () => {
			while (standIn.reports.length > 0) await standIn.deliver();
		};
		expectOk(await first.apply());
		await settle();
		expect(standIn.accountsOf("600997")).toMatchObject({ utility: 200, charges: -1555 });
		expectOk(await second.apply());
		await settle();
		expect([(await payoutOf(first.id))?.status, (await payoutOf(second.id))?.failureReason]).toEqual(["SUCCEEDED", "LENDER_ACCOUNT"]);
		const read = async () => expectOk(await call(getDarajaConnection, { as: lender.owner.token, path: lender.path }));
		expect(await read()).toMatchObject({ status: "PAUSED", paused_reason: "INSUFFICIENT_FUNDS" });
		expect(await third.apply()).toMatchObject({ status: 503 });
		standIn.receive({ shillings: 150, account: "nobody" });
		await timePasses(16 * MINUTE_MS);
		expectOk(await third.apply());
		await settle();
		expect((await payoutOf(third.id))?.status).toBe("SUCCEEDED");
		expectOk(await call(checkDarajaConnection, { as: lender.owner.token, path: lender.path, vars: CONNECTED }));
		await settle();
		expect((await read()).balances).toContainEqual({ account: "Utility Account", available: 50_00, currency: "KES" });
	});

	it("runs out in a wallet of MTN MoMo likewise", async () => {
		const standIn = momoStandsIn(() => ({}), undefined, { wallet: 50_000 });
		const lender = await givenWallet();
		const [first, second] = [await givenOfferOf(lender, ugandanNumber()), await givenOfferOf(lender, ugandanNumber())];
		for (const { apply } of [first, second]) {
			expectOk(await apply());
			await standIn.deliver();
		}
		expect([(await payoutOf(first.id))?.status, (await payoutOf(second.id))?.failureReason]).toEqual(["SUCCEEDED", "LENDER_ACCOUNT"]);
		expect(standIn.held(WALLET.api_user)).toBe(20_000);
		const connection = expectOk(await call(getMomoConnection, { as: lender.owner.token, path: lender.path }));
		expect(connection).toMatchObject({ status: "PAUSED", paused_reason: "INSUFFICIENT_FUNDS" });
	});

	it("is not there for a return of a payment either, which fails and is work", async () => {
		const { standIn, pay, reverse, read, work } = await givenReturning();
		const { id } = await pay();
		standIn.accountsOf(CREDENTIALS.short_code).utility = 10;
		expectOk(await reverse(id));
		await standIn.deliver();
		expect(await read(id)).toMatchObject({ status: "FAILED", failure_reason: "INSUFFICIENT_FUNDS" });
		expect(standIn.reversals.made).toEqual([]);
		await timePasses(11 * MINUTE_MS);
		expect(await work()).toHaveLength(1);
	});
});

describe("a payment", () => {
	it("to another shortcode of the lender, and a payment that its payer has got back, are credited to nobody", async () => {
		expectErrors("a confirmation is of a payment that was not made so");
		const { standIn, number, account } = await givenConnectedLoan();
		const settle = async () => {
			while (standIn.reports.length > 0) await standIn.deliver();
		};
		const elsewhere = standIn.receive({ shillings: 100, account: number, shortCode: "600111" });
		// Somebody reports it as if it were paid here.
		standIn.confirm({ TransID: elsewhere, TransAmount: "100", BillRefNumber: number });
		const back = standIn.receive({ shillings: 50, account: number });
		standIn.reverseForPayer(back);
		await settle();
		expect(await db.select().from(payments)).toEqual([]);
		expect((await db.select().from(darajaConfirmations)).map(({ status }) => status)).toEqual(["REFUTED", "REFUTED"]);
		expect((await account()).balance.total_paid).toBe(0);
	});
});
