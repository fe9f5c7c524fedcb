// The installments of an account add up to what is owed, also where nothing is posted to one of them yet.

import { describe, expect, it } from "vitest";
import { explainBalance, listInstallments } from "../../../src/domains/credit-accounts/operations";
import { waive } from "../../../src/domains/repayments/corrections/operations";
import { DAY_MS, localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { givenLoan, pay, THREE_INSTALLMENTS } from "../../support/credit";
import { operatorToken } from "../../support/factories";
import { expectOneSum } from "../../support/ledgers";
import { LOAN_PRODUCT } from "../../support/loans";

const PENALTIES = {
	...THREE_INSTALLMENTS,
	penalty_terms: { ...LOAN_PRODUCT.penalty_terms, trigger: "AFTER_LOAN_END" as const, grace_period_days: 0 },
};
type Loan = Awaited<ReturnType<typeof givenLoan>>;

/** The rows, and whether they add up to what the balance is explained by, on these days. */
async function rowsOn(loan: Loan, query: { as_of?: string; known_at?: string } = {}) {
	const as = loan.borrower.token;
	const { data } = expectOk(await call(listInstallments, { as, path: loan, query }));
	const { scheduled_total, lines } = expectOk(await call(explainBalance, { as, path: loan, query }));
	const uncovered = lines.reduce((sum, { component, amount }) => (component === "REFUND_UNCOVERED" ? sum + amount : sum), 0);
	expect(data.reduce((sum, { outstanding }) => sum + outstanding, uncovered)).toBe(scheduled_total);
	return data;
}

describe("the installments of an account", () => {
	it("add up when penalties after the loan's end are charged that nobody has posted yet", async () => {
		const loan = await givenLoan(30_000, PENALTIES);
		const rows = await rowsOn(loan);
		const last = rows.at(-1);
		// All that it owes today: the last installment is settled ahead.
		const body = { installment_id: last?.id ?? "", amount: 7_968, reason: "goodwill" };
		expectOk(await call(waive, { as: await operatorToken(), path: loan, body }));
		await moveClock(95 * DAY_MS);
		const overdue = await rowsOn(loan);
		expect(overdue.filter(({ id }) => id === null)).toMatchObject([
			{ position: 4, principal: 0, penalty: expect.toSatisfy((amount) => amount > 0) },
		]);
		await expectOneSum(loan);
	});

	it("add up on a day after the one of which the facts are known", async () => {
		const loan = await givenLoan(30_000, PENALTIES);
		const start = Date.now();
		await moveClock(95 * DAY_MS);
		expectOk(await pay(loan, 40_000, "SG1", start + 20 * DAY_MS));
		const [known_at, as_of] = [localDate(start + 10 * DAY_MS), localDate(start + 95 * DAY_MS)];
		expect((await rowsOn(loan, { as_of, known_at })).filter(({ id }) => id === null)).toMatchObject([{ position: 4 }]);
		for (const query of [{}, { as_of }, { known_at }, { as_of: known_at, known_at: as_of }]) await rowsOn(loan, query);
	});
});
