// The two time axes of reads: as of which day, and as it was known on which day. A reported payment stays as it was reported.

import { describe, expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { getStatement } from "../../../src/domains/accounts/statement.operations";
import { workOnAccounts } from "../../../src/domains/credit-accounts/job";
import { explainBalance, listInstallments } from "../../../src/domains/credit-accounts/operations";
import { addDays, DAY_MS, localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { expectCredit, givenLoan, pay, trips } from "../../support/credit";
import { givenCurrentAccount, givenCustomer } from "../../support/current-accounts";
import { runDueWork } from "../../support/loans";

type Loan = Awaited<ReturnType<typeof givenLoan>>;
type Times = { as_of?: string; known_at?: string };
const inDays = (count: number) => addDays(localDate(Date.now()), count);

/** What every read says for the same times. */
async function said(loan: Loan, query: Times) {
	const of = { as: loan.borrower.token, path: { accountId: loan.accountId } };
	const answer = await call(getAccount, { ...of, query });
	expect(trips(answer)).toBe(1);
	const { balance, status, paid_at } = expectCredit(answer);
	const explained = expectOk(await call(explainBalance, { ...of, query }));
	const installments = expectOk(await call(listInstallments, { ...of, query })).data;
	const day = explained.as_of;
	expect(day).toBe(query.as_of ?? query.known_at ?? day);
	const { known_at } = query;
	const statement = expectOk(await call(getStatement, { ...of, query: { from: day, to: day, ...(known_at && { known_at }) } }));
	expect(explained.total_outstanding).toBe(balance.total_outstanding);
	expect(statement.closing_balance).toBe(balance.total_outstanding);
	return { owed: balance.total_outstanding, status, paid_at, states: installments.map((row) => row.status) };
}

describe("reads of the past", () => {
	it("show a day with what is known now, and with what was known then", async () => {
		const loan = await givenLoan(30_000);
		await moveClock(40 * DAY_MS);
		await runDueWork(workOnAccounts);
		const reported = await said(loan, {});
		expect(reported).toMatchObject({ status: "IN_ARREARS", paid_at: null, states: ["OVERDUE", "UPCOMING", "UPCOMING"] });

		// A payment of day 20 is reported on day 50.
		await moveClock(10 * DAY_MS);
		expectOk(await pay(loan, 20_000, "late", Date.now() + 20 * DAY_MS));
		const day = inDays(40);
		expect(await said(loan, { as_of: day, known_at: day })).toEqual(reported);
		expect(await said(loan, { known_at: day })).toEqual(reported);
		expect((await said(loan, { as_of: day })).states).toEqual(["SETTLED", "UPCOMING", "UPCOMING"]);
		expect((await said(loan, { known_at: inDays(0), as_of: day })).owed).toBeGreaterThanOrEqual(30_000);
		expect(await said(loan, { as_of: inDays(-1) })).toMatchObject({ owed: 0, states: [] });
	});

	it("refuse days to come, and current accounts", async () => {
		const loan = await givenLoan(30_000);
		const of = { as: loan.borrower.token, path: { accountId: loan.accountId } };
		for (const query of [{ as_of: inDays(3) }, { known_at: inDays(3) }, { known_at: "2025-02-30" }] as const) {
			expect((await call(getAccount, { ...of, query })).status).toBe(400);
			expect((await call(explainBalance, { ...of, query })).status).toBe(400);
			expect((await call(listInstallments, { ...of, query })).status).toBe(400);
		}
		expect((await call(getStatement, { ...of, query: { known_at: inDays(3) } })).status).toBe(400);
		const user = await givenCustomer();
		const ofWallet = { as: user.token, path: { accountId: (await givenCurrentAccount({ user })).id }, query: { known_at: inDays(0) } };
		expect((await call(getAccount, ofWallet)).status).toBe(400);
		expect((await call(getStatement, ofWallet)).status).toBe(400);
	});
});
