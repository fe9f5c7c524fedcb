// Loans are paid out from the lender's own shortcode: what Daraja has paid is in the books or open, after anything that happens on the way.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { Behaviour } from "../../../src/dev/stand-ins/daraja.results";
import {
	deleteDarajaConnection,
	getDarajaConnection,
	putDarajaConnection,
	resumeDarajaConnection,
} from "../../../src/domains/connections/daraja.operations";
import { reportDarajaResult } from "../../../src/domains/disbursements/daraja.operations";
import { sendDueInstructions } from "../../../src/domains/disbursements/job";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { users } from "../../../src/domains/users/model/table";
import type { Inquired, Providers } from "../../../src/runtime/ports";
import type { JobServices } from "../../../src/runtime/services";
import { HOUR_MS, MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { pay } from "../../support/credit";
import { freshNumber } from "../../support/current-accounts";
import { CONNECTED, CREDENTIALS, darajaStandsIn, givenLender, givenOfferOf, sweepPayouts, timePasses } from "../../support/daraja";
import { db, givenApiKey, operatorToken } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { beforeCommit, eventsOf, runDueWork } from "../../support/loans";
import { expectErrors } from "../../support/log";

const payoutOf = async (id: string) => (await db.select().from(disbursements).where(eq(disbursements.id, id)))[0];
const typesOf = async (organizationId: string) => (await eventsOf(organizationId)).map(({ type }) => type);

describe("a payout by a connection", () => {
	it("is ordered once, and ends with the result at its own address", async () => {
		expectErrors("a result of a payout contradicts an earlier one");
		const standIn = darajaStandsIn();
		const lender = await givenLender();
		const { borrower, id, apply } = await givenOfferOf(lender, "+254712345678");
		expect(await apply()).toMatchObject({ status: 200, body: { status: "SUBMITTED" } });
		await db.update(users).set({ mobileNumber: "+254700000009" }).where(eq(users.id, borrower.id));
		const [asked] = standIn.asked;
		const address = String(asked?.ResultURL);
		expect(asked).toEqual({
			OriginatorConversationID: id,
			InitiatorName: CREDENTIALS.initiator_name,
			SecurityCredential: CREDENTIALS.security_credential,
			CommandID: "BusinessPayment",
			Amount: "300",
			PartyA: CREDENTIALS.short_code,
			PartyB: "254712345678",
			Remarks: "Payout",
			QueueTimeOutURL: address,
			ResultURL: address,
			Occassion: "Payout",
		});
		expect(address).not.toMatch(/mpesa|safaricom|exe|cmd|sql|query/i);
		const [, code = ""] = /\/payout\/[0-9a-f-]{36}\/([0-9a-f]{32})$/.exec(address) ?? [];
		const body = { Result: { ResultType: 0, ResultCode: 2, TransactionID: "X" } };
		const other = await givenOfferOf(lender);
		for (const path of [
			{ question: "found", id, code },
			{ question: "payout", id: other.id, code },
			{ question: "payout", id, code: code.replace(/./, (digit) => (digit === "0" ? "1" : "0")) },
		]) {
			expect(await send(reportDarajaResult as never, { path, body, vars: CONNECTED })).toMatchObject({ status: 404 });
		}
		expect(await payoutOf(id)).toMatchObject({ status: "ACCEPTED", provider: "daraja", attempts: 1 });
		expect(await standIn.deliver()).toEqual([200]);
		expect(await payoutOf(id)).toMatchObject({ status: "SUCCEEDED", mobileMoneyTransactionId: standIn.paid[0]?.receipt });
		// A result that contradicts the first is taken, and changes nothing.
		expect(await send(reportDarajaResult as never, { path: { question: "payout", id, code }, body, vars: CONNECTED })).toMatchObject({
			status: 200,
		});
		expect(await payoutOf(id)).toMatchObject({ status: "SUCCEEDED" });
		expect((await typesOf(lender.organization.id)).filter((type) => type === "loan.disbursed")).toHaveLength(1);
	});

	it("is refused before anything is ordered where no connection could pay it", async () => {
		const standIn = darajaStandsIn();
		const lender = await givenLender();
		const refused = async (number: string, amount: number) =>
			(await (await givenOfferOf(lender, number)).apply(amount)) as { status: number; body: unknown };
		expect(await refused(freshNumber(), 30_050)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		expect(await refused(freshNumber(), 900)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		expect(await refused("+256712345678", 30_000)).toMatchObject({ status: 503 });
		const { owner, path } = lender;
		const { apply } = await givenOfferOf(lender);
		const disconnected = beforeCommit(async () => void (await call(deleteDarajaConnection, { as: owner.token, path })));
		expect(await apply(30_000, disconnected)).toMatchObject({ status: 503 });
		expectOk(await call(putDarajaConnection, { as: owner.token, path, body: { ...CREDENTIALS, payouts: false } }));
		expect(await refused(freshNumber(), 30_000)).toMatchObject({ status: 503 });
		expect(standIn.asked).toEqual([]);
		expect(await db.select().from(disbursements)).toEqual([]);
	});

	it("rests while the lender's account is at fault: orders answer 503 and waiting ones are not sent, until it is mended", async () => {
		let behaviour: Behaviour = { code: 2001 };
		const standIn = darajaStandsIn({ plan: () => behaviour });
		const lender = await givenLender();
		const as = lender.owner.token;
		const first = await givenOfferOf(lender);
		const second = await givenOfferOf(lender);
		const third = await givenOfferOf(lender);
		expectOk(await first.apply());
		behaviour = { answer: "BUSY" };
		expectOk(await second.apply());
		await standIn.deliver();
		expect(await payoutOf(first.id)).toMatchObject({ status: "ACCEPTED", failureTold: "LENDER_ACCOUNT" });
		expect(await call(getDarajaConnection, { as, path: lender.path })).toMatchObject({
			body: { status: "PAUSED", paused_reason: "RESULT_2001", paused_until: null },
		});
		expect(await third.apply()).toMatchObject({ status: 503 });
		await timePasses(2 * HOUR_MS);
		await sweepPayouts();
		expect(standIn.asked).toHaveLength(2);
		// By an initiator that is refused nobody can ask what became of it.
		expect(await payoutOf(first.id)).toMatchObject({ status: "ACCEPTED" });
		behaviour = { code: 1 };
		expect(await call(resumeDarajaConnection, { as, path: lender.path })).toMatchObject({
			body: { status: "ACTIVE", paused_reason: null },
		});
		await timePasses(HOUR_MS);
		await sweepPayouts();
		await standIn.deliver();
		expect(await payoutOf(first.id)).toMatchObject({ status: "FAILED", failureReason: "LENDER_ACCOUNT" });
		// The token that the question gets may end that of the order, which then goes again.
		if ((await payoutOf(second.id))?.status === "PENDING") {
			await timePasses(10 * MINUTE_MS);
			await sweepPayouts();
			await standIn.deliver();
		}
		const sent = await payoutOf(second.id);
		expect(sent?.status).toBe("ACCEPTED");
		expect((sent?.attempts ?? 0) - (sent?.harmlessAttempts ?? 0)).toBe(2);
		expect(await call(getDarajaConnection, { as, path: lender.path })).toMatchObject({ body: { paused_reason: "INSUFFICIENT_FUNDS" } });
		expect(await third.apply()).toMatchObject({ status: 503 });
		await timePasses(16 * MINUTE_MS);
		behaviour = {};
		await timePasses(HOUR_MS);
		await sweepPayouts();
		await standIn.deliver();
		expect(await payoutOf(second.id)).toMatchObject({ status: "FAILED", failureReason: "LENDER_ACCOUNT" });
		expectOk(await third.apply());
		expect(
			(await eventsOf(lender.organization.id)).filter(({ type }) => type === "payment_connection.paused").map(({ data }) => data.reason),
		).toEqual(["RESULT_2001", "INSUFFICIENT_FUNDS"]);
	});

	it("ends by a refusal only while no earlier attempt may have been paid", async () => {
		let behaviour: Behaviour = { answer: "INVALID" };
		darajaStandsIn({ plan: () => behaviour });
		const lender = await givenLender();
		const [first, second] = [await givenOfferOf(lender), await givenOfferOf(lender)];
		expectOk(await first.apply());
		behaviour = { answer: "BUSY" };
		expectOk(await second.apply());
		behaviour = { answer: "INVALID" };
		await timePasses(HOUR_MS);
		await sweepPayouts();
		expect(await payoutOf(first.id)).toMatchObject({ status: "FAILED", failureReason: "REFUSED_BY_PROVIDER" });
		expect(await payoutOf(second.id)).toMatchObject({ status: "PENDING", attempts: 2, refusal: null });
	});

	it("ends with what a provider answers at once when it is asked, and once only", async () => {
		expectErrors("a receipt of a payout is that of another one");
		darajaStandsIn({ plan: () => ({ results: 0 }) });
		const lender = await givenLender();
		const [first, second] = [await givenOfferOf(lender), await givenOfferOf(lender)];
		for (const { apply } of [first, second]) expectOk(await apply());
		let inquiries = 0;
		const answers = (said: Inquired) => {
			const inquire = () => {
				inquiries++;
				return Promise.resolve(said);
			};
			return async (services: JobServices) => {
				const { messageSender } = services.providers;
				const providers = { messageSender, disburser: { kind: "remote", inquire } } as unknown as Providers;
				return sendDueInstructions({ ...services, providers });
			};
		};
		await timePasses(4 * MINUTE_MS);
		// By two sweeps at once, of which one asks about each.
		await runDueWork((services) => Promise.all([answers("UNKNOWN")(services), answers("UNKNOWN")(services)]), CONNECTED);
		expect(inquiries).toBe(2);
		expect(await payoutOf(first.id)).toMatchObject({ status: "ACCEPTED" });
		await timePasses(HOUR_MS);
		// Both at once: one receipt pays one payout.
		const [once, again] = [answers({ status: "SUCCEEDED", transaction: "PAID000001", at: undefined }), answers("UNKNOWN")];
		await runDueWork((services) => Promise.all([once(services), once(services)]), CONNECTED);
		await runDueWork(again, CONNECTED);
		const ends = [await payoutOf(first.id), await payoutOf(second.id)];
		expect(ends.map((row) => row?.status).sort()).toEqual(["ACCEPTED", "SUCCEEDED"]);
		await timePasses(2 * HOUR_MS);
		const pause = { reason: "INSUFFICIENT_FUNDS", forMs: HOUR_MS };
		await runDueWork(answers({ status: "FAILED", reason: "LENDER_ACCOUNT", at: undefined, pause }), CONNECTED);
		const after = [await payoutOf(first.id), await payoutOf(second.id)];
		expect(after.map((row) => row?.status).sort()).toEqual(["FAILED", "SUCCEEDED"]);
		expect(await call(getDarajaConnection, { as: lender.owner.token, path: lender.path })).toMatchObject({ body: { status: "PAUSED" } });
		expect((await typesOf(lender.organization.id)).filter((type) => type.startsWith("loan.disburs")).sort()).toEqual([
			"loan.disbursed",
			"loan.disbursement_failed",
		]);
	});

	it("leaves of a refund what cannot be paid out", async () => {
		const standIn = darajaStandsIn();
		const lender = await givenLender();
		const { accountId, apply } = await givenOfferOf(lender);
		expectOk(await apply());
		await standIn.deliver();
		const key = await givenApiKey(lender.organization.id, ["repayments:write"]);
		expectOk(await pay({ key, accountId }, 40_099));
		const refund = async () => call(refundOverpayment, { as: await operatorToken(), path: { accountId }, vars: CONNECTED });
		const { amount } = expectOk(await refund());
		expect(amount.value % 100).toBe(0);
		expect(standIn.asked.at(-1)?.Amount).toBe(String(amount.value / 100));
		expect(await refund()).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(await standIn.deliver()).toEqual([200]);
		await expectStoredEqualsReplay();
	});
});
