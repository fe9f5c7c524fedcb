// The close of a day of many accounts: each portion reads and writes as much as its accounts have, however many others there are.
// `CROWD_ROWS=100000` closes one of a hundred thousand.
// @module-tag thorough

import { beforeEach, expect, it } from "vitest";
import { closePortfolios } from "../../../src/domains/portfolio/job";
import { isMeasured, OTHERS, PATIENCE_MS } from "../../support/cheap-lists";
import { THREE_INSTALLMENTS } from "../../support/credit";
import { databaseOf } from "../../support/databases";
import { runDueWork } from "../../support/loans";
import { printMeasured } from "../../support/log";
import { copiesIn, uuid } from "../../support/metering";
import { clock, close, dayRows, givenPortfolio, type Loan, payIn, waitDays } from "../../support/portfolios";
import { expectRows } from "../../support/rows";

beforeEach(() => {
	clock.offsetMs = 0;
});

const ACCOUNTS = isMeasured ? OTHERS : 300;
const PORTION = 100;
const TWELVE_INSTALLMENTS = {
	...THREE_INSTALLMENTS,
	tenure: { duration: 360, unit: "DAYS" as const },
	rate_schedule: THREE_INSTALLMENTS.rate_schedule.map((rate) => ({ ...rate, max_days: 400 })),
};
const COUNTED =
	"principal interest arrears penalty refund_uncovered overpaid accounts walked drawn fees interest_earned paid_principal paid_interest";

it("a close reads and writes in proportion to its accounts", { timeout: PATIENCE_MS }, async () => {
	const { organization, loans } = await givenPortfolio(1, TWELVE_INSTALLMENTS);
	const { id } = organization;
	const [loan] = loans as [Loan];
	for (let paid = 0; paid < 5; paid++) await payIn(loan, 100);
	await waitDays(1);
	await close();
	// As if all of them had been there from the beginning.
	const [account, others] = [uuid("n"), ACCOUNTS - 1];
	const own = `account_id = '${loan.accountId}'`;
	await copiesIn("credit_accounts", id, others, { id: account, account_number: "'crowd-' || n", user_id: uuid("n", 1) });
	await copiesIn("credit_cycles", id, others, { id: uuid("n", 2), account_id: account, application_id: uuid("n", 3) }, own);
	const transaction = { id: uuid("n * 16 + position", 4), account_id: account, cycle_id: `iif(cycle_id is null, null, ${uuid("n", 2)})` };
	await copiesIn("account_transactions", id, others, transaction, own);
	await copiesIn("loan_positions", id, others, { account_id: account }, own);
	const figures = COUNTED.split(" ").map((name) => `${name} = ${name} * ${ACCOUNTS}`);
	await databaseOf(id).prepare(`update portfolio_days set ${figures} where organization_id = ?`).bind(id).run();
	await waitDays(1);

	const began = Date.now();
	const costs: { read: number; written: number }[] = [];
	await runDueWork(async (services) => {
		const { meter } = services.databases;
		for (;;) {
			const [read, written] = [meter.rowsRead, meter.rowsWritten];
			if (!(await closePortfolios(services, PORTION))) break;
			costs.push({ read: meter.rowsRead - read, written: meter.rowsWritten - written });
		}
	});
	const most = { read: Math.max(...costs.map(({ read }) => read)), written: Math.max(...costs.map(({ written }) => written)) };
	const ms = Date.now() - began;
	printMeasured(() => `${ACCOUNTS} accounts, ${costs.length} portions of at most ${JSON.stringify(most)} rows, ${ms} ms`);
	const [before, day] = await dayRows(id);
	expect(day).toMatchObject({ accounts: ACCOUNTS, drawn: before?.drawn });
	expect(costs.length).toBe(Math.ceil((ACCOUNTS + 1) / PORTION));
	// Of each account its position, seven facts and their cycle.
	expectRows(most.read).atMost(2_500);
	expectRows(most.written).atMost(110);
});
