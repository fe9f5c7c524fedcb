// The portfolio's lists among a hundred thousand accounts, a hundred thousand transactions and forty products with four hundred days:
// each page reads in proportion to what it shows.
// @module-tag thorough

import { beforeEach, describe, expect, it } from "vitest";
import {
	listPortfolioAccounts,
	listPortfolioEntries,
	listPortfolios,
	listPortfolioTransactions,
} from "../../../src/domains/portfolio/operations";
import { type Answer, call, expectOk } from "../../support/client";
import { rowsRead, THREE_INSTALLMENTS } from "../../support/credit";
import { databaseOf } from "../../support/databases";
import { copiesIn, uuid } from "../../support/metering";
import { clock, close, dayRows, givenPortfolio, type Loan, payIn, waitDays } from "../../support/portfolios";
import { expectRows } from "../../support/rows";

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
	await copiesIn("portfolios", id, 39, { id: uuid("n"), loan_product_id: uuid("n") });
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
	// In addition to the organization's forty portfolios and the caller.
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

describe("what accounts were on earlier days", () => {
	/** Forty borrowers, each with so many transactions and installments. */
	async function givenLongBooks({ transactions, installments }: { transactions: number; installments: number }) {
		const {
			organization,
			key: as,
			loans,
		} = await givenPortfolio(1, {
			...THREE_INSTALLMENTS,
			tenure: { duration: installments, unit: "DAYS" },
			installment_every: { duration: 1, unit: "DAYS" },
			rate_schedule: THREE_INSTALLMENTS.rate_schedule.map((rate) => ({ ...rate, max_days: 400 })),
		});
		const { id } = organization;
		const [loan] = loans as [Loan];
		await payIn(loan, 1);
		await waitDays(1);
		await close();
		const own = `account_id = '${loan.accountId}'`;
		const paid = { id: uuid("n"), position: "n + 2", mobile_money_transaction_id: "null" };
		await copiesIn("account_transactions", id, transactions - 2, paid, `${own} and position = 2`);
		await databaseOf(id).prepare(`update credit_accounts set last_position = ${transactions} where id = ?`).bind(loan.accountId).run();
		const account = uuid("n", 1);
		await copiesIn("credit_accounts", id, 39, { id: account, account_number: "'crowd-' || n", user_id: uuid("n", 2) });
		await copiesIn("credit_cycles", id, 39, { id: uuid("n", 3), account_id: account, application_id: uuid("n", 4) }, own);
		const transaction = {
			id: uuid("n * 1000 + position", 5),
			account_id: account,
			cycle_id: `iif(cycle_id is null, null, ${uuid("n", 3)})`,
		};
		await copiesIn("account_transactions", id, 39, transaction, own);
		await copiesIn("loan_positions", id, 39, { account_id: account }, own);
		return { as, on: (await dayRows(id)).at(-1)?.day ?? "" };
	}

	it.each([
		["read", { transactions: 300, installments: 3 }, { shown: 7, rows: 6_600 }],
		["computed", { transactions: 3, installments: 360 }, { shown: 28, rows: 1_200 }],
	])("is %s in portions, whose pages show each account once in both directions", { timeout: 120_000 }, async (_, books, most) => {
		const { as, on } = await givenLongBooks(books);
		type Page = { after?: string; before?: string };
		const accounts = (page: Page) => call(listPortfolioAccounts, { as, query: { on, known_at: on, size: "100", ...page } });
		const entries = (page: Page) => call(listPortfolioEntries, { as, query: { to: on, size: "100", ...page } });
		for (const list of [accounts, entries]) {
			const pageAt = async (page: Page) => {
				const answer: Answer<{ data: { account_id: string }[]; links: { next: string | null; prev: string | null } }> = await list(page);
				const { data, links } = expectOk(answer);
				expect(data.length).toBeLessThanOrEqual(most.shown);
				// Some two thousand transactions three times, and the accounts that are looked at.
				expectRows(rowsRead(answer)).atMost(most.rows);
				return { ids: data.map(({ account_id }) => account_id), ...links };
			};
			let page = await pageAt({});
			const shown = [...page.ids];
			while (page.next !== null) {
				page = await pageAt({ after: page.next });
				shown.push(...page.ids);
			}
			expect(shown).toEqual(shown.toSorted());
			expect(new Set(shown).size).toBe(40);
			const back = [...page.ids];
			while (page.prev !== null) {
				page = await pageAt({ before: page.prev });
				back.unshift(...page.ids);
			}
			expect(back).toEqual(shown);
		}
	});
});
