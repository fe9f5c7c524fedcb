// Payments are put right: reversed in part, and restored.

import { describe, expect, it } from "vitest";
import { getStatement } from "../../../../src/domains/accounts/statement.operations";
import { decideApproval, requestApproval } from "../../../../src/domains/approvals/operations";
import { refundOverpayment } from "../../../../src/domains/repayments/corrections/refund.operations";
import { repayFromWallet } from "../../../../src/domains/repayments/recording/wallet.operations";
import { paymentReturns } from "../../../../src/domains/repayments/returns/table";
import { localDate } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { givenLoan, pay, trips } from "../../../support/credit";
import { bookOf, givenCurrentAccount } from "../../../support/current-accounts";
import { CONNECTED } from "../../../support/daraja";
import { db, givenMember, operatorToken } from "../../../support/factories";
import { expectOneSum, expectStoredEqualsReplay } from "../../../support/ledgers";
import { beforeCommit } from "../../../support/loans";
import { givenOther, listed, move, restore, reverse, shown, standing, told, value } from "../../../support/put-right";
import { givenReturning } from "../../../support/returns";

describe("a payment that is reversed in part", () => {
	it("counts for the rest, as if no more had been paid, and readers see what remains", async () => {
		const [loan, same] = [await givenLoan(30_000), await givenLoan(30_000)];
		const at = Date.now();
		const { transaction } = expectOk(await pay(loan, 9_000, "SG1", at));
		await pay(same, 6_000, "SG2", at);
		const answer = await reverse(transaction.id, 3_000);
		expect(trips(answer)).toBe(2);
		const reversal = expectOk(answer);
		expect(reversal).toMatchObject({ kind: "REVERSAL", amount: value(3_000), reverses_transaction_id: transaction.id });
		expect(await standing(loan)).toEqual(await standing(same));
		expect(await shown(transaction.id)).toMatchObject({
			...{ status: "POSTED", amount: value(9_000), remaining_amount: value(6_000), reversed_by: reversal.id },
		});
		expect(await listed(loan)).toEqual([
			{ kind: "REVERSAL", status: "POSTED", amount: 3_000, remaining: 3_000, reversed_by: null, reverses: transaction.id },
			{ kind: "REPAYMENT", status: "POSTED", amount: 9_000, remaining: 6_000, reversed_by: reversal.id, reverses: null },
		]);
		expect((await told(loan, "repayment.reversed")).map(({ data }) => data)).toMatchObject([
			{ transaction_id: reversal.id, original_transaction_id: transaction.id, amount: 3_000, remaining_amount: 6_000 },
		]);
		const query = { from: localDate(at), to: localDate(Date.now()) };
		const { entries } = expectOk(await call(getStatement, { as: loan.borrower.token, path: loan, query })) as {
			entries: readonly { rule: string; amount: number; running_balance: number }[];
		};
		expect(entries.filter(({ rule }) => rule === "PAID" || rule === "REVERSED").map(({ rule, amount }) => [rule, amount])).toEqual([
			["PAID", -6_000],
			["REVERSED", 0],
		]);
		await expectStoredEqualsReplay();
	});

	it("is reversed again up to what is left, and then by nothing", async () => {
		const loan = await givenLoan(30_000);
		const before = await standing(loan);
		const { id } = expectOk(await pay(loan, 9_000)).transaction;
		expectOk(await reverse(id, 3_000));
		expect(await reverse(id, 6_001)).toMatchObject({ status: 400 });
		const last = expectOk(await reverse(id));
		expect(last.amount).toEqual(value(6_000));
		expect(await standing(loan)).toEqual(before);
		expect(await shown(id)).toMatchObject({ status: "REVERSED", remaining_amount: value(0), reversed_by: last.id });
		expect(await reverse(id, 1)).toMatchObject({ status: 409 });
		expect(await reverse(id)).toMatchObject({ status: 409 });
		await expectStoredEqualsReplay();
	});

	it("loses no more than there is when ten parts are reversed at once", { tags: ["thorough"] }, async () => {
		const loan = await givenLoan(30_000);
		const { id } = expectOk(await pay(loan, 9_000)).transaction;
		const answers = await Promise.all(Array.from({ length: 10 }, () => reverse(id, 2_000)));
		const made = answers.filter(({ status }) => status === 201).length;
		expect(made).toBeGreaterThan(0);
		expect(made).toBeLessThanOrEqual(4);
		expect(await shown(id)).toMatchObject({ remaining_amount: value(9_000 - 2_000 * made) });
		expect(await expectOneSum(loan)).toBe(21_000 + 2_000 * made);
		await expectStoredEqualsReplay();
	});
});

describe("a reversal that is undone", () => {
	it("leaves the account as if the payment had never been reversed, and raises both events", async () => {
		const loan = await givenLoan(30_000);
		const { id } = expectOk(await pay(loan, 9_000)).transaction;
		const before = await standing(loan);
		const reversal = expectOk(await reverse(id));
		expect(await shown(id)).toMatchObject({ status: "REVERSED", reversed_by: reversal.id });
		const answer = await restore(id, reversal.id);
		expect(trips(answer)).toBe(2);
		const restoration = expectOk(answer);
		expect(restoration).toMatchObject({ kind: "REVERSAL", amount: value(9_000), reverses_transaction_id: reversal.id });
		expect(await standing(loan)).toEqual(before);
		expect(await shown(id)).toMatchObject({ status: "POSTED", remaining_amount: value(9_000), reversed_by: null });
		expect((await listed(loan)).map(({ kind, status, reversed_by }) => [kind, status, reversed_by])).toEqual([
			["REVERSAL", "POSTED", null],
			["REVERSAL", "REVERSED", restoration.id],
			["REPAYMENT", "POSTED", null],
		]);
		expect((await told(loan, "repayment.restored")).map(({ data }) => data)).toMatchObject([
			{ transaction_id: restoration.id, original_transaction_id: id, reversal_transaction_id: reversal.id, remaining_amount: 9_000 },
		]);
		await expectStoredEqualsReplay();
		// A payment that counts again can be reversed again, under a number of its own.
		const again = expectOk(await reverse(id));
		expect(await shown(id)).toMatchObject({ status: "REVERSED", reversed_by: again.id });
		await expectStoredEqualsReplay();
	});

	it("is undone once, even when twenty ask at once, and only if it is one of the payment", { tags: ["thorough"] }, async () => {
		const loan = await givenLoan(30_000);
		const { id } = expectOk(await pay(loan, 9_000)).transaction;
		const reversal = expectOk(await reverse(id));
		const other = expectOk(await pay(loan, 100)).transaction;
		expect(await restore(other.id, reversal.id)).toMatchObject({ status: 400 });
		expect(await restore(crypto.randomUUID(), reversal.id)).toMatchObject({ status: 404 });
		const answers = await Promise.all(Array.from({ length: 20 }, () => restore(id, reversal.id)));
		expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
		expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
		expect(await expectOneSum(loan)).toBe(20_900);
		await expectStoredEqualsReplay();
	});

	it("of a part leaves the other parts reversed, in either order of undoing", async () => {
		const loan = await givenLoan(30_000);
		const { id } = expectOk(await pay(loan, 9_000)).transaction;
		const [first, second] = [expectOk(await reverse(id, 2_000)), expectOk(await reverse(id))];
		expectOk(await restore(id, first.id));
		expect(await shown(id)).toMatchObject({ status: "POSTED", remaining_amount: value(2_000), reversed_by: second.id });
		expect(await expectOneSum(loan)).toBe(28_000);
		await expectStoredEqualsReplay();
		expectOk(await restore(id, second.id));
		expect(await shown(id)).toMatchObject({ remaining_amount: value(9_000), reversed_by: null });
		expect(await expectOneSum(loan)).toBe(21_000);
		await expectStoredEqualsReplay();
	});

	it("fills a refund again that had lost its cover", async () => {
		const loan = await givenLoan(30_000);
		const { id } = expectOk(await pay(loan, 30_500)).transaction;
		expectOk(await call(refundOverpayment, { as: await operatorToken(), path: loan }));
		const before = await standing(loan);
		const reversal = expectOk(await reverse(id));
		expect((await standing(loan)).balance.breakdown.refund_uncovered).toBe(500);
		expectOk(await restore(id, reversal.id));
		expect(await standing(loan)).toEqual(before);
		await expectStoredEqualsReplay();
	});
});

describe("what went back", () => {
	it("to the payer is not restored while it may be with them, and is once its return is given up", async () => {
		const { pay: payByPhone, reverse: reverseBy, account, giveUp, read } = await givenReturning();
		const { id } = await payByPhone();
		const { total_outstanding } = (await account()).balance;
		// The money of a payment is returned whole only.
		expect(await reverse(id, 1_000, { return_money: true }, CONNECTED)).toMatchObject({ status: 409 });
		const reversal = expectOk(await reverseBy(id, CONNECTED));
		expect(await restore(id, reversal.id)).toMatchObject({ status: 409 });
		expectOk(await giveUp(id));
		const paidBack = beforeCommit(() => db.update(paymentReturns).set({ status: "RETURNED" }));
		expect(await restore(id, reversal.id, paidBack)).toMatchObject({ status: 409 });
		await db.update(paymentReturns).set({ status: "GIVEN_UP" });
		expectOk(await restore(id, reversal.id));
		expect((await account()).balance.total_outstanding).toBe(total_outstanding);
		expect(await read(id)).toMatchObject({ status: "GIVEN_UP" });
		// It was ordered to go back before.
		expect(await reverseBy(id, CONNECTED)).toMatchObject({ status: 409 });
		expectOk(await reverse(id));
		await expectStoredEqualsReplay();
	});

	it("to a current account, whole or in part, is not restored, and what came from one is not moved", async () => {
		const loan = await givenLoan(30_000);
		const wallet = await givenCurrentAccount({ user: loan.borrower, balance: 50_000 });
		const body = { amount: 10_000, channel: "WALLET" as const };
		const { id } = expectOk(await call(repayFromWallet, { as: loan.borrower.token, path: loan, body })).transaction;
		expect(await move(id, (await givenOther(loan)).accountId)).toMatchObject({ status: 409 });
		const part = expectOk(await reverse(id, 4_000));
		expect((await bookOf(wallet.id)).balance).toBe(44_000);
		expect(await restore(id, part.id)).toMatchObject({ status: 409 });
		expectOk(await reverse(id));
		expect([(await bookOf(wallet.id)).balance, await expectOneSum(loan)]).toEqual([50_000, 30_000]);
		await expectStoredEqualsReplay();
	});
});

describe("members", () => {
	it("put a payment right by approvals that another person decides", async () => {
		const wrong = await givenLoan(30_000);
		const right = await givenOther(wrong);
		const { id } = expectOk(await pay(wrong, 9_000)).transaction;
		const asker = await givenMember(wrong.organization.id, "organization-owner");
		const decider = await givenMember(wrong.organization.id, "organization-owner");
		const headers = { "x-organization-id": wrong.organization.slug };
		const approve = async (approval_type: "REPAYMENT_REVERSAL" | "REPAYMENT_RESTORATION" | "REPAYMENT_MOVE", payload: object) => {
			const body = { approval_type, entity_type: "TRANSACTION" as const, entity_id: id, payload: payload as { [key: string]: unknown } };
			const asked = await call(requestApproval, { as: asker.token, headers, body });
			if (!asked.ok) return asked.status;
			const path = { id: expectOk(asked).id };
			return (await call(decideApproval, { as: decider.token, headers, path, body: { decision: "APPROVED" } })).status;
		};
		expect(await approve("REPAYMENT_REVERSAL", { amount: 4_000 })).toBe(200);
		const { reversed_by } = await shown(id);
		expect(await approve("REPAYMENT_MOVE", { account_id: right.accountId })).toBe(409);
		expect(await approve("REPAYMENT_RESTORATION", { reversal_id: reversed_by })).toBe(200);
		expect(await approve("REPAYMENT_MOVE", { account_id: right.accountId })).toBe(200);
		expect([await expectOneSum(wrong), await expectOneSum(right)]).toEqual([30_000, 21_000]);
	});
});
