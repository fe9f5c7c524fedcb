// Portfolios of several borrowers, whose days are closed as the sweep does it, and what their figures must be.

import { expect } from "vitest";
import { getAccount } from "../../src/domains/accounts/operations";
import { replay } from "../../src/domains/credit-accounts/book/book.policy";
import { LINES, linesOf } from "../../src/domains/credit-accounts/book/lines.policy";
import { bookOf, knownOn } from "../../src/domains/credit-accounts/ledger.store";
import { accountTransactions, creditAccounts, creditCycles, installments } from "../../src/domains/credit-accounts/table";
import { applyForLoan } from "../../src/domains/loans/apply.operations";
import { knownBy } from "../../src/domains/portfolio/close.policy";
import { closePortfolios } from "../../src/domains/portfolio/job";
import { loanPositions, portfolioDays, portfolios } from "../../src/domains/portfolio/model/table";
import { BALANCES, standOf } from "../../src/domains/portfolio/stand.policy";
import { addDays, DAY_MS, daysBetween, localDate, MINUTE_MS, startOfDay } from "../../src/shared/time";
import { call, expectOk } from "./client";
import { moveClock } from "./clock";
import { expectCredit, pay, THREE_INSTALLMENTS } from "./credit";
import { db, givenApiKey, givenOrganization, givenUser } from "./factories";
import { givenLoanProduct, givenOffer, runDueWork } from "./loans";

/** An organization with a product, and so many borrowers with a loan of it. */
export async function givenPortfolio(borrowers: number, product: Parameters<typeof givenLoanProduct>[0] = THREE_INSTALLMENTS) {
	const organization = await givenOrganization();
	const key = await givenApiKey(organization.id, ["repayments:write", "portfolio:read"]);
	const { id: productId } = await givenLoanProduct({ ...product, organization_id: organization.id });
	const loans = [];
	for (let index = 0; index < borrowers; index++) {
		const borrower = await givenUser({ organizationId: organization.id });
		const offer = await givenOffer(borrower.token, productId);
		const body = { loan_amount: 10_000 + index * 1_000 };
		expectOk(await call(applyForLoan, { as: borrower.token, path: { application_id: offer.id }, body }));
		loans.push({ organization, key, borrower, productId, accountId: offer.account_id, currency: "KES" });
	}
	return { organization, key, productId, loans };
}

export type Loan = Awaited<ReturnType<typeof givenPortfolio>>["loans"][number];

export const owedOn = async ({ borrower, accountId }: Loan): Promise<number> =>
	expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } })).balance.total_outstanding;

/** A payment of so many days ago that is posted now; its id. */
export const payIn = async (loan: Loan, amount: number, daysAgo = 0): Promise<string> =>
	expectOk(await pay(loan, amount, crypto.randomUUID(), clock.now() - daysAgo * DAY_MS)).transaction.id;

/** The time by the service's clock. */
export const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };

/** Moves the clock without work to the given number of minutes after a local midnight. */
export async function waitDays(days: number, minutes = 11): Promise<void> {
	const byMs = startOfDay(addDays(localDate(clock.now()), days)) + minutes * MINUTE_MS - clock.now();
	clock.offsetMs += byMs;
	await moveClock(byMs);
}

/** Closes all days that can be closed, in portions of so many accounts, as long as `goesOn`. */
export const close = (size?: number, vars: Partial<Env> = {}, goesOn = () => true) =>
	runDueWork(async (services) => {
		while (goesOn() && (await closePortfolios(services, size)));
	}, vars);

export const dayRows = async (organizationId: string) =>
	(await db.select().from(portfolioDays)).filter((row) => row.organizationId === organizationId).sort((a, b) => (a.day < b.day ? -1 : 1));

/** Expects that the figures of each closed day equal a replay of every account's facts that were posted by its end. */
export async function expectFigures(organizationId: string, productId: string): Promise<void> {
	const [portfolio] = (await db.select().from(portfolios)).filter(
		(row) => row.organizationId === organizationId && row.loanProductId === productId,
	);
	if (!portfolio) throw new Error("there is no such portfolio");
	expect(portfolio).toMatchObject({ fault: null, closing: null });
	const rows = (await dayRows(organizationId)).filter(({ loanProductId }) => loanProductId === productId);
	expect(rows.at(-1)?.day).toBe(portfolio.closedThrough);
	const accounts = (await db.select().from(creditAccounts)).filter(
		(account) => account.organizationId === organizationId && account.loanProductId === productId,
	);
	const transactions = await db.select().from(accountTransactions);
	const cycles = await db.select().from(creditCycles);
	const places = await db.select().from(installments);
	const positions = new Map((await db.select().from(loanPositions)).map((row) => [row.accountId, row]));
	const of = accounts.map((account) => {
		const own = <Row extends { accountId: string }>(all: readonly Row[]) => all.filter(({ accountId }) => accountId === account.id);
		return { account, transactions: own(transactions), cycles: own(cycles), installments: own(places) };
	});
	const ways = new Map<string, Way>();
	for (const row of rows) {
		const stages = new Map<number, number>();
		const buckets = new Map<number, number>();
		const figures: Record<string, number> = Object.fromEntries([...BALANCES, ...LINES, "accounts", "walked"].map((name) => [name, 0]));
		for (const records of of) {
			const known = knownOn(records, row.day);
			if (known.transactions.length === 0 || row.day < (positions.get(records.account.id)?.since ?? "")) continue;
			const last = Math.max(...known.transactions.map(({ position }) => position));
			const ledger = replay(knownBy(bookOf(records), last), row.day);
			const stand = standOf(ledger);
			const lines = linesOf(ledger);
			for (const name of BALANCES) figures[name] = (figures[name] ?? 0) + Number(stand.balances[name]);
			for (const name of LINES) figures[name] = (figures[name] ?? 0) + Number(lines[name]);
			const owed = BALANCES.reduce((sum, name) => sum + Number(stand.balances[name]), 0);
			figures.walked = (figures.walked ?? 0) + owed + Number(stand.unearnedFees);
			figures.accounts = (figures.accounts ?? 0) + (owed > 0 ? 1 : 0);
			const exposure = owed - Number(stand.balances.overpaid);
			const pastDue = stand.oldestDue === null ? 0 : daysBetween(stand.oldestDue, row.day);
			const way = follow(ways.get(records.account.id), exposure === 0 ? null : pastDue);
			ways.set(records.account.id, way);
			add(stages, way.stage, exposure);
			add(buckets, [0, 30, 60, 90, 180, 360].filter((edge) => pastDue > edge).length, exposure);
			for (const over of [0, 30, 60, 90]) {
				const isOver = stand.oldestDue !== null && addDays(stand.oldestDue, over) < row.day;
				figures[`accountsOver${over}`] = (figures[`accountsOver${over}`] ?? 0) + (isOver ? 1 : 0);
				figures[`principalOver${over}`] = (figures[`principalOver${over}`] ?? 0) + (isOver ? Number(stand.balances.principal) : 0);
			}
		}
		expect(row).toMatchObject(figures);
		const kept = row.stages;
		expect(kept?.stages.map(({ exposure }) => exposure)).toEqual([1, 2, 3].map((stage) => stages.get(stage) ?? 0));
		expect(kept?.buckets.map(({ exposure }) => exposure)).toEqual([0, 1, 2, 3, 4, 5, 6].map((bucket) => buckets.get(bucket) ?? 0));
		const outstanding = row.principal + row.interest + row.arrears + row.penalty + row.refundUncovered;
		expect(total(kept?.stages ?? [])).toBe(outstanding);
		expect(total(kept?.buckets ?? [])).toBe(outstanding);
		expect(total(kept?.moves ?? [])).toBe(outstanding);
	}
}

const total = (cells: readonly { readonly exposure: number }[]): number => cells.reduce((sum, { exposure }) => sum + exposure, 0);
const add = (to: Map<number, number>, key: number, amount: number) => to.set(key, (to.get(key) ?? 0) + amount);

/** The stage of an account by the default rules, and on how many days in a row nothing was overdue since it could go back. */
type Way = { readonly stage: number; readonly current: number };

function follow(way: Way | undefined, pastDue: number | null): Way {
	if (pastDue === null) return { stage: 1, current: 0 };
	const by = pastDue > 90 ? 3 : pastDue > 30 ? 2 : 1;
	if (!way || by >= way.stage) return { stage: by, current: 0 };
	if (pastDue > 0) return { ...way, current: 0 };
	if (way.current < 90) return { ...way, current: way.current + 1 };
	return { stage: way.stage - 1, current: way.stage - 1 > by ? 1 : 0 };
}
