// Tables without SQLite's hidden row number: their rows lie in the primary key's own tree, so a row costs one write less and no
// second copy of its key. For tables whose key is text or of several columns and whose rows are short: one over about a kilobyte
// takes a page of its own. drizzle-kit cannot say this, so `npm run migrations` adds it to what it generates.

export const WITHOUT_ROWID: readonly string[] = [
	"account_transactions",
	"agent_events",
	"agent_supervisions",
	"agents",
	"allocations",
	"audit_rows",
	"current_account_entries",
	"delivery_holdings",
	"event_purges",
	"import_accounts",
	"import_lines",
	"inbox",
	"installments",
	"loan_positions",
	"payments",
	"portfolio_days",
	"portfolios",
	"webhook_deliveries",
	"webhook_events",
	"webhook_receipts",
	"webhook_statistics",
];
