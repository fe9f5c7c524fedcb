// The close of a portfolio's days over HTTP histories: its figures equal a replay of what was known, for every time and every portion of
// closing, every crash, and every posting meanwhile.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { retryClose } from "../../../src/domains/portfolio/close.store";
import { closePortfolios } from "../../../src/domains/portfolio/job";
import { loanPositions, portfolios } from "../../../src/domains/portfolio/model/table";
import { addDays, localDate } from "../../../src/shared/time";
import { dyingAt } from "../../support/crashes";
import { databaseOf } from "../../support/databases";
import { db } from "../../support/factories";
import { beforeTrip, eventsOf, runDueWork } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { metered } from "../../support/metering";
import { planOf } from "../../support/plans";
import { clock, close, dayRows, expectFigures, givenPortfolio, type Loan, owedOn, payIn, waitDays } from "../../support/portfolios";
import { expectRows } from "../../support/rows";
import { recordingStatements } from "../../support/statements";

beforeEach(() => {
	clock.offsetMs = 0;
});

describe("a day", () => {
	it("has what was known at its end, and raises an event", async () => {
		const { organization, productId, loans } = await givenPortfolio(2);
		const [first, second] = loans as [Loan, Loan];
		await waitDays(1);
		await close();
		const [day] = await dayRows(organization.id);
		expect(day).toMatchObject({ drawn: 21_000, principal: 21_000, accounts: 2, accountsOver0: 0, paidPrincipal: 0 });
		// A payment of before midnight that is posted after it belongs to the day on which it is posted.
		await payIn(first, 500, 1);
		await close();
		await waitDays(1);
		await close();
		await expectFigures(organization.id, productId);
		const rows = await dayRows(organization.id);
		expect(rows[0]).toEqual(day);
		expect(rows[1]?.paidPrincipal).toBeGreaterThan(0);
		await payIn(second, await owedOn(second));
		await waitDays(1);
		await close();
		await expectFigures(organization.id, productId);
		const positions = await db.select().from(loanPositions);
		expect(positions.find(({ accountId }) => accountId === second.accountId)).toMatchObject({ isOpen: false, principal: 0, interest: 0 });
		const told = (await eventsOf(organization.id)).filter(({ type }) => type === "portfolio.closed").map(({ data }) => data);
		expect(told).toEqual((await dayRows(organization.id)).map((row) => ({ loan_product_id: productId, day: row.day })));
	});

	it("is the same to its accounts whether it is closed alone or with later ones", async () => {
		const { organization, productId, loans } = await givenPortfolio(2);
		const [, settled] = loans as [Loan, Loan];
		await waitDays(2);
		const today = localDate(clock.now());
		await payIn(settled, await owedOn(settled));
		await waitDays(5);
		await close();
		await expectFigures(organization.id, productId);
		const positions = await db.select().from(loanPositions);
		expect(positions.find(({ accountId }) => accountId === settled.accountId)).toMatchObject({
			...{ isOpen: false, asOf: addDays(today, 4), changedOn: today, closedOn: today },
		});
	});

	it("is closed ten minutes after midnight, not before", async () => {
		const { organization } = await givenPortfolio(1);
		await waitDays(1, 9);
		await close();
		expect(await dayRows(organization.id)).toEqual([]);
		await waitDays(0, 11);
		await close();
		expect(await dayRows(organization.id)).toHaveLength(1);
	});

	it("waits, with those after it, while the accounts and the figures disagree", async () => {
		expectErrors("the figures of a portfolio do not agree");
		const { organization, productId, loans } = await givenPortfolio(2);
		await waitDays(1);
		await close();
		const [loan] = loans as [Loan];
		const missing = { isOpen: false };
		const positions = await db.select().from(loanPositions);
		const position = positions.find(({ accountId }) => accountId === loan.accountId);
		await setPosition(loan.accountId, missing);
		await waitDays(2);
		await close();
		const [portfolio] = (await db.select().from(portfolios)).filter((row) => row.organizationId === organization.id);
		expect(portfolio).toMatchObject({ closedThrough: position?.asOf, nextCloseAt: null, faultedAt: expect.any(Number) });
		expect(portfolio?.fault).toContain("add up to");
		expect((await eventsOf(organization.id)).filter(({ type }) => type === "portfolio.closed")).toHaveLength(1);
		// Mended, and tried again: the days that were begun are closed as if nothing had been.
		await setPosition(loan.accountId, { isOpen: true });
		await retry(portfolio?.id);
		await close();
		await expectFigures(organization.id, productId);
	});

	it("that is tried again has the accounts that ended in the days that are closed with it", async () => {
		expectErrors("the figures of a portfolio do not agree");
		const { organization, productId, loans } = await givenPortfolio(3);
		const [missing, settled] = loans as [Loan, Loan];
		await waitDays(1);
		await close();
		await setPosition(missing.accountId, { isOpen: false });
		// Owes on the first of the days, and nothing on the last one.
		await waitDays(1);
		const ended = localDate(clock.now());
		await payIn(settled, await owedOn(settled));
		await waitDays(3);
		for (const mended of [{ isOpen: false }, { isOpen: true }]) {
			await close(2);
			const [portfolio] = (await db.select().from(portfolios)).filter((row) => row.organizationId === organization.id);
			expect(portfolio?.fault).toContain("add up to");
			await setPosition(missing.accountId, mended);
			await retry(portfolio?.id);
		}
		await close(2);
		await expectFigures(organization.id, productId);
		const positions = await db.select().from(loanPositions);
		expect(positions.find(({ accountId }) => accountId === settled.accountId)).toMatchObject({ isOpen: false, closedOn: ended });
	});
});

const retry = (id = "", vars: Partial<Env> = {}) =>
	runDueWork((services) => services.commit(retryClose(services.db.orm, id, services.now)), vars);

it("a portfolio that is tried again is found by its id, and its accounts that ended by the day", async () => {
	const { vars, sent } = recordingStatements();
	// There is none, so that nothing is committed.
	await expect(retry(crypto.randomUUID(), vars)).rejects.toThrow();
	const found = [...sent].filter(([statement]) => statement.includes("portfolios"));
	const steps = (await Promise.all(found.map(([statement, params]) => planOf(statement, ...params)))).flat();
	const searches = steps.filter((step) => /^(SEARCH|SCAN)/.test(step)).map((step) => step.replace("COVERING ", ""));
	expect([...new Set(searches)].sort()).toEqual([
		"SEARCH loan_positions USING INDEX loan_positions_ended (organization_id=? AND loan_product_id=? AND as_of>?)",
		"SEARCH portfolios USING INDEX portfolios_id (id=?)",
	]);
});

const setPosition = (accountId: string, values: { isOpen: boolean }) =>
	db.update(loanPositions).set(values).where(eq(loanPositions.accountId, accountId));

describe("a close", () => {
	it("continues where a sweep died, before or after any of its commits", { tags: ["thorough"], timeout: 120_000 }, async () => {
		expectErrors("a portfolio could not be closed");
		const { organization, productId, loans } = await givenPortfolio(5);
		await payIn(loans[0] as Loan, 1_000);
		for (const when of ["before", "after"] as const) {
			for (const trip of [3, 6, 9]) {
				await waitDays(2);
				const { vars, died } = dyingAt(trip, when);
				await close(2, vars).catch(() => undefined);
				expect(died()).toBe(true);
				await payIn(loans[trip % 5] as Loan, 100);
				// A failed portion is tried again an hour later.
				await waitDays(0, 120);
				await close(2);
				await expectFigures(organization.id, productId);
			}
		}
	});

	it("leaves what is posted meanwhile to the next day", async () => {
		const { organization, productId, loans } = await givenPortfolio(4);
		for (const trip of [2, 3, 5, 6]) {
			const settled = loans[trip % 4] as Loan;
			await payIn(settled, Math.max(1, await owedOn(settled)));
			await waitDays(1);
			let posted = false;
			const meanwhile = beforeTrip(trip, async () => {
				if (posted) return;
				posted = true;
				for (const loan of loans) await payIn(loan, 50);
			});
			await close(2, meanwhile);
			await expectFigures(organization.id, productId);
		}
		await waitDays(1);
		await close();
		await expectFigures(organization.id, productId);
	});

	it("is done once by two sweeps at the same time", async () => {
		const { organization, productId } = await givenPortfolio(3);
		await waitDays(3);
		await Promise.all([close(1), close(2)]);
		await close();
		await expectFigures(organization.id, productId);
		expect((await eventsOf(organization.id)).filter(({ type }) => type === "portfolio.closed")).toHaveLength(3);
	});

	it("of a portion of a hundred accounts reads and writes a bounded number of rows", async () => {
		const { organization, loans } = await givenPortfolio(1);
		await waitDays(1);
		await close();
		const { accountId } = loans[0] as Loan;
		await givenHundred(accountId);
		await waitDays(1);
		const { services, meter } = await metered(organization.id);
		await closePortfolios(services);
		expect(meter.trips).toBe(3);
		expectRows(meter.rowsWritten).toBe(102);
		expectRows(meter.rowsRead).atMost(3_404);
	});
});

/** Ninety-nine accounts like this one, each with five more payments. */
async function givenHundred(accountId: string): Promise<void> {
	const database = databaseOf(accountId);
	const numbers = "with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 99)";
	const other = (column: string) => `substr(${column}, 1, 24) || printf('%012x', n)`;
	const copy = async (table: string, of: string, columns: Record<string, string>) => {
		const { results } = await database.prepare(`pragma table_info(${table})`).all<{ name: string }>();
		const names = results.map(({ name }) => name);
		const values = names.map((name) => columns[name] ?? name).join();
		await database
			.prepare(`insert into ${table} (${names.join()}) ${numbers} select ${values} from ${table}, numbers where ${of} = ?`)
			.bind(accountId)
			.run();
	};
	await copy("credit_accounts", "id", { id: other("id"), account_number: "'n' || n", user_id: other("user_id"), last_position: "6" });
	await copy("credit_cycles", "account_id", { id: other("id"), account_id: other("account_id"), application_id: "null" });
	await copy("account_transactions", "account_id", { id: other("id"), account_id: other("account_id"), cycle_id: other("cycle_id") });
	for (let position = 2; position <= 6; position++) {
		const columns = { id: "lower(hex(randomblob(16)))", kind: "'REPAYMENT'", position: String(position), amount: "100", cycle_id: "null" };
		await copy("account_transactions", "position = 1 and account_id", { ...columns, account_id: other("account_id") });
	}
	await copy("loan_positions", "account_id", { account_id: other("account_id") });
}
