// The money of a reversed payment goes back to its payer: what was returned is in the books or open, and nothing is returned twice.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { ReversalBehaviour } from "../../../src/dev/stand-ins/daraja.reversals";
import { requestApproval } from "../../../src/domains/approvals/operations";
import { paymentConnections } from "../../../src/domains/connections/model/table";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { promptRepayment } from "../../../src/domains/repayments/prompts/operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { reportDarajaReturn } from "../../../src/domains/repayments/returns/daraja.operations";
import { paymentReturns } from "../../../src/domains/repayments/returns/table";
import { payments } from "../../../src/domains/repayments/table";
import { HOUR_MS, MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { paymentTo } from "../../support/credit";
import { CONNECTED, CREDENTIALS, replaceBy, timePasses } from "../../support/daraja";
import { db } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { beforeCommit, eventsOf } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { AMOUNT, givenReturning, SHILLINGS, sweepReturns } from "../../support/returns";

describe("money that is returned", () => {
	it("is not returned of a payment whose overpayment was refunded, and is once that refund is covered", async () => {
		const { pay, reverse, standIn, account, accountId, as } = await givenReturning();
		const { total_outstanding } = (await account()).balance;
		const { id } = await pay(total_outstanding / 100 + SHILLINGS);
		expectOk(await call(refundOverpayment, { as, path: { accountId } }));
		const refused = { status: 409, body: { code: "INVALID_STATE", description: expect.stringContaining("refunded already") } };
		expect(await reverse(id, CONNECTED)).toMatchObject(refused);
		const reversal = { approval_type: "REPAYMENT_REVERSAL" as const, entity_type: "TRANSACTION" as const, entity_id: id };
		const asked = { as, body: { ...reversal, payload: { return_money: true } }, vars: CONNECTED };
		expect(await call(requestApproval, asked)).toMatchObject({ status: 409, body: { description: expect.stringContaining("REFUNDED") } });
		expect(standIn.reversals.asked).toEqual([]);
		// Another payment of as much is overpaid, so that the refund was of its money.
		await pay();
		expectOk(await reverse(id, CONNECTED));
		expect(standIn.reversals.asked).toHaveLength(1);
		await expectStoredEqualsReplay();
	});

	it("is ordered once with the receipt and the amount, and ends with the result at an address of its own", async () => {
		const { standIn, pay, reverse, read, told, work, paid, lender, accountId } = await givenReturning();
		const { id, receipt } = await pay();
		expect(await read(id)).toBeNull();
		expect(await paid()).toBe(AMOUNT);
		const reversal = expectOk(await reverse(id, CONNECTED));
		expect(reversal).toMatchObject({ kind: "REVERSAL", reverses_transaction_id: id });
		expect(await paid()).toBe(0);
		const [asked] = standIn.reversals.asked;
		const address = String(asked?.ResultURL);
		expect(standIn.reversals.asked).toEqual([
			{
				Initiator: CREDENTIALS.initiator_name,
				SecurityCredential: CREDENTIALS.security_credential,
				CommandID: "TransactionReversal",
				TransactionID: receipt,
				Amount: String(SHILLINGS),
				ReceiverParty: CREDENTIALS.short_code,
				RecieverIdentifierType: "11",
				ResultURL: address,
				QueueTimeOutURL: address,
				Remarks: "Return",
				Occasion: "Return",
			},
		]);
		expect(address).not.toMatch(/mpesa|safaricom|exe|cmd|sql|query/i);
		expect(await read(id)).toMatchObject({ status: "TAKEN", attempts: 1, ended_at: null });
		expect(await work()).toEqual([]);
		expect(await standIn.deliver()).toEqual([200]);
		const [made] = standIn.reversals.made;
		expect(await read(id)).toMatchObject({
			status: "RETURNED",
			mobile_money_transaction_id: made?.transaction,
			failure_reason: null,
			contradiction: null,
		});
		const events = await eventsOf(lender.organization.id);
		expect(events.at(-1)).toMatchObject({
			type: "repayment.money_returned",
			data: { transaction_id: id, reversal_transaction_id: reversal.id, account_id: accountId, amount: AMOUNT, currency: "KES" },
		});
		expect(await told()).toEqual([["money_returned", made?.transaction]]);
		await timePasses(2 * HOUR_MS);
		await sweepReturns();
		expect(standIn.reversals.asked).toHaveLength(1);
		expect(await reverse(id, CONNECTED)).toMatchObject({ status: 409 });
		expect(standIn.reversals.made).toHaveLength(1);
		await expectStoredEqualsReplay();
	});

	it("is that of a prompt, too", async () => {
		const { standIn, borrower, accountId, idOf, reverse, read } = await givenReturning();
		expectOk(await call(promptRepayment, { as: borrower.token, path: { accountId }, body: { amount: 10_000 }, vars: CONNECTED }));
		for (let round = 0; round < 3; round++) await standIn.deliver();
		const id = await idOf(String(standIn.prompts.collected[0]?.receipt));
		expectOk(await reverse(id));
		await standIn.deliver();
		expect(await read(id)).toMatchObject({ status: "RETURNED" });
	});

	it("is refused before anything is written where it cannot be returned", async () => {
		const { as, accountId, standIn, lender, pay, reverse, read, paid, number } = await givenReturning();
		const reported = expectOk(await call(recordRepayment, { as, body: paymentTo(accountId, 5_000) })).transaction;
		const receipt = standIn.receive({ shillings: 1, account: number }, { TransAmount: "1.00" });
		for (let round = 0; round < 2; round++) await standIn.deliver();
		const cents = await pay();
		await db.update(payments).set({ fingerprint: "another" }).where(eq(payments.id, cents.id));
		const refused = async (id: string, why: RegExp) => {
			const before = await paid();
			const answer = await reverse(id);
			expect(answer).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
			expect((answer.body as { description: string }).description).toMatch(why);
			expect(await paid()).toBe(before);
			expect(await read(id)).toBeNull();
		};
		await refused(reported.id, /M-Pesa connection has verified/);
		await refused(cents.id, /M-Pesa connection has verified/);
		const [verified] = await db.select().from(payments).where(eq(payments.mobileMoneyTransactionId, receipt));
		const id = verified?.id ?? "";
		await db.update(paymentConnections).set({ hasInitiator: false });
		await refused(id, /initiator/);
		await db.update(paymentConnections).set({ hasInitiator: true });
		expectOk(await replaceBy(lender, { short_code: "600998", passkey: "a passkey" }));
		await refused(id, /M-Pesa connection has verified/);
		expect(await db.select().from(paymentReturns)).toEqual([]);
		expect(standIn.reversals.asked).toEqual([]);
		// Without its money each is reversed.
		for (const one of [reported.id, id]) expectOk(await reverse(one, {}, false));
		expect(standIn.reversals.asked).toEqual([]);
	});

	it.each([
		["its answer is lost", [{ answer: "LOST", results: 0 }], 2, null],
		["no token holds at first", [{ answer: "TOKEN_EXPIRED" }, { answer: "TOKEN_EXPIRED" }], 2, undefined],
		["nobody answers, then a page of a gateway", [{ answer: "DOWN" }, { answer: "HTML" }], 3, undefined],
		["Daraja is busy", [{ answer: "BUSY" }], 2, undefined],
		["the result comes before a lost answer", [{ early: true, answer: "LOST" }], 1, undefined],
		["the result comes early, and twice", [{ early: true, results: 2 }], 1, undefined],
		["the result never comes", [{ results: 0 }], 2, null],
		["only a notice that it waited too long comes", [{ timeOut: true, results: 0 }], 2, null],
		["the notice comes before the result", [{ timeOut: true }], 1, undefined],
		["codes are texts, with one parameter", [{ odd: true }], 1, undefined],
		["a code says nothing", [{ code: 9999 }], 2, undefined],
	] as const)("arrives although %s", async (_, plan, attempts, transaction) => {
		const behaviours: ReversalBehaviour[] = [...plan];
		const { standIn, pay, reverse, read, told } = await givenReturning(() => behaviours.shift() ?? {});
		const { id } = await pay();
		expectOk(await reverse(id));
		for (let round = 0; round < 3; round++) {
			await standIn.deliver();
			await timePasses(5 * MINUTE_MS);
			await sweepReturns();
		}
		await standIn.deliver();
		const [made, ...more] = standIn.reversals.made;
		expect(more).toEqual([]);
		const known = transaction === undefined ? made?.transaction : transaction;
		expect(await read(id)).toMatchObject({ status: "RETURNED", attempts, mobile_money_transaction_id: known, contradiction: null });
		expect(await told()).toEqual([["money_returned", known]]);
	});

	it("is ordered with back-off for as long as nobody says what became of it, and shown among the work", async () => {
		expectErrors("a return of money is open for more than a day");
		const { standIn, pay, reverse, read, work, told } = await givenReturning(() => ({ results: 0 }));
		const { id } = await pay();
		expectOk(await reverse(id));
		const asked: number[] = [];
		for (let hour = 0; hour < 60; hour++) {
			await timePasses(HOUR_MS / 2);
			await sweepReturns(beforeCommit(() => sweepReturns()));
			asked.push(standIn.reversals.asked.length);
		}
		expect(await read(id)).toMatchObject({ status: "TAKEN", ended_at: null });
		// Of sixty times two sweeps at once, one an hour.
		expect(asked.at(-1)).toBeGreaterThan(25);
		expect(asked.at(-1)).toBeLessThan(35);
		expect(await work()).toMatchObject([{ id, state: "TAKEN", amount: { value: AMOUNT, currency: "KES" } }]);
		expect(await told()).toEqual([]);
		expect(standIn.reversals.made).toHaveLength(1);
	});

	it("fails for the provider's reasons, can be retried, and pauses the connection only for the initiator's", async () => {
		const behaviours: ReversalBehaviour[] = [{ code: 1 }, { code: "R000002" }, { answer: "INVALID" }, { code: 2001 }];
		const { standIn, pay, reverse, read, retry, work, told } = await givenReturning(() => behaviours.shift() ?? {});
		const { id } = await pay();
		expectOk(await reverse(id));
		const status = async () => (await db.select().from(paymentConnections))[0]?.status;
		const reasons = ["INSUFFICIENT_FUNDS", "PAYMENT_UNKNOWN", "PAYMENT_UNKNOWN", "LENDER_ACCOUNT"];
		for (const [nth, reason] of reasons.entries()) {
			// A refusal while an earlier attempt may be under way says nothing.
			if (nth === 2) {
				expect(await read(id)).toMatchObject({ status: "PENDING" });
				await timePasses(HOUR_MS);
				await sweepReturns();
				await standIn.deliver();
				continue;
			}
			await standIn.deliver();
			expect(await status()).toBe(reason === "LENDER_ACCOUNT" ? "PAUSED" : "ACTIVE");
			expect(await read(id)).toMatchObject({ status: "FAILED", failure_reason: reason });
			await timePasses(10 * MINUTE_MS);
			expect(await work()).toMatchObject([{ id, state: "FAILED", reason, next_attempt_at: null }]);
			const before = standIn.reversals.asked.length;
			await sweepReturns();
			expect(standIn.reversals.asked).toHaveLength(before);
			if (reason === "LENDER_ACCOUNT") await db.update(paymentConnections).set({ status: "ACTIVE", pausedReason: null });
			expectOk(await retry(id));
			await sweepReturns();
		}
		await standIn.deliver();
		expect(await read(id)).toMatchObject({ status: "RETURNED", failure_reason: null });
		expect((await told()).map(([type]) => type)).toEqual(["return_failed", "return_failed", "return_failed", "money_returned"]);
		expect(await retry(id)).toMatchObject({ status: 404 });
	});

	it("is refused by an app without the product, which pauses no payout", async () => {
		const { pay, reverse, read } = await givenReturning(() => ({ answer: "NOT_ALLOWED" }));
		const { id } = await pay();
		expectOk(await reverse(id));
		expect(await read(id)).toMatchObject({ status: "FAILED", failure_reason: "PRODUCT_NOT_ALLOWED" });
		expect(await db.select().from(paymentConnections)).toMatchObject([{ status: "ACTIVE" }]);
	});

	it("waits while the connection is paused, or is another shortcode's", async () => {
		let behaviour: ReversalBehaviour = {};
		const { standIn, pay, reverse, read, retry, lender } = await givenReturning(() => behaviour);
		const [first, second] = [await pay(), await pay()];
		await db.update(paymentConnections).set({ status: "PAUSED", pausedReason: "RESULT_2001" });
		expectOk(await reverse(first.id));
		expect(standIn.reversals.asked).toEqual([]);
		await db.update(paymentConnections).set({ status: "ACTIVE", pausedReason: null });
		behaviour = { code: 1 };
		expectOk(await reverse(second.id));
		await standIn.deliver();
		behaviour = {};
		await timePasses(HOUR_MS);
		await sweepReturns();
		await standIn.deliver();
		expect([await read(first.id), await read(second.id)]).toMatchObject([{ status: "RETURNED" }, { status: "FAILED" }]);
		const put = (short_code: string) => replaceBy(lender, { short_code, passkey: "a passkey" });
		expectOk(await put("600998"));
		expectOk(await retry(second.id));
		await sweepReturns();
		expect(standIn.reversals.asked).toHaveLength(2);
		expectOk(await put(CREDENTIALS.short_code));
		await timePasses(HOUR_MS);
		await sweepReturns();
		await standIn.deliver();
		expect(await read(second.id)).toMatchObject({ status: "RETURNED" });
	});

	it("keeps what contradicts it, and knows no address but its own", async () => {
		expectErrors("a result of a return contradicts what is known of it");
		const behaviours: ReversalBehaviour[] = [{ saysAmount: 7 }];
		const { standIn, pay, reverse, read } = await givenReturning(() => behaviours.shift() ?? {});
		const [first, other] = [await pay(), await pay()];
		expectOk(await reverse(first.id));
		expectOk(await reverse(other.id));
		const [, code = ""] = /\/returns\/[0-9a-f-]{36}\/([0-9a-f]{32})$/.exec(String(standIn.reversals.asked[0]?.ResultURL)) ?? [];
		const result = (changes: object) => ({ Result: { ResultType: 0, ResultCode: 0, ...changes } });
		const tell = (body: object, path = { id: first.id, code }) => send(reportDarajaReturn as never, { path, body });
		for (const path of [
			{ id: other.id, code },
			{ id: first.id, code: code.replace(/./, (digit) => (digit === "0" ? "1" : "0")) },
		]) {
			expect(await tell(result({ ResultCode: 1 }), path)).toMatchObject({ status: 404 });
		}
		await standIn.deliver();
		expect(await read(first.id)).toMatchObject({ status: "TAKEN", contradiction: `7 of ${first.receipt}` });
		expect(await read(other.id)).toMatchObject({ status: "RETURNED", contradiction: null });
		await timePasses(10 * MINUTE_MS);
		await sweepReturns();
		await standIn.deliver();
		expect(await read(first.id)).toMatchObject({ status: "RETURNED", mobile_money_transaction_id: null });
		// A failure that is reported afterwards is kept, and changes nothing. A report that says nothing is not.
		expect(await tell(result({ ResultCode: 9999 }))).toMatchObject({ status: 200 });
		expect(await tell(result({ ResultCode: 1 }))).toMatchObject({ status: 200 });
		expect(await read(first.id)).toMatchObject({ status: "RETURNED", contradiction: "INSUFFICIENT_FUNDS" });
	});
});
