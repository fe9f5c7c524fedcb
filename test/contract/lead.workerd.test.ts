// In workerd, because only its SQLite counts the rows that a statement reads. What a lender's people look for all day among 3,000
// customers, or `CROWD_ROWS`, each with an overdue loan and a payment: every page and every search stays within its rows.

import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { listAccounts } from "../../src/domains/accounts/operations";
import { listCalls } from "../../src/domains/collections/calls.operations";
import { creditAccounts } from "../../src/domains/credit-accounts/table";
import { getPortfolioTrend, listPortfolioAccounts } from "../../src/domains/portfolio/operations";
import { listRepayments } from "../../src/domains/repayments/operations";
import { listUnmatchedPayments } from "../../src/domains/repayments/unmatched/operations";
import { search } from "../../src/domains/search/operations";
import { listUsers } from "../../src/domains/users/lender.operations";
import { users } from "../../src/domains/users/model/table";
import { getLenderAttention } from "../../src/domains/work/lender.operations";
import { OTHERS, PATIENCE_MS } from "../support/cheap-lists";
import { type Answer, call, expectOk } from "../support/client";
import { rowsRead } from "../support/credit";
import { db, givenMember } from "../support/factories";
import { printMeasured } from "../support/log";
import { copiesIn, givenCopies, uuid } from "../support/metering";
import { clock, close, givenPortfolio, type Loan, payIn, waitDays } from "../support/portfolios";

const SIZE = 20;
/** A loan's book is in many tables, each of which is asked for it. */
const BOOK = 30 * SIZE;
/** The counts of Home look at a thousand and one of a kind, and of overdue loans at their accounts too. */
const COUNTS = 7 * 1_001 + 100;

beforeEach(() => {
	clock.offsetMs = 0;
});

/** A lender whose customers are as many, and one of them, with all by which they are looked for. */
async function givenCrowd() {
	const { organization, productId, loans } = await givenPortfolio(1);
	const [loan] = loans as [Loan];
	const { id } = organization;
	await waitDays(45);
	await close();
	const payment = await payIn(loan, 100);
	const [account] = await db.select().from(creditAccounts).where(eq(creditAccounts.id, loan.accountId));
	await db.update(users).set({ foldedName: "zawadi achieng", foldedLastName: "achieng" }).where(eq(users.id, loan.borrower.id));
	const person = { folded_name: "'person ' || n", folded_last_name: "'family ' || n", created_at: "created_at + n" };
	await givenCopies("users", loan.borrower.id, OTHERS, {
		...{ tag: "'@crowd' || n", mobile_number: "null", email: "null" },
		...person,
		status: "iif(n % 5 = 0, 'WAITING_LIST', 'ACTIVE')",
	});
	const late = (column: string) => `date(${column}, '-' || (n % 90) || ' days')`;
	await copiesIn("credit_accounts", id, OTHERS, {
		...{ id: uuid("n"), account_number: "'crowd-' || n", user_id: uuid("n", 1), next_work_at: "null" },
		...{ created_at: "created_at + n", earliest_due: late("earliest_due"), principal_outstanding: "principal_outstanding + n" },
	});
	await copiesIn("loan_positions", id, OTHERS, { account_id: uuid("n"), oldest_due: late("oldest_due") });
	await givenCopies("payments", payment, OTHERS, {
		created_at: "created_at + n",
		status: "case n % 4 when 0 then 'POSTED' when 1 then 'CONFIRMED' when 2 then 'UNMATCHED' else 'FAILED' end",
		posted_at: "case n % 4 when 0 then 1 end",
		mobile_money_transaction_id: "'CROWD' || n",
	});
	return { id, productId, number: account?.accountNumber ?? "" };
}

it("what a lender's people look for is found in rows that do not grow with their customers", { timeout: PATIENCE_MS }, async () => {
	const { id, productId, number } = await givenCrowd();
	const { token } = await givenMember(id, "organization-lending-admin");
	const by = { as: token, headers: { "x-organization-id": id } };
	const within = <T>(name: string, answer: Answer<T>, most: number): T => {
		const body = expectOk(answer);
		printMeasured(() => `${name}: ${rowsRead(answer)} of at most ${most} rows`);
		expect.soft(rowsRead(answer), name).toBeLessThanOrEqual(most);
		return body;
	};
	const found = async (q: string) => within(`search ${q}`, await call(search, { ...by, query: { q } }), 40);
	expect((await found("achieng")).users).toHaveLength(1);
	expect((await found("family 1")).users).toHaveLength(5);
	expect((await found(number)).accounts).toHaveLength(1);
	expect((await found("CROWD4")).payments).toHaveLength(1);
	for (const q of ["0712999888", "@crowd7", "nobody@example.com", "INV-1"]) await found(q);

	for (const query of [{}, { status: "ACTIVE" }, { status: "WAITING_LIST" }] as const) {
		const page = within(`users ${JSON.stringify(query)}`, await call(listUsers, { ...by, query }), 3 * SIZE);
		expect(page.data).toHaveLength(SIZE);
	}
	within("users by number", await call(listUsers, { ...by, query: { q: number } }), 20);
	for (const query of [
		{},
		{ sort: "NEWEST" },
		{ sort: "DAYS_PAST_DUE" },
		{ sort: "OUTSTANDING" },
		{ past_due_over: 30 },
		{ past_due_over: 60, sort: "NEWEST" },
		{ loan_product_id: productId, sort: "OUTSTANDING" },
	] as const) {
		const answer = await call(listAccounts, { ...by, query: query as never });
		// By days and in another order, a page looks at a thousand.
		expect(
			within(`accounts ${JSON.stringify(query)}`, answer, "sort" in query && "past_due_over" in query ? 4_100 : BOOK).data,
		).toHaveLength(SIZE);
	}
	expect(within("positions", await call(listPortfolioAccounts, { ...by, query: { past_due_over: "30" } }), 110).data).toHaveLength(SIZE);
	expect(within("calls", await call(listCalls, { ...by, query: {} }), BOOK).data.length).toBeGreaterThan(0);
	for (const query of [{}, { status: "POSTED" }, { status: "FAILED" }] as const)
		expect(within(`payments ${JSON.stringify(query)}`, await call(listRepayments, { ...by, query }), 3 * SIZE).data).toHaveLength(SIZE);
	expect(within("payments without account", await call(listUnmatchedPayments, { ...by, query: {} }), 3 * SIZE).data).toHaveLength(SIZE);
	expect(within("home", await call(getLenderAttention, by), COUNTS).overdue).toMatchObject({ count: 1_000, more: true });
	expect(within("thirty days", await call(getPortfolioTrend, by), 2 * 31 + 20).data).toHaveLength(1);
});
