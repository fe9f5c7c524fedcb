// The portfolio's lists beside a hundred thousand accounts, a hundred thousand transactions and forty products with four hundred days:
// each page reads in proportion to what it shows.

import { beforeEach, expect, it } from "vitest";
import {
	listPortfolioAccounts,
	listPortfolioEntries,
	listPortfolios,
	listPortfolioTransactions,
} from "../../../../src/domains/credit-accounts/portfolio/operations";
import { type Answer, call, expectOk } from "../../../support/client";
import { rowsRead } from "../../../support/credit";
import { copiesIn, uuid } from "../../../support/metering";
import { clock, close, givenPortfolio, waitDays } from "../../../support/portfolios";
import { expectRows } from "../../../support/rows";

beforeEach(() => {
	clock.offsetMs = 0;
});

const ACCOUNTS = 100_000;
it("a list of accounts reads few rows more than a page shows", { timeout: 120_000 }, async () => {
	const { organization, key: as, productId } = await givenPortfolio(1);
	await waitDays(1);
	await close();
	const { id } = organization;
	const own = `organization_id = '${id}'`;
	const one = `loan_product_id = '${productId}'`;
	// Of every hundred accounts one is open, of these every other one is overdue.
	await copiesIn("loan_positions", id, ACCOUNTS, {
		account_id: uuid("n"),
		is_open: "n % 100 = 0",
		closed_on: "case when n % 100 = 0 then null else '2020-01-01' end",
		oldest_due: "case when n % 200 = 0 then date('2020-01-01', '+' || (n % 900) || ' days') end",
		changed_on: "case when n % 100 = 0 then changed_on else '2020-01-01' end",
		principal: "case when n % 100 = 0 then 100 else 0 end",
	});
	await copiesIn("credit_accounts", id, ACCOUNTS, { id: uuid("n"), account_number: "'crowd-' || n", user_id: uuid("n", 1) });
	await copiesIn("account_transactions", id, ACCOUNTS, { id: uuid("n"), position: "n + 1", posted_at: "n" }, `${own} and position = 1`);
	await copiesIn("portfolios", id, 39, { loan_product_id: uuid("n") });
	await copiesIn("portfolio_days", id, 400, { day: "date(day, '-' || n || ' days')" }, `${own} and ${one}`);
	await copiesIn("portfolio_days", id, 39, { loan_product_id: uuid("n") }, `${own} and ${one}`);
	const expectCheap = (answer: Answer<{ data: readonly unknown[] }>, rows: number, most: number): void => {
		expect(expectOk(answer).data).toHaveLength(rows);
		expectRows(rowsRead(answer)).atMost(most);
	};
	const product = { loan_product_id: productId };
	expectCheap(await call(listPortfolios, { as, query: product }), 1, 10);
	expectCheap(await call(listPortfolios, { as, query: { size: "20" } }), 20, 126);
	const days = { ...product, from: "2020-01-01", step: "DAY" as const, size: "100" };
	expectCheap(await call(listPortfolios, { as, query: days }), 100, 310);
	// Beside the organization's forty portfolios and the caller.
	expectCheap(await call(listPortfolioAccounts, { as, query: { past_due_over: "30" } }), 20, 110);
	expectCheap(await call(listPortfolioAccounts, { as, query: { ...product, past_due_over: "90", size: "500" } }), 500, 1_550);
	expectCheap(await call(listPortfolioTransactions, { as, query: { to: "2026-01-01" } }), 20, 100);
	// Ten of a thousand accounts that are looked at are open.
	const some = await call(listPortfolioAccounts, { as, query: {} });
	expectCheap(some, 10, 4_110);
	const next = expectOk(some).links.next ?? "";
	expectCheap(await call(listPortfolioAccounts, { as, query: { after: next } }), 10, 4_110);
	expectCheap(await call(listPortfolioEntries, { as, query: {} }), 0, 7_200);
});
