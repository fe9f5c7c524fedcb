// What the database itself refuses, under any code above it: every CHECK and every trigger of every table. A new one needs a line here.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ISSUED_STATEMENTS } from "../support/issued-statements";
import { CREDIT_BUREAU_CHECKS, CREDIT_BUREAU_FILES } from "./credit-bureau";
import { TAKEN } from "./taken";
import { appendOnly, onlyAdded, type Row, type Trigger } from "./triggers";

const TOO_MUCH = 2 ** 53;

/** Rows that violate one CHECK and no other. */
const CHECKS: { readonly [name: string]: readonly [table: string, ...Row[]] } = {
	audit_rows_actor_kind: ["audit_rows", { actor_kind: "USER" }],
	rate_windows_quota: ["rate_windows", { uses: 2, quota: 1 }],
	approvals_four_eyes: ["approvals", { decided_by: "x" }],
	agent_events_amount: ["agent_events", { amount: TOO_MUCH }],
	agent_events_reversed: ["agent_events", { amount: 1, reversed: 2 }, { reversed: -1 }],
	repayment_prompts_paid_once: ["repayment_prompts", { status: "SUCCEEDED" }, { status: "FAILED", transaction_id: "y" }],
	payment_returns_amount: ["payment_returns", { amount: 0 }, { amount: TOO_MUCH }],
	payment_returns_told: ["payment_returns", { status: "PENDING" }, { next_attempt_at: 1 }],
	payment_returns_failed: ["payment_returns", { status: "FAILED" }],
	payment_returns_given_up: ["payment_returns", { status: "GIVEN_UP" }],
	account_transactions_amount: ["account_transactions", { amount: 0 }],
	account_transactions_reverses: ["account_transactions", { reverses_id: "y" }, { kind: "REVERSAL" }],
	allocations_sum: ["allocations", { allocated_amount: 7 }],
	allocations_source: ["allocations", { source: "REPLAY" }, { cause_id: "y" }],
	follow_ups_promise: ["follow_ups", { type: "NOTE" }, { status: null, check_at: null }],
	follow_ups_open: ["follow_ups", { check_at: null }, { status: "KEPT" }],
	custodian_movements_amount: ["custodian_movements", { amount: 0 }],
	current_account_entries_phase: ["current_account_entries", { phase: "HOLD" }, { type: "HOLD", amount: 0, hold: 1 }],
	current_account_entries_exact: [
		"current_account_entries",
		{ amount: 1.5 },
		{ rate_index: 1.5 },
		{ type: "HOLD", phase: "HOLD", amount: 0, hold: 0.5 },
	],
	current_account_entries_shape: [
		"current_account_entries",
		{ amount: 0 },
		{ hold: 1 },
		{ type: "HOLD", phase: "HOLD", amount: 1, hold: 1 },
		{ type: "RELEASE", amount: 0, hold: 1 },
		{ type: "SETTLE", amount: -2, hold: -1 },
		{ type: "TRANSFER_OUT" },
		{ type: "LOAN_REPAYMENT" },
		{ type: "INTEREST", amount: -1 },
	],
	current_accounts_funds: ["current_accounts", { held: -1 }, { held: 1 }, { balance: 1_000_000_000_001 }],
	current_accounts_closed_empty: ["current_accounts", { status: "CLOSED", balance: 1 }],
	current_accounts_exact: ["current_accounts", { weighted: 0.5 }, { balance: 0.5 }, { balance: 1, held: 0.5 }, { out_total: 0.5 }],
	invoice_advances_amount: ["invoice_advances", { advance: 0 }, { fee: -1 }],
	invoice_repayments_amount: ["invoice_repayments", { amount: 0 }],
	invoices_amount: ["invoices", { amount: 0, repaid: 0 }, { amount: TOO_MUCH }],
	invoices_dates: ["invoices", { issued_date: "2026-01-02", due_date: "2026-01-01" }],
	invoices_repaid: ["invoices", { repaid: 6 }, { repaid: -1 }],
	invoices_four_eyes: ["invoices", { decided_by: "x" }],
	...CREDIT_BUREAU_CHECKS,
	issued_statements_days: ["issued_statements", { first_day: "y" }],
	ledger_days_balances: ["ledger_days", { balances: "[]" }],
	disbursements_purpose: ["disbursements", { account_id: null }, { invoice_id: "x" }, { kind: "INVOICE" }],
	mobile_number_changes_completed: ["mobile_number_changes", { status: "COMPLETED" }, { completed_at: 1 }],
	payee_accounts_pending: ["payee_accounts", { verification: "PENDING" }, { next_lookup_at: 1 }],
	payees_reasons: ["payees", { block_reasons: '["OTHER"]' }],
	payments_amount: ["payments", { amount: 0 }, { amount: TOO_MUCH }],
	payments_moved: ["payments", { moved_as_id: "x" }],
	payments_posted: ["payments", { status: "POSTED" }, { posted_at: 1 }],
	provider_statements_days_order: ["provider_statements", { from_day: "y" }],
	statement_breaks_line: ["statement_breaks", { kind: "MISSING_THERE" }, { row: null, amount: null }, { amount: null }],
	statement_breaks_decided: ["statement_breaks", { status: "EXPLAINED" }, { status: "RECORDED", decided_by: "x" }],
	statement_lines_amount: ["statement_lines", { amount: TOO_MUCH }, { fee: -1 }],
	statement_lines_fact: ["statement_lines", { fact_key: "x" }],
	payments_reversed: ["payments", { reversed_by_id: "x" }, { reversed_amount: -1 }],
	payments_reversed_whole: ["payments", { status: "REVERSED", posted_at: 1 }],
	provider_charges_amount: ["provider_charges", { amount: TOO_MUCH }],
	provider_tariffs_bands: ["provider_tariffs", { bands: "[]" }, { bands: "{}" }],
	tariff_charges_amount: ["tariff_charges", { amount: 1 }, { estimate: TOO_MUCH, amount: TOO_MUCH }, { estimate: -1, amount: -1 }],
	tariff_charges_named: ["tariff_charges", { fee: 0 }],
	portfolios_fault: ["portfolios", { fault: "x" }, { faulted_at: 1 }, { fault: "x", faulted_at: 1, next_close_at: 1 }],
	ledger_mappings_accounts: ["ledger_mappings", { accounts: "[]", loan_product_id: "" }, { accounts: "{}" }],
	provisioning_rules_stages: ["provisioning_rules", { stages: "[]" }, { cure_days: -1 }],
	portfolio_days_principal: ["portfolio_days", { principal: 1 }, { drawn: 1 }],
	portfolio_days_interest: ["portfolio_days", { arrears: 1 }, { fees: 1 }],
	portfolio_days_penalty: ["portfolio_days", { penalty: 1 }, { waived_penalty: 1 }],
	portfolio_days_refund_uncovered: ["portfolio_days", { refund_uncovered: 1 }, { refunded_uncovered: 1 }],
	portfolio_days_overpaid: ["portfolio_days", { overpaid: 1 }, { overpayment_received: 1 }],
	incoming_transfers_credited: ["incoming_transfers", { outcome: "REFUSED" }, { account_id: null }],
	treasury_records_amount: ["treasury_records", { amount: 0 }, { amount: TOO_MUCH }],
	treasury_records_accounts: ["treasury_records", { account: "1190" }, { kind: "TRANSFER", to_account: "1130" }],
	treasury_records_kind: ["treasury_records", { kind: "TRANSFER" }, { to_account: "1110" }],
	transfers_amount: ["transfers", { amount: 0 }],
	transfers_internal: ["transfers", { destination: "INTERNAL" }, { payee_user_id: "x" }],
	transfers_finished: ["transfers", { status: "COMPLETED", next_attempt_at: null }, { completed_at: 1 }],
	transfers_failed: ["transfers", { failure_reason: "x" }, { status: "FAILED", completed_at: 1, next_attempt_at: null }],
	transfers_work: ["transfers", { next_attempt_at: null }, { taken: 1 }, { status: "COMPLETED", completed_at: 1 }],
};

const account = ["current_accounts"] as const;
const closedDays = ["ledgers", { closed_through: "2026-01-31" }] as const;
/** After the closed days, as the triggers compare texts, and in their month. */
const firstEntry = ["journal_entries", { day: "2026-01x" }] as const;
const closedMonth = [closedDays, firstEntry, ["ledger_closings", { month: "2026-01", last_day: "2026-01-31" }]] as const;
const CLOSES = "insert into ledger_closings select * from (select 'x', '2026-01', '2026-01-31', 'x', 'x', 'y', null, 0)";
const RULED = "insert into provisioning_rules select * from provisioning_rules";
const MAPPED = "insert into ledger_mappings select * from ledger_mappings";
const owner = ["organization_members"] as const;

/** What each trigger refuses. */
const TRIGGERS: { readonly [name: string]: Trigger } = {
	...appendOnly("audit_rows", "changes = '{}'"),
	...appendOnly("audit_seals", "stream = 'y'"),
	...onlyAdded("audit_rows"),
	...onlyAdded("audit_seals"),
	...appendOnly("account_transactions", "amount = 2"),
	...appendOnly("allocations", "penalty_amount = 1"),
	...appendOnly("current_account_entries", "amount = 6", account),
	...ISSUED_STATEMENTS,
	...appendOnly("journal_entries", "currency = 'y'"),
	journal_entries_balanced: {
		given: [],
		refused: `insert into journal_entries select * from (select 'x', 'x', 'x', 'x', 'x', null, '', 'x', 'x', null, '[["1110",5],["2110",-4]]', 0)`,
		by: "debits must equal credits",
	},
	journal_entries_of_open_days: {
		given: [["ledgers", { closed_through: "2026-01-02" }]],
		refused: `insert into journal_entries select * from (select 'x', '2026-01-02', 'x', 'x', 'x', null, '', 'x', 'x', null, '[["1110",5],["2110",-5]]', 0)`,
		by: "the day is closed",
	},
	ledgers_stay_closed: { given: [closedDays], refused: "update ledgers set closed_through = '2026-01-30'", by: "closed days stay closed" },
	ledgers_stay: { given: [closedDays], refused: "delete from ledgers", by: "closed days stay closed" },
	ledger_closings_in_order: { given: [closedDays], refused: CLOSES, by: "months are closed one after the other" },
	ledger_closings_of_closed_days: { given: [["journal_entries", { day: "2026-01-05" }]], refused: CLOSES, by: "the month has open days" },
	ledger_closings_balanced: {
		given: [closedDays, firstEntry, ["ledger_days", { day: "2026-01-31", balances: '{"1110":5}' }]],
		refused: CLOSES,
		by: "debits must equal credits",
	},
	...CREDIT_BUREAU_FILES,
	ledger_closings_kept: { given: closedMonth, refused: "update ledger_closings set reason = 'y'", by: "closed months never change" },
	ledger_closings_stay: { given: closedMonth, refused: "delete from ledger_closings", by: "closed months never change" },
	...appendOnly("provisioning_rules", "cure_days = 1"),
	provisioning_rules_of_open_days: { given: [["provisioning_rules"], ["portfolios"]], refused: RULED, by: "the day is closed" },
	ledger_days_kept: { given: [["ledger_days"]], refused: "update ledger_days set currency = 'y'", by: "closed days never change" },
	ledger_days_stay: { given: [["ledger_days"]], refused: "delete from ledger_days", by: "closed days never change" },
	...appendOnly("ledger_mappings", "accounts = '[2]'"),
	ledger_mappings_of_open_days: {
		given: [["ledger_mappings"], ["ledgers", { closed_through: "x" }]],
		refused: MAPPED,
		by: "the day is closed",
	},
	...appendOnly("treasury_records", "amount = 2"),
	...appendOnly("provider_tariffs", "bands = '[2]'"),
	provider_tariffs_ahead: {
		given: [],
		refused: "insert into provider_tariffs select * from (select 'x', 'x', 'x', 'x', '1970-01-01', 'x', '[1]', 'x', 'x', 'x', null, 0)",
		by: "the day has begun",
	},
	tariff_charges_kept: { given: [["tariff_charges"]], refused: "delete from tariff_charges", by: "charges are kept" },
	terms_texts_stay: { given: [["terms_texts"]], refused: "update terms_texts set text = 'y'", by: "append only" },
	terms_texts_kept: { given: [["terms_texts"]], refused: "delete from terms_texts", by: "append only" },
	current_account_entries_chain: { given: [], refused: "", by: "an entry must follow the last one" },
	current_accounts_by_entry: {
		given: [account],
		refused: "update current_accounts set position = 1, balance = 5",
		by: "a balance moves by an entry only",
	},
	current_accounts_uncoded: {
		given: [account],
		refused: "update current_accounts set uncoded = 1",
		by: "what was ordered without a code moves by an entry",
	},
	current_accounts_open_empty: { given: [], refused: "", by: "an account opens empty" },
	current_accounts_kept: { given: [account], refused: "delete from current_accounts", by: "accounts are kept" },
	organization_members_owner_stays: {
		given: [owner, ["organization_members", { user_id: "y", role: "organization-admin" }]],
		refused: "update organization_members set role = 'organization-admin'",
		by: "last owner",
	},
	organization_members_owner_kept: { given: [owner], refused: "delete from organization_members", by: "last owner" },
	disbursements_of_suspended: {
		given: [["organizations", { status: "SUSPENDED" }]],
		refused: "insert into disbursements (id, kind, organization_id) values ('d', 'DRAW', 'x')",
		by: "The organization is suspended",
	},
	incoming_transfers_final: {
		given: [["incoming_transfers"]],
		refused: "update incoming_transfers set outcome = 'REFUSED', account_id = null",
		by: "the outcome of a transfer is final",
	},
	incoming_transfers_names_go: {
		given: [["incoming_transfers"]],
		refused: "update incoming_transfers set payer_name = 'somebody else'",
		by: "the outcome of a transfer is final",
	},
	incoming_transfers_kept: {
		given: [["incoming_transfers"]],
		refused: "delete from incoming_transfers",
		by: "the outcome of a transfer is final",
	},
};

/** Those that refuse nothing: what they write is tried in `domains/current-accounts/ledger/store`, `domains/ledger` and `domains/reconciliation`. */
const WRITING = [
	"changed_charges_set_off",
	"charges_of_changed_payouts",
	"charges_of_payments",
	"charges_of_payouts",
	"charges_of_restored_payments",
	"charges_of_reversed_payments",
	"charges_set_off",
	"current_account_entries_apply",
	"journal_entries_begin",
	"journal_of_advances",
	"journal_of_changed_advances",
	"journal_of_changed_charges",
	"journal_of_changed_payments",
	"journal_of_changed_payouts",
	"journal_of_changed_tariff_charges",
	"journal_of_charges",
	"journal_of_invoice_repayments",
	"journal_of_payments",
	"journal_of_payouts",
	"journal_of_tariff_charges",
	"journal_of_treasury",
	"journal_of_wallets",
];

const namesIn = async (query: string) => (await env.DB.prepare(query).all<{ name: string; sql: string }>()).results;

/** Inserts a row: what is given, else what the table takes, else something in every column that must have a value. */
async function insert(table: string, row: Row = {}): Promise<void> {
	const { results } = await env.DB.prepare(`select name, type, "notnull" as needed from pragma_table_info('${table}')`).all<{
		name: string;
		type: string;
		needed: number;
	}>();
	const given = { ...TAKEN[table], ...row };
	const values = results.map(
		({ name, type, needed }) => given[name] ?? (name in given || needed === 0 ? null : type.toLowerCase() === "integer" ? 0 : "x"),
	);
	await env.DB.prepare(`insert into "${table}" values (${values.map(() => "?").join()})`)
		.bind(...values)
		.run();
}

describe("a CHECK", () => {
	it("is here whenever a table has it", async () => {
		const tables = await namesIn("select name, sql from sqlite_master where type = 'table' and sql like '%CHECK%'");
		const names = tables.flatMap(({ sql }) => Array.from(sql.matchAll(/CONSTRAINT "(\w+)" CHECK/g), ([, name]) => name));
		expect(Object.keys(CHECKS).sort()).toEqual(names.sort());
		expect(tables.flatMap(({ sql }) => sql.match(/\bCHECK\s*\(/g) ?? [])).toHaveLength(names.length);
	});

	it("refuses every row that violates it", async () => {
		for (const { name } of await namesIn("select name from sqlite_master where type = 'trigger'"))
			await env.DB.exec(`drop trigger ${name}`);
		for (const [name, [table, ...rows]] of Object.entries(CHECKS))
			for (const row of rows)
				await expect(insert(table, row), `${name} ${JSON.stringify(row)}`).rejects.toThrow(`CHECK constraint failed: ${name}`);
	});
});

describe("a trigger", () => {
	it("is here whenever a table has it", async () => {
		const names = (await namesIn("select name from sqlite_master where type = 'trigger'")).map(({ name }) => name);
		expect([...Object.keys(TRIGGERS), ...WRITING].sort()).toEqual(names.sort());
	});

	it.each(Object.entries(TRIGGERS).filter(([, { refused }]) => refused !== ""))(
		"%s refuses what it is for",
		async (_, { given, refused, by }) => {
			for (const [table, row] of given) await insert(table, row);
			await expect(env.DB.prepare(refused).run()).rejects.toThrow(by);
		},
	);

	it("lets no account open with money, and no entry skip a position or contradict the balance", async () => {
		for (const row of [{ position: 1 }, { balance: 1 }, { held: 1, balance: 1 }, { out_total: 1 }, { weighted: 1 }] as Row[])
			await expect(insert("current_accounts", row), JSON.stringify(row)).rejects.toThrow("an account opens empty");
		await insert("current_accounts", { day: "2026-01-02" });
		const next = { day: "2026-01-02" };
		for (const row of [
			{ ...next, position: 2 },
			{ ...next, balance_after: 6 },
			{ ...next, held_after: 1 },
			{ day: "2026-01-01" },
			{ ...next, account_id: "y" },
		])
			await expect(insert("current_account_entries", row), JSON.stringify(row)).rejects.toThrow("an entry must follow the last one");
		await insert("current_account_entries", next);
		const account = await env.DB.prepare("select position, balance, held from current_accounts").first();
		expect(account).toEqual({ position: 1, balance: 5, held: 0 });
	});
});

it("every row from which these deviate is taken", async () => {
	for (const { name } of await namesIn("select name from sqlite_master where type = 'trigger'")) await env.DB.exec(`drop trigger ${name}`);
	for (const table of Object.keys(TAKEN)) await insert(table);
});
