// A book of 500 running loans, written by another program's export, imported over HTTP and equal to its balances on every day.
// @module-tag thorough

import { describe, expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { workOnImports } from "../../../src/domains/imports/job";
import { addImportLines, createImport, getImport, listImportAccounts, runImport } from "../../../src/domains/imports/operations";
import { importLines } from "../../../src/domains/imports/table";
import { messages } from "../../../src/domains/messages/table";
import { addDays, localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { expectCredit } from "../../support/credit";
import { accessToken, db, givenOrganization, operatorToken } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { eventsOf, givenLoanProduct, runDueWork } from "../../support/loans";
import { exportBook, portionsOf } from "./exporter";

const LOANS = 500;

type Balance = Record<"principal" | "interest" | "arrears" | "penalty" | "overpaid" | "refund_uncovered", number> & {
	type: string;
	on: string;
};

const work = () =>
	runDueWork(async (services) => {
		while (await workOnImports(services));
	});

describe("the import of a running book", () => {
	it("has every account equal its old balances on every day, and raises one event an account", { timeout: 300_000 }, async () => {
		const as = await operatorToken();
		const organization = await givenOrganization();
		const { id: productId } = await givenLoanProduct({ organization_id: organization.id });
		const today = localDate(Date.now());
		const exported = exportBook(LOANS, today, productId);
		// The export has what a book can have.
		expect(new Set(exported.flatMap(({ kinds }) => kinds))).toEqual(
			new Set(["DRAW", "REPAYMENT", "REVERSAL", "WAIVER", "REFUND", "WRITE_OFF", "RESCHEDULE", "SETTLEMENT"]),
		);
		const { id: importId } = expectOk(await call(createImport, { as, body: { organization_id: organization.id, name: "core banking" } }));
		const path = { importId };
		for (const body of portionsOf(exported.flatMap(({ lines }) => lines)) as never[]) {
			expectOk(await call(addImportLines, { as, path, body }));
		}
		const { revision } = expectOk(await call(getImport, { as, path }));
		expectOk(await call(runImport, { as, path, body: { dry_run: true } }));
		await work();
		expect(expectOk(await call(listImportAccounts, { as, path, query: {} })).data).toEqual([]);
		expect(expectOk(await call(getImport, { as, path }))).toMatchObject({ status: "CHECKED", revision, accounts: { equal: LOANS } });
		expect(await eventsOf(organization.id)).toEqual([]);

		expectOk(await call(runImport, { as, path, body: { dry_run: false, revision } }));
		await work();
		expect(expectOk(await call(getImport, { as, path }))).toMatchObject({ status: "DONE", accounts: { imported: LOANS, failed: 0 } });
		const told = await eventsOf(organization.id);
		expect(told.map(({ type }) => type)).toEqual(Array(LOANS).fill("credit_account.imported"));
		expect(await db.select().from(messages)).toEqual([]);
		expect(await db.select().from(importLines)).toEqual([]);
		await expectStoredEqualsReplay();

		// The borrowers see what the other program said, today and on another day.
		const balances = new Map(exported.map(({ account, lines }) => [account, lines as Balance[]]));
		for (const [index, { data }] of told.entries()) {
			if (index % 10 !== 0) continue;
			const on = addDays(today, -(index % 20));
			const old = balances.get(String(data.old_account_id))?.find((line) => line.type === "BALANCE" && line.on === on);
			const answer = await call(getAccount, {
				as: await accessToken(String(data.user_id)),
				path: { accountId: String(data.account_id) },
				query: { as_of: on },
			});
			const { breakdown } = expectCredit(answer).balance;
			expect([on, breakdown]).toEqual([
				on,
				{
					principal_outstanding: old?.principal,
					interest_outstanding: old?.interest,
					arrears_outstanding: old?.arrears,
					penalty_outstanding: old?.penalty,
					refund_uncovered: old?.refund_uncovered,
				},
			]);
		}
	});
});
