// What wallets, invoices, payments without account, payouts that nobody owes, and imports are in the journal.

import { describe, expect, it } from "vitest";
import { credit } from "../../../src/domains/current-accounts/ledger/plan";
import { keepPaid } from "../../../src/domains/disbursements/model/store";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { workOnImports } from "../../../src/domains/imports/job";
import { addImportLines, createImport, getImport, runImport } from "../../../src/domains/imports/operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { repayFromWallet } from "../../../src/domains/repayments/recording/wallet.operations";
import { call, expectOk } from "../../support/client";
import { givenLoan, paymentTo } from "../../support/credit";
import { givenCurrentAccount, postAt } from "../../support/current-accounts";
import { db, givenApiKey, givenOrganization, operatorToken } from "../../support/factories";
import { givenBuyer, givenFinanced, repay } from "../../support/invoices";
import { entriesOf } from "../../support/journal";
import { givenLoanProduct, runDueWork } from "../../support/loans";
import { linesOf } from "../imports/old-account";

/** What the organization's entries add up to, by account of the chart; what comes to zero is left out. */
async function balancesOf(organizationId: string) {
	const sums: { [account: string]: number } = {};
	for (const { lines } of await entriesOf(organizationId))
		for (const [account, amount] of lines) sums[account] = (sums[account] ?? 0) + amount;
	return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0));
}

/** Imports the account of these lines. */
async function importInto(organization_id: string, lines: readonly object[]): Promise<void> {
	const as = await operatorToken();
	const path = { importId: expectOk(await call(createImport, { as, body: { organization_id, name: "old" } })).id };
	expectOk(await call(addImportLines, { as, path, body: lines as never }));
	const run = async (dry_run: boolean) => {
		const { revision } = expectOk(await call(getImport, { as, path }));
		expectOk(await call(runImport, { as, path, body: dry_run ? { dry_run } : { dry_run, revision } }));
		for (let portion = 0; portion < 5; portion++) await runDueWork(async (services) => void (await workOnImports(services)));
	};
	await run(true);
	await run(false);
	expect(expectOk(await call(getImport, { as, path }))).toMatchObject({ accounts: { imported: 1 } });
}

describe("in the journal", () => {
	it("a wallet is money at the custodian that is owed, and repays a loan without a trace between them", async () => {
		const loan = await givenLoan(30_000);
		const { organization, borrower, accountId } = loan;
		const before = await balancesOf(organization.id);
		const wallet = await givenCurrentAccount({ user: borrower });
		await postAt(wallet.id, Date.now(), {}, credit("MOVEMENT", crypto.randomUUID(), 50_000));
		expect(await balancesOf(organization.id)).toEqual({ ...before, "1150": 50_000, "2210": -50_000 });
		expectOk(await call(repayFromWallet, { as: borrower.token, path: { accountId }, body: { amount: 10_000, channel: "WALLET" } }));
		const after = await balancesOf(organization.id);
		expect(after).toMatchObject({ "1150": 50_000, "2210": -40_000, "1210": (before["1210"] ?? 0) - 10_000 });
		expect(Object.keys(after)).not.toContain("1190");
	});

	it("a financed invoice is a claim on its buyer until it is repaid, and its fee is income", async () => {
		const buyer = await givenBuyer();
		const { id, amount_minor_units: whole } = await givenFinanced(buyer, 1_800);
		expect(await balancesOf(buyer.organization.id)).toEqual({ "1130": 1_800 - whole, "1310": whole, "4150": -1_800 });
		expectOk(await repay(buyer.repays, id, whole));
		expect(await balancesOf(buyer.organization.id)).toEqual({ "1130": 1_800, "4150": -1_800 });
	});

	it("a payment without an account is an unallocated receipt", async () => {
		const organization = await givenOrganization();
		const as = await givenApiKey(organization.id, ["repayments:write"]);
		const { account_id: _, ...body } = paymentTo("", 700);
		expect(await call(recordRepayment, { as, body: { ...body, account_number: "99999999999" } })).toMatchObject({ status: 202 });
		expect(await balancesOf(organization.id)).toEqual({ "1110": 700, "2110": -700 });
	});

	it("a payout that was made and that no account owes is a debit of payouts under way", async () => {
		const organization = await givenOrganization();
		const id = crypto.randomUUID();
		await db.insert(disbursements).values({
			...{ id, kind: "LOAN", accountId: crypto.randomUUID(), organizationId: organization.id, amount: 900, currency: "KES" },
			...{ status: "FAILED", attempts: 1, nextAttemptAt: 0, createdAt: Date.now() },
		});
		expect(await balancesOf(organization.id)).toEqual({});
		await runDueWork(async (services) => {
			await services.commit([keepPaid(services.db.orm, id, { transaction: "SG1", at: services.now }, services.now)]);
		});
		expect(await balancesOf(organization.id)).toEqual({ "1130": -900, "2130": 900 });
	});

	it("an imported loan is a claim and an opening balance, whose money moved elsewhere", async () => {
		const { id: organizationId } = await givenOrganization();
		const { id: product } = await givenLoanProduct({ organization_id: organizationId });
		await importInto(organizationId, linesOf("L-1", { product }));
		const balances = await balancesOf(organizationId);
		expect(balances["1210"]).toBeGreaterThan(0);
		expect(balances["3900"]).toBeLessThan(0);
		for (const moved of ["1110", "1130", "2110", "2130"]) expect(Object.keys(balances)).not.toContain(moved);
	});

	it("an imported loan has earned of its fee what its days have earned, unless its own terms say otherwise", async () => {
		for (const [terms, unearned, mobileNumber] of [
			[{}, 200, "+254712345678"],
			[{ access_fee_recognition: "AT_ONCE" }, 0, "+254712345679"],
		] as const) {
			const { id: organizationId } = await givenOrganization();
			const over = { organization_id: organizationId, access_fee_recognition: "OVER_LIFE" as const };
			const { id: product } = await givenLoanProduct(over);
			// Ten of its thirty days have passed, and the fee of 300 is unpaid.
			const [account, ...rest] = linesOf("L-1", { product, mobileNumber }) as { type: string; interest?: number; cycles?: object[] }[];
			const own = account?.cycles?.map((cycle) => ({ ...cycle, fee_basis_points: 300, ...terms }));
			const facts = rest.map((line) => (line.type === "BALANCE" ? { ...line, interest: 300 } : line));
			await importInto(organizationId, [{ ...account, cycles: own }, ...facts]);
			const { 1220: interest, 2410: left = 0, 4110: income, 4120: fees } = await balancesOf(organizationId);
			expect({ interest, left, income, fees }).toEqual({ interest: 300, left: 0 - unearned, income: -100, fees: unearned - 300 });
		}
	});
});
