// Seeded data is what the service itself could have written.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseFile } from "../../src/dev/databases.ts";
import { operatorOf } from "../../src/dev/own-service.ts";
import { startService } from "../../src/dev/service.ts";
import { seed } from "../../tools/seed.ts";

const USERS = 60;
const statePath = mkdtempSync(path.join(tmpdir(), "seeded-"));
const progress: string[] = [];

beforeAll(() => seed({ users: USERS, seed: 7, statePath, tell: (line) => void progress.push(line) }), 180_000);
afterAll(() => rmSync(statePath, { recursive: true, force: true }));

const countOf = (sql: string): number => {
	const database = new DatabaseSync(databaseFile(statePath), { readOnly: true });
	try {
		return Number(database.prepare(sql).get()?.n);
	} finally {
		database.close();
	}
};

it("creates users whose rows refer to each other", () => {
	expect(countOf("select count(*) as n from users")).toBe(USERS);
	const loans = ["loan_applications", "credit_accounts", "installments", "payments", "allocations"];
	const others = ["current_accounts", "transfers", "payees", "invoices", "invoice_advances", "webhook_events", "audit_rows"];
	for (const table of [...loans, ...others]) {
		expect(countOf(`select count(*) as n from ${table}`), table).toBeGreaterThan(0);
	}
	const strays = [
		"credit_accounts where user_id not in (select id from users)",
		"installments where account_id not in (select id from credit_accounts)",
		"account_transactions where account_id not in (select id from credit_accounts)",
		"payments where account_id not in (select id from credit_accounts)",
		"transfers where account_id not in (select id from current_accounts)",
		"current_account_entries where account_id not in (select id from current_accounts)",
		"custodian_movements where account_id not in (select id from current_accounts)",
		"invoice_advances where invoice_id not in (select id from invoices)",
		"webhook_deliveries where event_id not in (select id from webhook_events)",
		"webhook_receipts where lower(hex(event_id)) not in (select replace(id, '-', '') from webhook_events)",
		"webhook_receipts where lower(hex(webhook_id)) not in (select replace(id, '-', '') from webhook_endpoints)",
		"users where home_organization_id not in (select id from organizations)",
	];
	expect(countOf("select count(*) as n from webhook_receipts")).toBeGreaterThan(60);
	for (const stray of strays) expect(countOf(`select count(*) as n from ${stray}`), stray).toBe(0);
	const balanced = `select count(*) as n from current_accounts a where balance > 0 and balance = (
		select sum(amount) from current_account_entries e where e.account_id = a.id)`;
	expect(countOf(balanced)).toBe(countOf("select count(*) as n from current_accounts"));
	const gaps = "select count(*) as n from (select 1 from webhook_events group by organization_id having max(sequence) <> count(*))";
	expect(countOf(gaps)).toBe(0);
	expect(progress.at(-1)).toMatch(/^100 % {2}60 users/);
});

it("the seed leaves data that the service can serve and sweep", async () => {
	const service = await startService({ port: 0, statePath, onLog: () => {} });
	try {
		const operator = await operatorOf(service);
		expect((await operator.listUsers()).data).toHaveLength(20);
		expect((await operator.listLoanApplications({ query: { status: "DISBURSED" } })).data).not.toHaveLength(0);
		await service.sweep();
		expect((await operator.listAudit()).verified_through).not.toBeNull();
	} finally {
		await service.stop();
	}
});
