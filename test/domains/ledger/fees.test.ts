// Access fees that are earned over a loan's life, in the journal: what docs/ledger.md says of them.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import page from "../../../docs/ledger.md?raw";
import { decideApproval } from "../../../src/domains/approvals/operations";
import { requestProvisioningRules } from "../../../src/domains/approvals/provisioning.operations";
import { rescheduleAccount } from "../../../src/domains/credit-accounts/changes/operations";
import { listInstallments } from "../../../src/domains/credit-accounts/operations";
import { listProvisions } from "../../../src/domains/ledger/provisions.operations";
import { loanProducts } from "../../../src/domains/loan-products/model/table";
import { draw } from "../../../src/domains/loans/draws.operations";
import { listPortfolios } from "../../../src/domains/portfolio/operations";
import { reverseRepayment, waive } from "../../../src/domains/repayments/corrections/operations";
import { addDays, localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { comeBack, THREE_INSTALLMENTS } from "../../support/credit";
import { db, givenApiKey, givenMember, operatorToken } from "../../support/factories";
import { closeJournal, entriesOf, expectJournal } from "../../support/journal";
import { givenLoanProduct } from "../../support/loans";
import { clock, close, expectFigures, givenPortfolio, type Loan, owedOn, payIn, waitDays } from "../../support/portfolios";
import { writeOff } from "../credit-bureau/bureau";

beforeEach(() => {
	clock.offsetMs = 0;
});

const reason = "as agreed";

/** A loan of 10,000 for 90 days with a fee of 900, which is 10 a day. */
async function givenOverLife() {
	const { organization, productId, loans, key } = await givenPortfolio(1, {
		...{ ...THREE_INSTALLMENTS, fee_basis_points: 900, access_fee_recognition: "OVER_LIFE" as const },
	});
	const loan = loans[0] as Loan;
	const path = { accountId: loan.accountId };
	/** Closes the days until the morning of this one, counted from the loan's. */
	let passed = 0;
	const until = async (day: number) => {
		if (day > passed) await waitDays(day - passed);
		passed = day;
		await close();
		await closeJournal();
	};
	/** What these accounts of the chart hold by all entries so far. */
	const held = async (...accounts: string[]) => {
		const lines = (await entriesOf(organization.id)).flatMap((entry) => entry.lines);
		return accounts.map((account) => lines.reduce((sum, [of, amount]) => (of === account ? sum + amount : sum), 0));
	};
	const agrees = async () => {
		await expectFigures(organization.id, productId);
		await expectJournal(organization.id);
	};
	return { organization, productId, loan, key, path, until, held, agrees };
}

describe("an access fee that is earned over the loan's life", () => {
	it("is a liability that each day earns a part of, as the page for accountants shows it", { timeout: 60_000 }, async () => {
		const as = await operatorToken();
		const { loan, path, until, held, agrees } = await givenOverLife();
		const rows: string[] = [];
		/** Closes the day, and notes how it ended. */
		const note = async (day: number, what: string) => {
			await until(day + 1);
			const [unearned = 0, income = 0, waivers = 0] = await held("2410", "4120", "5110");
			rows.push(`| Day ${day} | ${what} | ${0 - unearned} | ${0 - income} | ${waivers} |`);
		};
		await note(0, "The loan is paid out");
		await note(30, "30 of 90 days have passed");
		const [first] = expectOk(await call(listInstallments, { as: loan.borrower.token, path, query: {} })).data;
		expectOk(await call(waive, { as, path, body: { installment_id: first?.id ?? "", amount: 60, reason } }));
		await note(31, "The lender waives 60 of the first installment's interest");
		await note(40, "The rest is earned by the same day as before");
		expectOk(await call(rescheduleAccount, { as, path, body: { kind: "EXTEND", installments: 1, reason } }));
		await note(41, "A fourth installment is added, which is due on day 120");
		await note(80, "What was left on day 41 is earned by day 120");
		const paid = await payIn(loan, await owedOn(loan));
		await note(81, "The borrower pays all");
		expectOk(await call(reverseRepayment, { as, path: { id: paid }, body: { reason } }));
		await note(82, "That payment bounces");
		await note(120, "The last due date");
		expect(page.split("\n").filter((line) => /^\| Day \d+ \|/.test(line))).toEqual(rows);
		await agrees();
	});

	it("is a term that the loan keeps", async () => {
		expect((await givenLoanProduct()).access_fee_recognition).toBe("AT_ONCE");
		const { productId, loan, until, held, agrees } = await givenOverLife();
		await until(11);
		await db.update(loanProducts).set({ accessFeeRecognition: "AT_ONCE" }).where(eq(loanProducts.id, productId));
		expectOk(await call(draw, { as: loan.borrower.token, path: { accountId: loan.accountId }, body: { amount: 1_000 } }));
		// The first fee has earned 100 of 900, and the fee of the draw is 90.
		expect(await held("2410", "4120")).toEqual([-890, -100]);
		await until(21);
		// Of the second fee ten of its days have passed, as far as they are closed: 90 over 79 days.
		expect(await held("2410", "4120")).toEqual([-700 - 80, -200 - 10]);
		await agrees();
	});

	it("is never income once the loan is written off: what is unearned makes the loss smaller", async () => {
		const { organization, productId, loan, key, until, held, agrees } = await givenOverLife();
		await until(46);
		await payIn(loan, 1_000);
		const owed = await owedOn(loan);
		const [unearned = 0, income = 0] = await held("2410", "4120");
		await writeOff(loan.accountId);
		expect([unearned, income]).toEqual([-450, -450]);
		// The day of the write-off earns its share too.
		await until(47);
		expect(await held("1210", "1220", "2410", "4120", "5120")).toEqual([0, 0, 0, -460, owed - 440]);
		await until(60);
		expect(await held("2410", "4120")).toEqual([0, -460]);
		await agrees();
		const [row] = expectOk(await call(listPortfolios, { as: key, query: { from: "2020-01-01" } })).data;
		expect(row).toMatchObject({ loan_product_id: productId, organization_id: organization.id });
		expect(row?.period).toMatchObject({ fees: 900, fees_unearned: 0, fees_given_up: 440 });
	});

	it("leaves nothing if the payout comes back", async () => {
		const { loan, until, held, agrees } = await givenOverLife();
		await until(11);
		expect(await held("2410", "4120")).toEqual([-800, -100]);
		expectOk(await comeBack(loan, clock.now()));
		await until(12);
		expect(await held("1210", "1220", "2410", "4120", "4110")).toEqual([0, 0, 0, 0, 0]);
		await agrees();
	});

	it("continues to be earned while interest is suspended, and is suspended only as far as it is earned", async () => {
		const { organization, until, held } = await givenOverLife();
		const [asker, decider] = [
			await givenMember(organization.id, "organization-lending-admin"),
			await givenMember(organization.id, "organization-owner"),
		];
		const headers = { "x-organization-id": organization.id };
		const stages = [{ up_to_days: null, rate_basis_points: 1_000, suspends_interest: true }];
		const body = { loan_product_id: null, effective_from: addDays(localDate(clock.now()), 1), stages, cure_days: 0 };
		const { id } = expectOk(await call(requestProvisioningRules, { as: asker.token, headers, body: body as never }));
		expectOk(await call(decideApproval, { as: decider.token, headers, path: { id }, body: { decision: "APPROVED" } }));
		await until(70);
		const as = await givenApiKey(organization.id, ["ledger:read"]);
		const report = expectOk(await call(listProvisions, { as, query: { size: "100" } })).data.find(({ part }) => part === "STAGE");
		const [interest = 0, unearned = 0] = await held("1220", "2410");
		expect(unearned).toBeLessThan(0);
		expect(report?.suspended_interest).toBe(interest + unearned);
		await expectJournal(organization.id);
	});
});
