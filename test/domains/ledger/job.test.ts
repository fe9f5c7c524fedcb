// The journal of what happens over HTTP: each change makes a balanced entry in its commit, and each closed day's balances are the
// portfolio's, the entries' and those of the money that moved.

import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { CHART } from "../../../src/domains/ledger/model/chart.policy";
import { journalEntries, ledgerDays } from "../../../src/domains/ledger/model/table";
import { reverseRepayment } from "../../../src/domains/repayments/corrections/operations";
import { refundOverpayment } from "../../../src/domains/repayments/corrections/refund.operations";
import { call, expectOk } from "../../support/client";
import { db, operatorToken } from "../../support/factories";
import { closeJournal, entriesOf, expectJournal, ledgerOf } from "../../support/journal";
import { clock, close, givenPortfolio, type Loan, owedOn, payIn, waitDays } from "../../support/portfolios";

beforeEach(() => {
	clock.offsetMs = 0;
});

const closeDays = async (days: number) => {
	await waitDays(days);
	await close();
	await closeJournal();
};

describe("a loan", () => {
	it("is in the journal from its payout to a refund and a reversal", async () => {
		const { organization, loans } = await givenPortfolio(2);
		const [first, second] = loans as [Loan, Loan];
		await closeDays(1);
		await expectJournal(organization.id);
		const before = await db.select().from(ledgerDays);
		const paid = await payIn(first, 500, 1);
		await payIn(second, (await owedOn(second)) + 700);
		const as = await operatorToken();
		expectOk(await call(refundOverpayment, { as, path: { accountId: second.accountId } }));
		await closeDays(40);
		expectOk(await call(reverseRepayment, { as, path: { id: paid }, body: { reason: "bounced" } }));
		await closeDays(3);
		await expectJournal(organization.id);
		const after = await db.select().from(ledgerDays);
		for (const row of before) expect(after).toContainEqual(row);
		const reversal = (await entriesOf(organization.id)).filter(({ correctsId }) => correctsId === paid);
		expect(reversal.map(({ source }) => source).sort()).toEqual(["LOAN", "RECEIPT"]);
		expect(reversal.flatMap(({ lines }) => lines).filter(([account]) => account === CHART.mpesa.number)).toEqual([["1110", -500]]);
	});
});

describe("the database", () => {
	const entryOn = (organizationId: string, day: string, lines: readonly (readonly [string, number])[]) =>
		db.insert(journalEntries).values({
			...{ organizationId, day, id: crypto.randomUUID(), source: "LOAN", sourceId: "x", currency: "KES", valueDate: day, bookedAt: 1 },
			lines,
		});

	it("refuses an entry whose debits differ from its credits, and any that is changed or removed", async () => {
		const { organization } = await givenPortfolio(1);
		const day = "2099-01-01";
		for (const lines of [
			[["1110", 5]],
			[
				["1110", 5],
				["2110", -4],
			],
			[
				["1110", 0],
				["2110", 0],
			],
			[
				["1110", 0.5],
				["2110", -0.5],
			],
		] as const) {
			await expect(entryOn(organization.id, day, lines)).rejects.toThrow();
		}
		await expect(db.update(journalEntries).set({ currency: "UGX" })).rejects.toThrow();
		await expect(db.delete(journalEntries)).rejects.toThrow();
		await entryOn(organization.id, day, [
			["1110", 5],
			["2110", -5],
		]);
	});

	it("adds nothing to a closed day, and changes none", async () => {
		const { organization } = await givenPortfolio(1);
		await closeDays(2);
		const closedThrough = (await ledgerOf(organization.id))?.closedThrough ?? "";
		await expect(
			entryOn(organization.id, closedThrough, [
				["1110", 5],
				["2110", -5],
			]),
		).rejects.toThrow();
		await expect(db.update(ledgerDays).set({ balances: {} })).rejects.toThrow();
		await expect(db.delete(ledgerDays).where(sql`true`)).rejects.toThrow();
	});
});
