// Every statement of accounts and payments searches by an index.

import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { findDueAccounts } from "../../../src/domains/credit-accounts/job";
import { findAllocations, findLimitSources, findRecords, reachedAccount } from "../../../src/domains/credit-accounts/ledger.store";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { findAccountsWaiting, findAllocationsOf, findPaymentsOf, findReported, findWaiting } from "../../../src/domains/repayments/store";
import { db } from "../../support/factories";
import { plansOf } from "../../support/plans";

describe("the statements of accounts and payments", () => {
	it("use indexes", async () => {
		const orm = db as never;
		const accounts = reachedAccount("a", { kind: "user", userId: "u" });
		const steps = await plansOf(
			findRecords(accounts, "BOOK"),
			findRecords(accounts, "HISTORY"),
			findLimitSources(orm, accounts),
			findAllocations(accounts, "BOOK"),
			findWaiting(accounts),
			findDueAccounts(orm, 1),
			findAccountsWaiting(orm, 1, 10),
			findReported(sql`coalesce((select a.organization_id from ${creditAccounts} a where a.id in ${accounts}), 'o')`, "TX1"),
			findAllocationsOf(orm, accounts),
			findPaymentsOf(orm, accounts),
		);
		const scans = steps.filter((detail) => /SCAN (?!CONSTANT ROW)/.test(detail) && !/USING.*INDEX payments_to_post/.test(detail));
		expect(scans).toEqual([]);
	});
});
