// One loan's whole life as entries: what docs/ledger.md shows an accountant.
// @module-tag thorough

import { beforeEach, expect, it } from "vitest";
import page from "../../../docs/ledger.md?raw";
import { listInstallments } from "../../../src/domains/credit-accounts/operations";
import { CHART_ACCOUNTS } from "../../../src/domains/ledger/model/chart.policy";
import { reverseRepayment, waive } from "../../../src/domains/repayments/corrections/operations";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { daysBetween } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { operatorToken } from "../../support/factories";
import { closeJournal, entriesOf, expectJournal } from "../../support/journal";
import { clock, close, givenPortfolio, type Loan, owedOn, payIn, waitDays } from "../../support/portfolios";

beforeEach(() => {
	clock.offsetMs = 0;
});

it("the page for accountants has the entries that a loan makes", { timeout: 60_000 }, async () => {
	const as = await operatorToken();
	const reason = "as agreed";
	const { organization, loans } = await givenPortfolio(1, {
		...{ tenure: { duration: 20, unit: "DAYS" as const }, installment_every: { duration: 10, unit: "DAYS" as const } },
		rate_schedule: [{ min_days: 1, max_days: 30, interest_rate: { basis_points: 300, period_value: 10, period_unit: "DAYS" as const } }],
		fee_basis_points: 200,
		penalty_terms: {
			...{ rate_basis_points: 500, calculation_basis: "ARREARS" as const, type: "ONE_TIME" as const, period_days: 1 },
			...{ trigger: "AFTER_INSTALLMENT_DUE" as const, grace_period_days: 0 },
		},
	});
	const loan = loans[0] as Loan;
	const waited = async (days: number) => {
		await waitDays(days);
		await close();
		await closeJournal();
	};
	await waited(10);
	await payIn(loan, 3_000);
	const late = await payIn(loan, 1_000);
	await waited(2);
	expectOk(await call(reverseRepayment, { as, path: { id: late }, body: { reason } }));
	await waited(9);
	const rows = expectOk(await call(listInstallments, { as: loan.borrower.token, path: { accountId: loan.accountId }, query: {} })).data;
	const owing = rows.find(({ outstanding }) => outstanding > 0);
	expectOk(await call(waive, { as, path: { accountId: loan.accountId }, body: { installment_id: owing?.id ?? "", amount: 100, reason } }));
	await payIn(loan, (await owedOn(loan)) + 250);
	expectOk(await call(refundOverpayment, { as, path: { accountId: loan.accountId } }));
	await waited(1);
	await expectJournal(organization.id);
	const entries = (await entriesOf(organization.id)).sort(
		(one, other) => one.day.localeCompare(other.day) || one.bookedAt - other.bookedAt,
	);
	const [first] = entries;
	const names = new Map(CHART_ACCOUNTS.map(({ number, name }) => [number, name]));
	const lines = entries
		.map(({ day, source, lines: own }) => {
			const each = own.map(([account, amount]) => `${amount > 0 ? "Dr" : "Cr"} ${account} ${names.get(account)} ${Math.abs(amount)}`);
			return { day: daysBetween(first?.day ?? "", day), source, text: each.sort((a, b) => (a < b ? 1 : -1)).join("; ") };
		})
		.sort((a, b) => a.day - b.day || ORDER.indexOf(a.source) - ORDER.indexOf(b.source) || (a.text < b.text ? -1 : 1))
		.map(({ day, source, text }) => `| ${day} | ${source} | ${text} |`);
	expect(page.split("\n").filter((line) => /^\| \d+ \| [A-Z]+ \|/.test(line))).toEqual(lines);
});

const ORDER = ["OPENING", "RECEIPT", "LOAN", "PAYOUT", "WALLET", "INVOICE", "DAY"];
