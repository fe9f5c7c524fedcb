// Payments that were booked on a wrong account are moved to the right one.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { accountTransactions } from "../../../../src/domains/credit-accounts/table";
import { journalEntries } from "../../../../src/domains/ledger/model/table";
import { reverseTransaction } from "../../../../src/domains/repayments/corrections/operations";
import { getRepayment, listRepayments } from "../../../../src/domains/repayments/operations";
import { recordRepayment } from "../../../../src/domains/repayments/recording/operations";
import { payments } from "../../../../src/domains/repayments/table";
import { DAY_MS } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import { givenLoan, pay, paymentTo, trips } from "../../../support/credit";
import { db, givenMember, operatorToken } from "../../../support/factories";
import { expectOneSum, expectStoredEqualsReplay } from "../../../support/ledgers";
import { givenOther, listed, move, reason, restore, reverse, shown, standing, told, value } from "../../../support/put-right";

describe("a payment that is moved", () => {
	it("counts on the other account as if it had been paid there, and never on the first", async () => {
		const wrong = await givenLoan(30_000);
		const [right, untouched, unpaid] = [await givenOther(wrong), await givenOther(wrong), await givenOther(wrong)];
		const paidAt = Date.now();
		const { transaction } = expectOk(await pay(wrong, 9_000, "SG632NMUAC", paidAt));
		await pay({ ...untouched, key: wrong.key }, 9_000, "SG632NMUAD", paidAt);
		await moveClock(3 * DAY_MS);
		const answer = await move(transaction.id, right.accountId);
		expect(trips(answer)).toBe(2);
		const moved = expectOk(answer);
		expect(moved.transaction).toMatchObject({
			...{ status: "POSTED", mobile_money_transaction_id: "SG632NMUAC", amount: value(9_000), remaining_amount: value(9_000) },
			...{ transacted_at: transaction.transacted_at, details: transaction.details, reversed_by: null },
		});
		expect(moved.transaction.id).not.toBe(transaction.id);
		expect(moved.installments.reduce((sum, { allocated_amount }) => sum + allocated_amount, 0)).toBe(9_000);
		expect(await standing(wrong)).toEqual(await standing(unpaid));
		expect(await standing(right)).toEqual(await standing(untouched));
		const [taken] = await db
			.select()
			.from(accountTransactions)
			.then((rows) => rows.filter(({ kind }) => kind === "REVERSAL"));
		expect(await listed(wrong)).toMatchObject([
			{ kind: "REVERSAL", reverses: transaction.id },
			{ kind: "REPAYMENT", status: "REVERSED", remaining: 0, reversed_by: taken?.id },
		]);
		expect(await listed(right)).toMatchObject([{ kind: "REPAYMENT", status: "POSTED", remaining: 9_000 }]);
		expect((await told(wrong, "repayment.moved")).map(({ data }) => data)).toMatchObject([
			{
				...{ transaction_id: moved.transaction.id, account_id: right.accountId, from_account_id: wrong.accountId, amount: 9_000 },
				...{ original_transaction_id: transaction.id, reversal_transaction_id: taken?.id },
			},
		]);
		await expectStoredEqualsReplay();
	});

	it("is one payment: found by its former id and its receipt, listed once, and known when it is reported again", async () => {
		const wrong = await givenLoan(30_000);
		const right = await givenOther(wrong);
		const body = paymentTo(wrong.accountId, 9_000, "SG632NMUAC");
		const { id } = expectOk(await call(recordRepayment, { as: wrong.key, body })).transaction;
		const moved = expectOk(await move(id, right.accountId)).transaction;
		const { token } = await givenMember(wrong.organization.id, "organization-owner");
		const by = { as: token, headers: { "x-organization-id": wrong.organization.slug } };
		for (const reference of [id, moved.id, "SG632NMUAC"]) {
			expect(expectOk(await call(getRepayment, { ...by, path: { id: reference } })).transaction).toEqual(moved);
		}
		for (const query of [{}, { status: "POSTED" as const }]) {
			expect(expectOk(await call(listRepayments, { ...by, query })).data).toEqual([{ ...moved, account_id: right.accountId }]);
		}
		expect(expectOk(await call(listRepayments, { ...by, query: { status: "REVERSED" } })).data).toEqual([]);
		const again = await call(recordRepayment, { as: wrong.key, body });
		expect([again.status, expectOk(again).transaction]).toEqual([200, moved]);
		expect(await expectOneSum(right)).toBe(21_000);
	});

	it("stays in the journal's cash, also if another program had recorded it", async () => {
		const wrong = await givenLoan(30_000);
		const right = await givenOther(wrong);
		const { transaction } = expectOk(await pay(wrong, 9_000, "SG632NMUAC", Date.now()));
		await db.update(payments).set({ fingerprint: "imported" }).where(eq(payments.id, transaction.id));
		expectOk(await move(transaction.id, right.accountId));
		const cash = (await db.select().from(journalEntries)).filter(({ source }) => source === "RECEIPT").map(({ lines }) => lines[0]?.[1]);
		expect(cash).toEqual([9_000, -9_000, 9_000]);
	});

	it("counts with another amount, on its own account or on the other, once what was paid is known", async () => {
		const loan = await givenLoan(30_000);
		const [other, untouched, unpaid] = [await givenOther(loan), await givenOther(loan), await givenOther(loan)];
		const paidAt = Date.now();
		const { transaction } = expectOk(await pay(loan, 9_000, "SG632NMUAC", paidAt));
		await pay({ ...untouched, key: loan.key }, 9_500, "SG632NMUAD", paidAt);
		await moveClock(3 * DAY_MS);
		expect(await move(transaction.id, loan.accountId, 9_000)).toMatchObject({ status: 409 });
		const answer = await move(transaction.id, loan.accountId, 9_500);
		expect(trips(answer)).toBe(2);
		const { id, ...corrected } = expectOk(answer).transaction;
		expect(corrected).toMatchObject({ status: "POSTED", amount: value(9_500), mobile_money_transaction_id: "SG632NMUAC" });
		expect(corrected.transacted_at).toBe(transaction.transacted_at);
		expect(await standing(loan)).toEqual(await standing(untouched));
		const moved = expectOk(await move(id, other.accountId, 9_400)).transaction;
		expect(await standing(loan)).toEqual(await standing(unpaid));
		expect((await standing(other)).balance.total_paid).toBe(9_400);
		expect((await told(loan, "repayment.moved")).map(({ data }) => [data.transaction_id, data.amount])).toEqual([
			[id, 9_500],
			[moved.id, 9_400],
		]);
		const received = (await db.select().from(journalEntries)).filter(({ source }) => source === "RECEIPT").flatMap(({ lines }) => lines);
		const cash = received.filter(([account]) => account === "1110" || account === "1140");
		expect(cash.reduce((sum, [, amount]) => sum + amount, 0)).toBe(9_400 + 9_500);
		await expectStoredEqualsReplay();
	});

	it("is moved once when ten ask at once, and can be moved on and back", async () => {
		const wrong = await givenLoan(30_000);
		const right = await givenOther(wrong);
		const { id } = expectOk(await pay(wrong, 9_000)).transaction;
		const answers = await Promise.all(Array.from({ length: 10 }, () => move(id, right.accountId)));
		expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
		expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
		const [moved] = answers.flatMap((answer) => (answer.ok ? [expectOk(answer).transaction] : []));
		if (!moved) throw new Error("none of them has moved it");
		const third = await givenOther(wrong);
		const on = expectOk(await move(moved.id, third.accountId)).transaction;
		const back = expectOk(await move(on.id, wrong.accountId)).transaction;
		expect(await shown(id)).toEqual(back);
		expect([await expectOneSum(wrong), await expectOneSum(right), await expectOneSum(third)]).toEqual([21_000, 30_000, 30_000]);
		expect((await db.select().from(payments)).filter(({ status }) => status === "POSTED").map((row) => row.id)).toEqual([back.id]);
		await expectStoredEqualsReplay();
	});

	it("meets payments to the other account, and all of them count", async () => {
		const wrong = await givenLoan(30_000);
		const right = await givenOther(wrong);
		const { id } = expectOk(await pay(wrong, 5_000)).transaction;
		const answers = await Promise.all([
			...Array.from({ length: 6 }, () => pay({ ...right, key: wrong.key }, 1_000)),
			move(id, right.accountId),
			...Array.from({ length: 6 }, () => pay(wrong, 100)),
		]);
		for (const { status } of answers.filter((_, index) => index !== 6)) expect([201, 202]).toContain(status);
		if (answers[6]?.status !== 201) expectOk(await move(id, right.accountId));
		expect([await expectOneSum(wrong), await expectOneSum(right)]).toEqual([29_400, 19_000]);
		await expectStoredEqualsReplay();
	});

	it("stays where it is when the other account is no account of the same lender, or the payment has none of its money there", async () => {
		const wrong = await givenLoan(30_000);
		const [right, foreign] = [await givenOther(wrong), await givenLoan(30_000)];
		const { id } = expectOk(await pay(wrong, 9_000)).transaction;
		expect(await move(id, foreign.accountId)).toMatchObject({ status: 400 });
		expect(await move(id, crypto.randomUUID())).toMatchObject({ status: 400 });
		expect(await move(id, wrong.accountId)).toMatchObject({ status: 409 });
		expect(await move(crypto.randomUUID(), right.accountId)).toMatchObject({ status: 404 });
		const part = expectOk(await reverse(id, 1_000));
		expect(await move(id, right.accountId)).toMatchObject({ status: 409 });
		const rest = expectOk(await reverse(id));
		expect(await move(id, right.accountId)).toMatchObject({ status: 409 });
		for (const reversal of [rest, part]) expectOk(await restore(id, reversal.id));
		expectOk(await move(id, right.accountId));
		const [taken] = await db
			.select()
			.from(accountTransactions)
			.then((rows) => rows.filter(({ reason: why, kind }) => kind === "REVERSAL" && why === reason).slice(-1));
		// A moved payment counts elsewhere: neither its reversal nor it itself is undone here.
		expect(await restore(id, taken?.id ?? "")).toMatchObject({ status: 409 });
		const path = { accountId: wrong.accountId, transactionId: id };
		expect(await call(reverseTransaction, { as: await operatorToken(), path, body: { reason } })).toMatchObject({ status: 409 });
		expect([await expectOneSum(wrong), await expectOneSum(right)]).toEqual([30_000, 21_000]);
	});
});
