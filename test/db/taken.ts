// Rows that the tables take, for `schema.test.ts`.

import type { Row } from "./triggers";

/** Of each table a row that it takes, as far as an "x" or a 0 in every column that must have a value is not one. */
export const TAKEN: { readonly [table: string]: Row } = {
	audit_rows: { actor_kind: "MEMBER" },
	audit_seals: {},
	rate_windows: {},
	approvals: { decided_by: "y" },
	agent_events: {},
	account_transactions: { kind: "REPAYMENT", amount: 1 },
	allocations: { allocated_amount: 6, principal_amount: 1, interest_amount: 2, arrears_amount: 3, source: "POSTING" },
	custodian_movements: { amount: 1 },
	current_account_entries: { type: "MOVEMENT", phase: "END", position: 1, amount: 5, balance_after: 5, rate_index: 7 },
	current_accounts: { id: "x", status: "ACTIVE", rejection_reasons: "[]" },
	follow_ups: { type: "PROMISE", status: "OPEN", check_at: 1 },
	incoming_transfers: { outcome: "CREDITED", account_id: "x" },
	invoice_advances: { advance: 1 },
	invoice_repayments: { amount: 1 },
	invoices: { amount: 5, repaid: 5, decided_by: "y" },
	disbursements: { kind: "DRAW", account_id: "x" },
	journal_entries: { lines: '[["1110",5],["2110",-5]]' },
	ledger_closings: {},
	ledger_days: { balances: "{}" },
	mobile_number_changes: {},
	organization_members: { role: "organization-owner" },
	provisioning_rules: { stages: "[1]" },
	payee_accounts: {},
	payees: { block_reasons: "[]" },
	payment_returns: { amount: 1 },
	payments: { amount: 1 },
	provider_charges: {},
	provider_statements: {},
	statement_breaks: { kind: "MISSING_HERE", row: 0, amount: 1 },
	statement_lines: {},
	transfers: { amount: 1, next_attempt_at: 1 },
	treasury_records: { kind: "BORROWED", amount: 1, account: "1130" },
};
