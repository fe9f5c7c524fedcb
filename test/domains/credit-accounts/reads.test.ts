// Pages of computed rows, what reads cost, and how many rows a posting writes, with few installments and with very many.

import { describe, expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { getStatement } from "../../../src/domains/accounts/statement.operations";
import { creditAccountPenaltyCorrected, creditAccountPenaltyWaived } from "../../../src/domains/credit-accounts/events";
import { workOnAccounts } from "../../../src/domains/credit-accounts/job";
import { explainBalance, getPayoff, listInstallments } from "../../../src/domains/credit-accounts/operations";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { draw } from "../../../src/domains/loans/draws.operations";
import { reverseRepayment, waive } from "../../../src/domains/repayments/corrections/operations";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { givenLoan, pay, rowsWritten, THREE_INSTALLMENTS, trips } from "../../support/credit";
import { givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { expectOneSum, expectStoredEqualsReplay } from "../../support/ledgers";
import { eventsOf, givenLoanProduct, givenOffer, LOAN_PRODUCT, runDueWork } from "../../support/loans";
import { expectRows } from "../../support/rows";

const PENALTIES = {
	...THREE_INSTALLMENTS,
	penalty_terms: { ...LOAN_PRODUCT.penalty_terms, trigger: "AFTER_INSTALLMENT_DUE" as const, grace_period_days: 0 },
};
/** One installment a day. */
const MANY = {
	max_loan_amount: 5_000_000,
	base_limit: 5_000_000,
	tenure: { duration: 1_200, unit: "DAYS" as const },
	installment_every: { duration: 1, unit: "DAYS" as const },
	rate_schedule: [{ min_days: 1, max_days: 1_200, interest_rate: { basis_points: 500, period_value: 30, period_unit: "DAYS" as const } }],
};

type Loan = Awaited<ReturnType<typeof givenLoan>>;
type Query = { size?: string; after?: string; before?: string };

describe("the pages of the installments", () => {
	const list = async ({ borrower, accountId }: Loan, query: Query) =>
		expectOk(await call(listInstallments, { as: borrower.token, path: { accountId }, query }));

	it("continue where they ended when penalties were charged meanwhile", async () => {
		const loan = await givenLoan(30_000, PENALTIES);
		const first = await list(loan, { size: "2" });
		expect(first.data.map(({ position }) => position)).toEqual([1, 2]);
		// Meanwhile all three installments fall due and get penalties.
		await moveClock(100 * DAY_MS);
		await runDueWork(workOnAccounts);
		const second = await list(loan, { size: "2", after: first.links.next ?? "" });
		expect(second.data.map(({ position }) => position)).toEqual([3]);
		expect(second.links.next).toBeNull();
		const back = await list(loan, { size: "1", before: second.links.prev ?? "" });
		expect(back.data.map(({ position }) => position)).toEqual([2]);
	});

	it("are ordered by cycle and position", async () => {
		const loan = await givenLoan(30_000);
		expectOk(await pay(loan, 30_000));
		expectOk(await call(draw, { as: loan.borrower.token, path: loan, body: { amount: 10_000 } }));
		const pages = [await list(loan, { size: "2" })];
		for (let next = pages[0]?.links.next; next; next = pages.at(-1)?.links.next) pages.push(await list(loan, { size: "2", after: next }));
		expect(pages.map(({ data }) => data.map(({ position }) => position))).toEqual([
			[1, 2],
			[3, 1],
			[2, 3],
		]);
	});
});

describe("the statement", () => {
	it("is read in one round trip, and continues where it ended when an earlier payment is posted meanwhile", async () => {
		const loan = await givenLoan(30_000);
		const started = Date.now();
		for (let day = 1; day <= 5; day++) {
			await moveClock(DAY_MS);
			expectOk(await pay(loan, 1_000, `day ${day}`, started + day * DAY_MS));
		}
		const read = (query: Query) => call(getStatement, { as: loan.borrower.token, path: loan, query });
		const answer = await read({ size: "4" });
		expect(trips(answer)).toBe(1);
		const first = expectOk(answer);
		expectOk(await pay(loan, 500, "backdated", started));
		const seen = new Set(first.entries.map(({ transaction_id }) => transaction_id));
		const rest = [];
		for (let next = first.links.next; next; ) {
			const page = expectOk(await read({ size: "4", after: next }));
			rest.push(...page.entries);
			next = page.links.next;
		}
		const days = [...first.entries, ...rest].map(({ date }) => date);
		expect(days).toEqual([...days].sort());
		const late = rest.flatMap(({ transaction_id }) => (transaction_id === null || seen.has(transaction_id) ? [] : [transaction_id]));
		expect(new Set(late).size).toBe(late.length > 0 ? 5 - (seen.size - (seen.has(null) ? 2 : 1)) : 0);
		const whole = expectOk(await read({ size: "100" }));
		expect(whole.entries.at(-1)?.running_balance).toBe(whole.closing_balance);
		expect(whole.entries.reduce((sum, { amount }) => sum + amount, whole.opening_balance)).toBe(whole.closing_balance);
		expect(whole.closing_balance).toBe(await expectOneSum(loan));
	});
});

describe("the cost", () => {
	it("of a payment that settles an installment is at most 41 rows, with 3 installments and with 1,200", {
		tags: ["thorough"],
	}, async () => {
		const few = await givenLoan(30_000);
		const many = await givenLoan(1_200_000, MANY);
		for (const loan of [few, many]) {
			const [first] = expectOk(await call(listInstallments, { as: loan.borrower.token, path: loan, query: {} })).data;
			const answer = await pay(loan, first?.outstanding ?? 0);
			expect([answer.status, trips(answer), expectOk(answer).installments.map(({ effect }) => effect)]).toEqual([
				201,
				2,
				["OBLIGATION_SETTLED"],
			]);
			// One of them is in the list of loans by the day on which they are due.
			expectRows(rowsWritten(answer)).atMost(41);
		}
		for (const op of [getAccount, getPayoff, explainBalance, listInstallments, getStatement]) {
			const answer = await call(op as typeof getPayoff, { as: many.borrower.token, path: many, query: {} });
			expect([op.id, answer.status, trips(answer)]).toEqual([op.id, 200, 1]);
		}
		await expectStoredEqualsReplay();
	});

	it("of a payout is at most three rows for each installment, and the same for everything else with 3 as with 1,200", {
		tags: ["thorough"],
	}, async () => {
		const written = async (product: object) => {
			const { id: organizationId } = await givenOrganization();
			const borrower = await givenUser({ organizationId });
			await givenLoanProduct({ ...product, organization_id: organizationId });
			const offer = await givenOffer(borrower.token);
			const path = { application_id: offer.id };
			const answer = await call(applyForLoan, { as: borrower.token, path, body: { loan_amount: 30_000 } });
			expect(answer.status).toBe(200);
			return rowsWritten(answer);
		};
		const few = await written(THREE_INSTALLMENTS);
		const many = await written(MANY);
		expectRows(few).atMost(3 * 3 + 40);
		expectRows(many - few).atMost(3 * (1_200 - 3));
	});
});

describe("penalties that change afterwards", () => {
	it("raise an event for each correction and for each waiver", async () => {
		const loan = await givenLoan(30_000, PENALTIES);
		const started = Date.now();
		await moveClock(40 * DAY_MS);
		await runDueWork(workOnAccounts);
		const before = await eventsOf(loan.organization.id);
		const applied = before.filter(({ type }) => type === "credit_account.penalty_applied");
		expect(applied.length).toBeGreaterThan(0);

		// The backdated payment was in time: the penalties are corrected to zero.
		const { transaction } = expectOk(await pay(loan, 12_000, "in time", started + 10 * DAY_MS));
		const corrected = (await eventsOf(loan.organization.id)).filter(({ type }) => type === creditAccountPenaltyCorrected.type);
		expect(corrected.map(({ data }) => [data.penalty_number, data.amount, data.difference])).toEqual(
			applied.map(({ data }) => [data.penalty_number, 0, -Number(data.amount)]),
		);
		await expectStoredEqualsReplay();

		const as = await operatorToken();
		expect((await call(reverseRepayment, { as, path: { id: transaction.id }, body: { reason: "somebody else's" } })).status).toBe(201);
		const again = (await eventsOf(loan.organization.id)).filter(({ type }) => type === creditAccountPenaltyCorrected.type);
		expect(again.slice(corrected.length).map(({ data }) => [data.amount, data.difference])).toEqual(
			applied.map(({ data }) => [data.amount, data.amount]),
		);
		const [first] = expectOk(await call(listInstallments, { as: loan.borrower.token, path: loan, query: {} })).data;
		const body = { installment_id: first?.id ?? "", amount: first?.penalty ?? 0, reason: "goodwill" };
		expectOk(await call(waive, { as, path: loan, body }));
		expect((await eventsOf(loan.organization.id)).at(-1)).toMatchObject({
			type: creditAccountPenaltyWaived.type,
			data: { installment_id: first?.id, amount: first?.penalty },
		});
		await expectStoredEqualsReplay();
		await expectOneSum(loan);
	});
});
