// Confirmations to a connection are hints: what they claim is recorded once the provider itself says that it was paid.

import { describe, expect, it } from "vitest";
import { rateWindows } from "../../../../src/db/rate-windows.table";
import { randomBy } from "../../../../src/dev/random";
import { getDarajaConnection, putDarajaConnection, resumeDarajaConnection } from "../../../../src/domains/connections/daraja.operations";
import { paymentConnections } from "../../../../src/domains/connections/model/table";
import { verifyConfirmations } from "../../../../src/domains/repayments/recording/confirmations.job";
import { validateDarajaPayment, verifyDarajaConfirmation } from "../../../../src/domains/repayments/recording/confirmations.operations";
import { HINTS_IN_A_DAY } from "../../../../src/domains/repayments/recording/confirmations.procedure";
import { darajaConfirmations } from "../../../../src/domains/repayments/recording/confirmations.table";
import { payments } from "../../../../src/domains/repayments/table";
import { DAY_MS, HOUR_MS } from "../../../../src/shared/time";
import { call, expectOk, send } from "../../../support/client";
import { dyingAt } from "../../../support/crashes";
import { CONNECTED, CREDENTIALS, givenConnectedLoan, lose, timePasses } from "../../../support/daraja";
import { db } from "../../../support/factories";
import { expectStoredEqualsReplay } from "../../../support/ledgers";
import { beforeCommit, eventsOf, runDueWork } from "../../../support/loans";
import { expectErrors } from "../../../support/log";

const verify = (vars: Partial<Env> = {}) => runDueWork(verifyConfirmations, { ...CONNECTED, ...vars });
/** The confirmation, then the answer about it. */
const told = async ({ standIn }: Awaited<ReturnType<typeof givenConnectedLoan>>) => [await standIn.deliver(), await standIn.deliver()];

describe("a confirmation to a connection", () => {
	it("is recorded once the provider has verified it, and once only", async () => {
		const loan = await givenConnectedLoan();
		const { standIn, number, account, lender } = loan;
		const receipt = standIn.receive({ shillings: 100, account: number });
		const claims = { TransID: receipt, TransAmount: "100", BillRefNumber: number };
		standIn.confirm(claims);
		expect(await standIn.deliver()).toEqual([200, 200]);
		expect(await db.select().from(payments)).toEqual([]);
		expect(JSON.stringify(await db.select().from(darajaConfirmations))).not.toContain(number);
		expect(await standIn.deliver()).toEqual([200]);
		standIn.confirm(claims);
		await told(loan);
		expect(await db.select().from(payments)).toMatchObject([
			{ status: "POSTED", mobileMoneyTransactionId: receipt, amount: 10_000, organizationId: lender.organization.id },
		]);
		expect((await account()).balance.total_paid).toBe(10_000);
		await expectStoredEqualsReplay();
	});

	it("is kept by the members from which a payment is recorded, without everything else that was posted, and at most 20,000 are taken in a day", async () => {
		const { standIn, number, lender } = await givenConnectedLoan();
		const receipt = standIn.receive({ shillings: 100, account: number });
		standIn.confirm({ TransID: receipt, TransAmount: "100", BillRefNumber: number, Padding: "x".repeat(200_000) });
		expect(await standIn.deliver()).toEqual([200, 200]);
		const kept = await db.select().from(darajaConfirmations);
		expect(kept.map(({ transactionId }) => transactionId)).toContain(receipt);
		for (const { sealed } of kept) expect(sealed.length).toBeLessThan(4_096);
		const [window] = (await db.select().from(rateWindows)).filter(({ key }) => key.includes("daraja-hints"));
		expect(window).toMatchObject({ uses: kept.length, quota: HINTS_IN_A_DAY, key: expect.stringContaining(lender.organization.id) });
		await db.update(rateWindows).set({ uses: HINTS_IN_A_DAY });
		standIn.confirm({ TransID: "MADEUP0001", TransAmount: "500", BillRefNumber: number });
		expect(await standIn.deliver()).toContain(429);
		expect(await db.$count(darajaConfirmations)).toBe(kept.length);
	});

	it("moves nothing when nobody has paid it: with a made-up receipt, another amount, or the receipt of a payout", async () => {
		expectErrors(
			"a confirmation could not be verified for days",
			"a confirmation is of a payment that was not made so",
			"a confirmation is of another shortcode, or has no usable amount",
		);
		const loan = await givenConnectedLoan();
		const { standIn, number, account } = loan;
		const receipt = standIn.receive({ shillings: 100, account: number }, { TransAmount: "900.00" });
		const payout = standIn.paid[0];
		standIn.confirm({ TransID: "MADEUP0001", TransAmount: "500", BillRefNumber: number });
		standIn.confirm({ TransID: payout?.receipt, TransAmount: String(payout?.shillings), BillRefNumber: number });
		standIn.confirm({ TransID: "OTHERS0001", TransAmount: "500", BillRefNumber: number, BusinessShortCode: "123456" });
		await told(loan);
		const states = new Map((await db.select().from(darajaConfirmations)).map(({ transactionId, status }) => [transactionId, status]));
		expect([...states]).toEqual(
			expect.arrayContaining([
				[receipt, "REFUTED"],
				[payout?.receipt, "REFUTED"],
				["MADEUP0001", "WAITING"],
			]),
		);
		expect(states.get("OTHERS0001")).toBe("OTHER_SHORTCODE");
		expect((await account()).balance.total_paid).toBe(0);
		// The true one is not kept out by the false one before it.
		standIn.confirm({ TransID: receipt, TransAmount: "100", BillRefNumber: number });
		await told(loan);
		expect((await account()).balance.total_paid).toBe(10_000);
		await timePasses(4 * DAY_MS);
		await verify();
		expect((await db.select().from(darajaConfirmations)).map(({ status }) => status).sort()).toEqual([
			"LAPSED",
			"OTHER_SHORTCODE",
			"REFUTED",
			"REFUTED",
			"VERIFIED",
		]);
	});

	it("is verified while the connection is paused, but for an initiator that must not be asked by", async () => {
		const loan = await givenConnectedLoan();
		const { standIn, number, account } = loan;
		const pauseFor = (pausedReason: string) => db.update(paymentConnections).set({ status: "PAUSED", pausedReason });
		for (const reason of ["INSUFFICIENT_FUNDS", "PRODUCT_NOT_ALLOWED", "RESULT_21"]) {
			await pauseFor(reason);
			standIn.receive({ shillings: 100, account: number });
			expect(await told(loan)).toEqual([[200], [200]]);
		}
		expect((await account()).balance.total_paid).toBe(30_000);
		await pauseFor("RESULT_2001");
		standIn.receive({ shillings: 100, account: number });
		await standIn.deliver();
		// For any time that it rests, and until it has been asked for a while after that, nobody has failed to answer.
		await timePasses(4 * DAY_MS);
		await verify();
		expect(standIn.reports).toEqual([]);
		expectOk(await call(resumeDarajaConnection, { as: loan.lender.owner.token, path: loan.lender.path }));
		await timePasses(HOUR_MS);
		await verify();
		expect(await standIn.deliver()).toEqual([200]);
		expect((await account()).balance.total_paid).toBe(40_000);
		expect((await db.select().from(darajaConfirmations)).map(({ status }) => status)).toEqual(Array(4).fill("VERIFIED"));
	});

	it("pauses a connection whose initiator's password is wrong, before the questions lock it", async () => {
		const loan = await givenConnectedLoan();
		const { standIn, number, lender } = loan;
		const [as, path] = [lender.owner.token, lender.path];
		expectOk(await call(putDarajaConnection, { as, path, body: { ...CREDENTIALS, security_credential: "a wrong password" } }));
		const paused = async () => expectOk(await call(getDarajaConnection, { as, path })).paused_reason;
		// A pause for another reason hides it from nobody.
		for (const reason of [null, "RESULT_21"]) {
			if (reason) await db.update(paymentConnections).set({ status: "PAUSED", pausedReason: reason });
			expect(await paused()).toBe(reason);
			standIn.receive({ shillings: 100, account: number });
			await told(loan);
			expect(await paused()).toBe("RESULT_2001");
		}
		await timePasses(2 * HOUR_MS);
		await verify();
		expect(standIn.reports).toEqual([]);
		const events = (await eventsOf(lender.organization.id)).filter(({ type }) => type === "payment_connection.paused");
		expect(events.map(({ data }) => data.reason)).toEqual(["RESULT_2001", "RESULT_2001"]);
	});

	it("is taken at the address that was registered and at the one before, and at no forged one", async () => {
		const loan = await givenConnectedLoan();
		const { standIn, number, register, lender } = loan;
		const path = (secret: string) => ({
			path: { secret },
			body: { TransID: "X", TransTime: "", TransAmount: "1", BillRefNumber: number },
			vars: CONNECTED,
		});
		const first = standIn.registeredAt;
		expect(first).not.toMatch(/mpesa|safaricom|exe|cmd|sql|query/i);
		const secretIn = (url: string) => url.split("/").at(-2) ?? "";
		await register(true);
		const second = standIn.registeredAt;
		await register(true);
		const answers = async (secret: string) => (await send(validateDarajaPayment as never, path(secret))).status;
		expect([await answers(secretIn(second)), await answers(secretIn(standIn.registeredAt))]).toEqual([200, 200]);
		expect(await answers(`${lender.organization.id.replaceAll("-", "")}-1-${"0".repeat(32)}`)).toBe(404);
		standIn.confirm({ TransID: "LATE000001", TransAmount: "500", BillRefNumber: number });
		standIn.report(first, { TransID: "OLD0000001", TransAmount: "500", BusinessShortCode: CREDENTIALS.short_code, TransTime: "" });
		expect(await standIn.deliver()).toEqual([200, 404]);
		const [{ id } = { id: "" }] = await db.select().from(darajaConfirmations);
		const body = { Result: { ResultType: 0, ResultCode: 0 } };
		expect(await send(verifyDarajaConfirmation as never, { path: { id, code: "0".repeat(32) }, body, vars: CONNECTED })).toMatchObject({
			status: 404,
		});
	});

	it("is asked about by one of two sweeps at the same moment", async () => {
		const { standIn, number } = await givenConnectedLoan();
		standIn.receive({ shillings: 100, account: number });
		await standIn.deliver();
		lose(standIn);
		await timePasses(2 * HOUR_MS);
		await verify(beforeCommit(() => verify()));
		expect(standIn.reports).toHaveLength(1);
	});

	it("is refused beforehand to an account number that nobody has, where the lender wants that", async () => {
		const { standIn, number } = await givenConnectedLoan({ reject_unknown_accounts: true });
		const secret = standIn.registeredAt.split("/").at(-2) ?? "";
		const validate = async (BillRefNumber: string) => {
			const body = { TransID: "X", TransTime: "", TransAmount: "1", BillRefNumber };
			return (await send(validateDarajaPayment as never, { path: { secret }, body, vars: CONNECTED })).body;
		};
		expect(await validate(number)).toEqual({ ResultCode: "0", ResultDesc: "Accepted" });
		expect(await validate("0712345678")).toEqual({ ResultCode: "C2B00012", ResultDesc: "Rejected" });
	});
});

it("the service credits every payment that was confirmed once, whenever processes die", { tags: ["thorough"] }, async () => {
	expectErrors("request failed");
	const seed = Number(process.env.SEED ?? 3);
	const random = randomBy(seed);
	const dies = (): Partial<Env> => (random() < 0.4 ? dyingAt(1 + Math.floor(random() * 4), random() < 0.5 ? "before" : "after").vars : {});
	let isDying = false;
	const { standIn, number, account } = await givenConnectedLoan({}, () => (isDying ? dies() : {}));
	isDying = true;
	let paid = 0;
	const bodies: object[] = [];
	for (let round = 0; round < 12; round++) {
		const shillings = 10 + round;
		const receipt = standIn.receive({ shillings, account: number });
		paid += shillings * 100;
		bodies.push({ TransID: receipt, TransAmount: String(shillings), BillRefNumber: number });
		await standIn.deliver();
		await standIn.deliver();
		await timePasses(Math.floor(random() * HOUR_MS));
		await verify(dies()).catch(() => {});
		expect((await account()).balance.total_paid, `seed ${seed}`).toBeLessThanOrEqual(paid);
	}
	isDying = false;
	// Daraja repeats what was answered with a failure.
	for (const body of bodies) standIn.confirm(body);
	for (let round = 0; round < 4; round++) {
		await standIn.deliver();
		await timePasses(HOUR_MS);
		await verify();
	}
	await standIn.deliver();
	expect((await account()).balance.total_paid, `seed ${seed}`).toBe(paid);
	expect(await db.select().from(payments)).toHaveLength(12);
	expect(new Set((await db.select().from(darajaConfirmations)).map(({ status }) => status))).toEqual(new Set(["VERIFIED"]));
	await expectStoredEqualsReplay();
});
