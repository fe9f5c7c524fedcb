// The figures of portfolios over HTTP, and that each is the sum of what the other operations list.
// @module-tag thorough

import { beforeEach, describe, expect, it } from "vitest";
import type * as z from "zod";
import { listInstallments } from "../../../src/domains/credit-accounts/operations";
import {
	listPortfolioAccounts,
	listPortfolioEntries,
	listPortfolios,
	listPortfolioTransactions,
} from "../../../src/domains/portfolio/operations";
import type { Period } from "../../../src/domains/portfolio/wire";
import { reverseRepayment, waive } from "../../../src/domains/repayments/corrections/operations";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { addDays, DAY_MS, localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { accessToken, givenApiKey, givenMember, givenOrganization, operatorToken } from "../../support/factories";
import { clock, close, expectFigures, givenPortfolio, type Loan, owedOn, payIn, waitDays } from "../../support/portfolios";
import { servePath } from "../../support/serve";

type Amounts = { [name: string]: number | Amounts };

beforeEach(() => {
	clock.offsetMs = 0;
});

const addUp = (all: readonly Amounts[]): Amounts =>
	all.reduce<Amounts>((sums, amounts) => {
		for (const [name, value] of Object.entries(amounts)) {
			const before = sums[name];
			sums[name] = typeof value === "number" ? Number(before ?? 0) + value : addUp([...(before ? [before as Amounts] : []), value]);
		}
		return sums;
	}, {});

const BALANCES = ["principal", "interest", "arrears", "penalty", "refund_uncovered", "overpaid"] as const;

/** All rows, page by page, and back again. */
async function pagesOf<Row>(
	list: (query: {
		size: string;
		after?: string;
		before?: string;
	}) => Promise<{ data: Row[]; links: { next: string | null; prev: string | null } }>,
	size: number,
): Promise<Row[]> {
	const all: Row[] = [];
	let page = await list({ size: String(size) });
	for (;;) {
		expect(page.data.length).toBeLessThanOrEqual(size);
		all.push(...page.data);
		if (page.links.next === null) break;
		const { data } = page;
		page = await list({ size: String(size), after: page.links.next });
		if (data.length > 0 && page.links.prev !== null)
			expect((await list({ size: String(size), before: page.links.prev })).data).toEqual(data);
	}
	return all;
}

/** Two months of five accounts: paid on time, late, ahead, reversed and waived. */
async function givenHistory() {
	const portfolio = await givenPortfolio(5);
	const [punctual, late, ahead, reversed, waived] = portfolio.loans as [Loan, Loan, Loan, Loan, Loan];
	const first = localDate(clock.now());
	await waitDays(20);
	await payIn(ahead, (await owedOn(ahead)) + 300);
	const bounced = await payIn(reversed, 2_000);
	await close(2);
	await waitDays(10);
	await payIn(punctual, 5_000);
	await close(2);
	await waitDays(15);
	await payIn(late, 100, 12);
	expectOk(await call(reverseRepayment, { as: await operatorToken(), path: { id: bounced }, body: { reason: "=bounced" } }));
	const [row] = expectOk(await call(listInstallments, { as: waived.borrower.token, path: waived, query: {} })).data;
	const body = { installment_id: row?.id ?? "", amount: 200, reason: "goodwill" };
	expectOk(await call(waive, { as: await operatorToken(), path: waived, body }));
	await waitDays(1);
	await close(2);
	return { ...portfolio, first, last: addDays(localDate(clock.now()), -1), late };
}

describe("the figures", () => {
	it("of each day are the sums of its accounts, and of each period those of its entries", async () => {
		const { key: as, first, last } = await givenHistory();
		const figures = async (query: { on?: string; from?: string } = {}) => expectOk(await call(listPortfolios, { as, query })).data[0];
		const accountsOn = (query: { on?: string; past_due_over?: "0" | "30" | "60" | "90" }, size = 2) =>
			pagesOf(async (page) => expectOk(await call(listPortfolioAccounts, { as, query: { ...query, ...page } })), size);
		expect(await figures()).toMatchObject({ as_of: last, from: `${last.slice(0, 8)}01` });
		for (const on of [undefined, last, addDays(last, -1), addDays(last, -16), addDays(first, 3)]) {
			const day = await figures({ ...(on && { on }) });
			if (!day) throw new Error(`no figures of ${on}`);
			const { accounts, ...balances } = day.balances;
			const rows = await accountsOn({ ...(on && { on }) });
			expect(rows).toHaveLength(accounts);
			for (const name of BALANCES) expect(rows.reduce((sum, row) => sum + row[name], 0)).toBe(balances[name]);
			for (const { over_days, ...past } of day.past_due) {
				const over = String(over_days) as "0";
				const due = await accountsOn({ ...(on && { on }), past_due_over: over });
				expect({ accounts: due.length, principal: due.reduce((sum, row) => sum + row.principal, 0) }).toEqual(past);
				expect(due.every(({ days_past_due }) => days_past_due > over_days)).toBe(true);
			}
		}
		for (const [from, to] of [
			[first, last],
			[addDays(first, 20), addDays(first, 20)],
			[addDays(first, 21), addDays(last, -2)],
			[last, last],
		] as const) {
			const entries = await pagesOf(async (page) => expectOk(await call(listPortfolioEntries, { as, query: { from, to, ...page } })), 2);
			const days = await pagesOf(
				async (page) => expectOk(await call(listPortfolios, { as, query: { from, on: to, step: "DAY", ...page } })),
				7,
			);
			const period = (await figures({ from, on: to }))?.period as z.output<typeof Period> & Amounts;
			expect(days.map(({ as_of }) => as_of)).toHaveLength(Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1);
			expect(addUp(days.map((day) => day.period as Amounts))).toEqual(period);
			if (entries.length > 0) expect(addUp(entries.map((entry) => entry.period as Amounts))).toEqual(period);
		}
	});

	it("of a closed day stay what they are while the next one is being closed", async () => {
		const { key: as } = await givenHistory();
		const [before] = expectOk(await call(listPortfolios, { as, query: {} })).data;
		await waitDays(1);
		let portions = 0;
		await close(2, {}, () => ++portions <= 2);
		expect(expectOk(await call(listPortfolios, { as, query: {} })).data).toEqual([before]);
		for (const past_due_over of [undefined, "0"] as const) {
			const { data } = expectOk(await call(listPortfolioAccounts, { as, query: { ...(past_due_over && { past_due_over }) } }));
			const principal = past_due_over ? before?.past_due[0]?.principal : before?.balances.principal;
			expect(data.reduce((sum, row) => sum + row.principal, 0)).toBe(principal);
		}
	});

	it("count an account past due from the day after a payment bounced that had been refunded", async () => {
		const portfolio = await givenPortfolio(1);
		const { key: as, loans } = portfolio;
		const [loan] = loans as [Loan];
		await payIn(loan, await owedOn(loan));
		const bounced = await payIn(loan, 300);
		expectOk(await call(refundOverpayment, { as: await operatorToken(), path: loan }));
		await waitDays(5);
		const due = localDate(clock.now());
		expectOk(await call(reverseRepayment, { as: await operatorToken(), path: { id: bounced }, body: { reason: "bounced" } }));
		await waitDays(3);
		await close(2);
		const on = async (day: string) => expectOk(await call(listPortfolioAccounts, { as, query: { on: day, past_due_over: "0" } })).data;
		expect(await on(due)).toEqual([]);
		const late = { account_id: loan.accountId, refund_uncovered: 300, overdue: 300, oldest_due_date: due };
		expect(await on(addDays(due, 1))).toMatchObject([{ ...late, days_past_due: 1 }]);
		expect(await on(addDays(due, 2))).toMatchObject([{ ...late, days_past_due: 2 }]);
		const { data } = expectOk(await call(listPortfolios, { as, query: {} }));
		expect(data).toMatchObject([{ balances: { refund_uncovered: 300 }, past_due: [{ over_days: 0, accounts: 1 }, {}, {}, {}] }]);
		await expectFigures(portfolio.organization.id, portfolio.productId);
	});

	it("are answered again by what became known later", async () => {
		const { key: as, late, last } = await givenHistory();
		const on = addDays(last, -10);
		const owedThen = async (known_at?: string) =>
			expectOk(await call(listPortfolioAccounts, { as, query: { on, ...(known_at && { known_at }) } })).data.find(
				({ account_id }) => account_id === late.accountId,
			);
		const [reported, known] = [await owedThen(), await owedThen(last)];
		expect(reported).toMatchObject({ as_of: on, known_at: on });
		expect(known).toMatchObject({ as_of: on, known_at: last });
		const sum = (row: typeof reported) => BALANCES.reduce((total, name) => total + (row?.[name] ?? 0), 0);
		expect(sum(reported) - sum(known)).toBe(100);
	});

	it("of days that are not closed are refused", async () => {
		const { key: as, last } = await givenHistory();
		const later = addDays(last, 1);
		for (const answer of [
			await call(listPortfolios, { as, query: { on: later } }),
			await call(listPortfolios, { as, query: { on: last, from: later } }),
			await call(listPortfolioAccounts, { as, query: { on: later } }),
			await call(listPortfolioAccounts, { as, query: { known_at: later } }),
			await call(listPortfolioEntries, { as, query: { to: later } }),
			await call(listPortfolioEntries, { as, query: { from: last, to: addDays(last, -1) } }),
			await call(listPortfolioTransactions, { as, query: { time_zone: "Nowhere/Town" } }),
		])
			expect(answer.status).toBe(400);
	});
});

describe("the transactions", () => {
	it("are all that was posted, in the order of posting, within the days that are asked for", async () => {
		const { key: as, first, loans } = await givenHistory();
		const list = (query: { from?: string; to?: string } = {}) =>
			pagesOf(async (page) => expectOk(await call(listPortfolioTransactions, { as, query: { ...query, ...page } })), 3);
		const all = await list();
		const kinds = (rows: typeof all) => rows.map(({ kind }) => kind).filter((kind) => !kind.startsWith("PENALTY"));
		expect(kinds(all)).toEqual([...Array(5).fill("DRAW"), "REPAYMENT", "REPAYMENT", "REPAYMENT", "REPAYMENT", "REVERSAL", "WAIVER"]);
		expect(all.map(({ posted_at }) => posted_at)).toEqual(all.map(({ posted_at }) => posted_at).toSorted());
		expect(new Set(all.map(({ account_id }) => account_id))).toEqual(new Set(loans.map(({ accountId }) => accountId)));
		// The accounts behind the figures are called by the same numbers, whether they are stored or computed.
		const numbers = new Map(all.map(({ account_id, account_number }) => [account_id, account_number]));
		const of = async (query: { on?: string; past_due_over?: "0" }) => expectOk(await call(listPortfolioAccounts, { as, query })).data;
		const entries = expectOk(await call(listPortfolioEntries, { as, query: { from: first } })).data;
		const behind = [await of({}), await of({ past_due_over: "0" }), await of({ on: addDays(first, 3) }), entries];
		for (const rows of behind) {
			expect(rows.length).toBeGreaterThan(0);
			for (const { account_id, account_number } of rows) expect(account_number).toBe(numbers.get(account_id));
		}
		expect(kinds(await list({ from: addDays(first, 1), to: addDays(first, 20) }))).toEqual(["REPAYMENT", "REPAYMENT"]);
		expect(await list({ to: addDays(first, -1) })).toEqual([]);
	});
});

describe("a table", () => {
	it("has the rows of the list, and its neighbours in the Link header", async () => {
		const { key } = await givenHistory();
		const get = (path: string, accept: string) => servePath(path, { headers: { "x-api-key": key, accept } });
		const csv = await get("/v1/portfolio/transactions?size=500", "text/csv");
		expect([csv.status, csv.headers.get("content-type"), csv.headers.get("vary")]).toEqual([200, "text/csv; charset=utf-8", "Accept"]);
		const lines = (await csv.text()).trimEnd().split("\r\n");
		const { data } = expectOk(await call(listPortfolioTransactions, { as: key, query: { size: "500" } }));
		expect(lines[0]).toBe(Object.keys(data[0] ?? {}).join(","));
		expect(lines).toHaveLength(data.length + 1);
		// What an operator wrote is no formula.
		expect(lines.filter((line) => line.includes("'=bounced"))).toHaveLength(1);
		const page = await get("/v1/portfolio/transactions?size=2", "application/x-ndjson");
		expect(page.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
		expect(
			(await page.text())
				.trimEnd()
				.split("\n")
				.map((line) => JSON.parse(line) as unknown),
		).toEqual(data.slice(0, 2));
		const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
		const second = await get(next.slice(new URL(next).origin.length), "application/x-ndjson");
		expect(JSON.parse((await second.text()).split("\n")[0] ?? "")).toEqual(data[2]);
		const tag = csv.headers.get("etag") ?? "";
		const again = await servePath("/v1/portfolio/transactions?size=500", {
			headers: { "x-api-key": key, accept: "text/csv", "if-none-match": tag },
		});
		expect(again.status).toBe(304);
		for (const list of ["", "/accounts", "/entries"]) {
			const table = await get(`/v1/portfolio${list}`, "text/csv");
			expect(table.status).toBe(200);
			expect((await table.text()).split("\r\n").length).toBeGreaterThan(2);
		}
	});
});

describe("a client that takes every type alike", () => {
	it("gets JSON of each list, as the clients that generators make ask for it", async () => {
		const { key } = await givenHistory();
		const accept = "application/json, text/csv, application/x-ndjson, application/problem+json";
		for (const list of ["", "/accounts", "/entries", "/transactions"])
			for (const header of [accept, accept.split(", ").toReversed().join(", ")]) {
				const answer = await servePath(`/v1/portfolio${list}`, { headers: { "x-api-key": key, accept: header } });
				expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
				expect(await answer.json()).toHaveProperty("data");
			}
	});
});

describe("who may read", () => {
	it("are keys with the scope, members who may read of loans, and operators who name the organization", async () => {
		const { organization, key } = await givenPortfolio(1);
		await waitDays(1);
		await close();
		const other = await givenOrganization();
		const viewer = await givenMember(organization.id, "organization-lending-viewer");
		const developer = await givenMember(organization.id, "organization-developer");
		const naming = { "x-organization-id": organization.id };
		const seen = async (as: string, headers: Record<string, string> = {}) => {
			const answers = [
				await call(listPortfolios, { as, headers, query: {} }),
				await call(listPortfolioAccounts, { as, headers, query: {} }),
				await call(listPortfolioEntries, { as, headers, query: {} }),
				await call(listPortfolioTransactions, { as, headers, query: {} }),
			];
			return answers.map((answer) => (answer.ok ? answer.body.data.length : answer.status));
		};
		expect(await seen(key)).toEqual([1, 1, 1, 1]);
		expect(await seen(await accessToken(viewer.id), naming)).toEqual([1, 1, 1, 1]);
		expect(await seen(await operatorToken(), naming)).toEqual([1, 1, 1, 1]);
		expect(await seen(await operatorToken(), { "x-organization-id": other.id })).toEqual([0, 0, 0, 0]);
		expect(await seen(await givenApiKey(other.id, ["portfolio:read"]))).toEqual([0, 0, 0, 0]);
		expect(await seen(await givenApiKey(organization.id, ["accounts:read"]))).toEqual([403, 403, 403, 403]);
		expect(await seen(await accessToken(developer.id), naming)).toEqual([403, 403, 403, 403]);
		expect(await seen(await operatorToken())).toEqual([403, 403, 403, 403]);
	});
});
