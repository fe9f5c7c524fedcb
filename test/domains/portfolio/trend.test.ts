// The last thirty closed days of an organization, over HTTP.

import { beforeEach, expect, it } from "vitest";
import { getPortfolioTrend, listPortfolios } from "../../../src/domains/portfolio/operations";
import { addDays } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { rowsRead, THREE_INSTALLMENTS } from "../../support/credit";
import { givenMember, givenOrganization } from "../../support/factories";
import { copiesIn, uuid } from "../../support/metering";
import { clock, close, givenPortfolio, type Loan, payIn, waitDays } from "../../support/portfolios";
import { expectRows } from "../../support/rows";

const DAYS = 30;

beforeEach(() => {
	clock.offsetMs = 0;
});

/** Two loans of forty days; one pays twice, the other never. */
async function givenFortyDays() {
	const portfolio = await givenPortfolio(2, THREE_INSTALLMENTS);
	const [payer] = portfolio.loans as [Loan, Loan];
	await waitDays(20);
	await close();
	await payIn(payer, 2_000);
	await waitDays(5);
	await close();
	await payIn(payer, 500);
	await waitDays(15);
	await close();
	return portfolio;
}

it("each day has what its portfolios disbursed, collected and had overdue, and the days before the range are in none", async () => {
	const { organization, key: as } = await givenFortyDays();
	const trend = expectOk(await call(getPortfolioTrend, { as }));
	const { from, to, data: currencies } = trend;
	expect(addDays(from ?? "", DAYS - 1)).toBe(to);
	expect(currencies.map(({ currency, days }) => [currency, days.length])).toEqual([["KES", DAYS]]);
	const days = currencies[0]?.days ?? [];
	expect(days.map(({ day }) => day)).toEqual(Array.from({ length: DAYS }, (_, index) => addDays(from ?? "", index)));
	const { data: rows } = expectOk(await call(listPortfolios, { as, query: { from: from ?? "", on: to ?? "", step: "DAY", size: "100" } }));
	expect(days).toEqual(
		rows.map(({ as_of, period, past_due: [late] }) => ({
			day: as_of,
			disbursed: period.disbursed,
			collected:
				Object.values(period.repaid).reduce((sum, part) => sum + part, 0) + period.recovered + period.overpaid - period.overpayment_used,
			overdue: late?.principal,
		})),
	);
	expect(days.filter(({ collected }) => collected > 0).map(({ collected }) => collected)).toEqual([2_000, 500]);
	expect(days.every(({ disbursed }) => disbursed === 0)).toBe(true);
	expect(days.at(-1)?.overdue).toBeGreaterThan(0);
	const { token } = await givenMember(organization.id, "organization-lending-viewer");
	expect(expectOk(await call(getPortfolioTrend, { as: token }))).toEqual(trend);
});

it("products and currencies are added up over the days that are closed in all of them, and each product costs its own rows", {
	tags: ["thorough"],
}, async () => {
	const { organization, key: as, productId } = await givenFortyDays();
	const { id } = organization;
	const before = expectOk(await call(getPortfolioTrend, { as }));
	const own = `loan_product_id = '${productId}'`;
	// Two more of the currency, and one of another that began five days ago and is a day behind.
	await copiesIn("portfolio_days", id, 2, { loan_product_id: uuid("n") }, own);
	await copiesIn("portfolios", id, 2, { id: uuid("n", 1), loan_product_id: uuid("n") }, own);
	const behind = addDays(before.to ?? "", -1);
	await copiesIn(
		"portfolio_days",
		id,
		1,
		{ loan_product_id: uuid("n + 9") },
		`${own} and day between date('${behind}', '-4 days') and '${behind}'`,
	);
	await copiesIn(
		"portfolios",
		id,
		1,
		{ id: uuid("n + 9", 1), loan_product_id: uuid("n + 9"), currency: "'USD'", closed_through: `'${behind}'` },
		own,
	);
	const answer = await call(getPortfolioTrend, { as });
	const { to, data: currencies } = expectOk(answer);
	expect(to).toBe(behind);
	const [shillings, dollars] = currencies;
	expect(currencies.map(({ currency }) => currency)).toEqual(["KES", "USD"]);
	const known = new Map(before.data[0]?.days.map((one) => [one.day, one]));
	for (const { day, collected, overdue } of shillings?.days.slice(1) ?? []) {
		expect([collected, overdue]).toEqual([3 * (known.get(day)?.collected ?? 0), 3 * (known.get(day)?.overdue ?? 0)]);
	}
	// All that it had lent came with its first day.
	expect(dollars?.days.map(({ disbursed }) => disbursed > 0)).toEqual(Array.from({ length: DAYS }, (_, index) => index === DAYS - 5));
	// Each row is counted once more where the days are added up.
	expectRows(rowsRead(answer)).atMost(2 * 4 * (DAYS + 1) + 20);
});

it("before a first day is closed there is nothing, with any days of another", async () => {
	await givenFortyDays();
	const { id } = await givenOrganization();
	const { token } = await givenMember(id, "organization-lending-viewer");
	expect(expectOk(await call(getPortfolioTrend, { as: token }))).toEqual({ from: null, to: null, data: [] });
	const developer = await givenMember(id, "organization-developer");
	expect(await call(getPortfolioTrend, { as: developer.token })).toMatchObject({ status: 403 });
});
