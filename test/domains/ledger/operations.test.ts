// The ledger over HTTP: its accounts, its lines in pages and as tables, and its trial balance.

import { beforeEach, describe, expect, it } from "vitest";
import { CHART_ACCOUNTS } from "../../../src/domains/ledger/model/chart.policy";
import { getTrialBalance, listLedgerAccounts, listLedgerEntries } from "../../../src/domains/ledger/operations";
import { call, expectOk } from "../../support/client";
import { givenApiKey, givenOrganization } from "../../support/factories";
import { closeJournal } from "../../support/journal";
import { clock, close, givenPortfolio, type Loan, payIn, waitDays } from "../../support/portfolios";
import { servePath } from "../../support/serve";

beforeEach(() => {
	clock.offsetMs = 0;
});

/** An organization whose two loans were paid out, of which one got a payment, and whose first day is closed. */
async function givenLedger() {
	const portfolio = await givenPortfolio(2);
	await payIn(portfolio.loans[0] as Loan, 500);
	await waitDays(2);
	await close();
	await closeJournal();
	return { ...portfolio, as: await givenApiKey(portfolio.organization.id, ["ledger:read"]) };
}

describe("the ledger", () => {
	it("has a chart, and a trial balance of each closed day whose debits are its credits", async () => {
		const { as, productId } = await givenLedger();
		const chart = expectOk(await call(listLedgerAccounts, { as, query: { size: "100" } })).data;
		expect(chart.map(({ number }) => number)).toEqual(CHART_ACCOUNTS.map(({ number }) => number));
		const balances = expectOk(await call(getTrialBalance, { as, query: { size: "100" } })).data;
		const total = (side: "debit" | "credit", rows: typeof balances) => rows.reduce((sum, row) => sum + row[side], 0);
		expect(total("debit", balances)).toBe(total("credit", balances));
		// The sandbox pays by no connection, and takes payments by M-Pesa.
		const balanceOf = (number: string) => balances.find(({ account }) => account === number);
		expect(balanceOf("1110")).toMatchObject({ debit: 500, credit: 0, currency: "KES", class: "ASSET" });
		expect(balanceOf("1130")).toMatchObject({ debit: 0, credit: 21_000 });
		expect(balanceOf("1210")?.debit).toBeGreaterThan(20_000);
		for (const cleared of ["2110", "2130"]) expect(balanceOf(cleared)).toBe(undefined);
		const ofProduct = expectOk(await call(getTrialBalance, { as, query: { size: "100", loan_product_id: productId } })).data;
		expect(total("debit", ofProduct)).toBe(total("credit", ofProduct));
		expect(ofProduct.map(({ account }) => account)).not.toContain("1110");
		const [{ on = "" } = {}] = balances;
		expect(await call(getTrialBalance, { as, query: { on: "2199-01-01" } })).toMatchObject({ status: 400 });
		expect(expectOk(await call(getTrialBalance, { as, query: { size: "100", on } })).data).toEqual(balances);
	});

	it("lists the lines of entries in pages that lead on and back, by day, account and source", async () => {
		const { as } = await givenLedger();
		const all = expectOk(await call(listLedgerEntries, { as, query: { size: "500" } })).data;
		const paged: typeof all = [];
		const pages: string[] = [];
		for (let after: string | null | undefined; after !== null; ) {
			const { data, links } = expectOk(await call(listLedgerEntries, { as, query: { size: "3", ...(after && { after }) } }));
			paged.push(...data);
			if (links.prev) pages.push(links.prev);
			after = links.next;
		}
		expect(paged).toEqual(all);
		const back = expectOk(await call(listLedgerEntries, { as, query: { size: "3", before: pages[1] ?? "" } })).data;
		expect(back).toEqual(all.slice(3, 6));
		const entries = Map.groupBy(all, ({ entry_id }) => entry_id);
		for (const lines of entries.values()) {
			expect(lines.length).toBeGreaterThan(1);
			expect(lines.reduce((sum, { debit, credit }) => sum + debit - credit, 0)).toBe(0);
		}
		expect([...new Set(all.map(({ source }) => source))].sort()).toEqual(["DAY", "LOAN", "PAYOUT", "RECEIPT"]);
		const filtered = async (query: object) => expectOk(await call(listLedgerEntries, { as, query: { size: "500", ...query } })).data;
		expect(await filtered({ account: "1110" })).toEqual(all.filter(({ account }) => account === "1110"));
		expect(await filtered({ source: "DAY" })).toEqual(all.filter(({ source }) => source === "DAY"));
		const [{ day = "" } = {}] = all;
		expect(await filtered({ to: day })).toEqual(all.filter((line) => line.day === day));
		expect(await call(listLedgerEntries, { as, query: { from: "2026-02-01", to: "2026-01-01" } })).toMatchObject({ status: 400 });
	});

	it("is a table for a spreadsheet", async () => {
		const { as } = await givenLedger();
		const answer = await servePath("/v1/ledger/entries?size=500", { headers: { "x-api-key": as, accept: "text/csv" } });
		const [head, ...rows] = (await answer.text()).trim().split("\r\n");
		expect(head).toBe(
			"entry_id,line,day,account,account_name,debit,credit,currency,source,source_id,account_id,loan_product_id,value_date,corrects_id,booked_at",
		);
		expect(rows).toHaveLength(expectOk(await call(listLedgerEntries, { as, query: { size: "500" } })).data.length);
	});

	it("is an organization's own", async () => {
		await givenLedger();
		const as = await givenApiKey((await givenOrganization()).id, ["ledger:read"]);
		expect(expectOk(await call(listLedgerEntries, { as, query: {} })).data).toEqual([]);
		expect(expectOk(await call(getTrialBalance, { as, query: {} })).data).toEqual([]);
		const other = await givenApiKey((await givenOrganization()).id, ["portfolio:read"]);
		expect(await call(listLedgerEntries, { as: other, query: {} })).toMatchObject({ status: 403 });
	});
});
