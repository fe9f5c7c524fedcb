// Texts for which an erasure has no place, by the reason.

/** They name nobody. */
export const IMPERSONAL: Readonly<Record<string, readonly string[]>> = {
	"gone without a place: applied and removed within minutes, or destroyed at the end of an erasure": [
		"home_messages.payload",
		"backup_keys.subject",
	],
	"codes, states and ids, whatever their columns allow": [
		...["account_transactions.actor", "approvals.failure_reason", "approvals.target_version", "closures.reasons"],
		...["current_accounts.frozen_for", "disbursements.refusal", "follow_ups.author", "loan_applications.rejection_reasons"],
		...["loan_applications.status", "payment_returns.contradiction", "payment_returns.failure_reason"],
		...["payments.unmatched_reason", "portfolios.fault", "repayment_prompts.failure_reason"],
	],
	"money, terms, days and zones": [
		...["account_transactions.due_dates", "account_transactions.valid_until", "account_transactions.value_date", "api_keys.scopes"],
		...[
			"credit_accounts.earliest_due",
			"credit_accounts.in_duplum_told_on",
			"credit_accounts.next_tenure",
			"credit_accounts.rate_schedule",
		],
		...["credit_accounts.terms", "credit_accounts.worked_through", "credit_cycles.final_due_date", "credit_cycles.start_date"],
		...["credit_cycles.terms", "current_accounts.interest_due_on", "current_accounts.time_zone", "installments.due_date"],
		...["credit_bureau_files.month", "credit_bureau_listings.ended_month", "credit_bureau_listings.listable_from"],
		...["credit_bureau_listings.listed_month", "credit_bureau_listings.noticed_on", "credit_bureau_rows.about"],
		...["credit_bureau_rows.corrects_month", "credit_bureau_rows.month", "credit_bureau_rows.opened_on", "credit_bureau_rows.paid_on"],
		...["credit_bureau_settings.month", "credit_bureau_settings.walk", "credit_bureau_rows.document_country"],
		...["issued_statements.color", "issued_statements.content"],
		...["installments.start_date", "invoices.due_date", "invoices.issued_date", "journal_entries.lines"],
		...["journal_entries.value_date", "ledger_closings.month", "ledger_days.balances", "ledgers.closed_through"],
		...["ledger_mappings.effective_from"],
		...["loan_positions.staging", "portfolio_days.stages", "provisioning_rules.effective_from", "provisioning_rules.stages"],
		...["provider_tariffs.bands", "provider_tariffs.effective_from"],
		...["loan_applications.cost", "loan_applications.payout", "loan_applications.terms", "loan_positions.as_of"],
		...["loan_positions.changed_on", "loan_positions.closed_on", "loan_positions.oldest_due", "loan_positions.since"],
		...["message_days.provider", "portfolios.closed_through", "portfolios.closing", "portfolios.time_zone"],
		...["treasury_records.value_date", "users.signed_out_except"],
	],
	"the service's own records: ids, digests, states and counts": [
		...["alerts.found", "alerts.name", "audit_rows.changes", "audit_rows.operation"],
		...["audit_rows.stream", "audit_rows.target", "audit_seals.leaves", "audit_seals.previous"],
		...["audit_seals.root", "audit_seals.signature", "audit_seals.stream", "audit_streams.head"],
		...["audit_streams.stream", "authorization_syncs.failure", "backup_heads.key_set", "backup_key_files.key_set"],
		...["backup_key_files.name", "backup_keys.file", "backup_keys.key", "backup_keys.key_set"],
		...["backup_tables.columns", "backup_tables.name", "changed_rows.key1"],
		...["changed_rows.key2", "changed_rows.key3", "changed_rows.key4", "changed_rows.relation"],
		...["home_messages.kind", "home_messages.recipient", "idempotency_records.scope"],
		...["import_accounts.fault", "rate_windows.key", "sealed_answers.scope", "webhook_deliveries.claim"],
		...["webhook_deliveries.event_type", "webhook_deliveries.last_error", "webhook_deliveries.test_data", "webhook_events.archived_for"],
		...["webhook_events.data", "webhook_events.event_key", "webhook_events.event_type", "webhook_receipts.event_type"],
		...["webhook_statistics.latencies"],
	],
	"sealed or digests: secrets of the service, and what ends by itself": [
		...["api_keys.masked_key", "erasures.sealed", "oldest_key.digest", "payment_connections.sealed"],
		...["refresh_tokens.sealed_successor", "sealed_answers.sealed", "webhook_endpoints.masked_headers", "webhook_endpoints.sealed_headers"],
		...["webhook_signing_keys.masked_secret", "webhook_signing_keys.sealed_secret"],
	],
	"what an organization says of itself, its products and its connections": [
		...["app_settings.settings", "brands.font_family", "brands.icon_url", "brands.logo_url"],
		...["brands.name", "brands.primary_color", "brands.privacy_url", "brands.secondary_color"],
		...["brands.support_email", "brands.support_phone", "brands.terms_url", "commission_models.rules"],
		...["former_connections.facts", "former_connections.short_code", "loan_products.allocation", "loan_products.deals"],
		...["loan_products.in_duplum", "loan_products.installment_every", "loan_products.name", "loan_products.payout_destinations"],
		...["loan_products.penalty_terms", "loan_products.rate_schedule", "loan_products.tenure", "loan_products.terms_text"],
		...["loan_products.time_zone", "organization_texts.texts", "organizations.name", "organizations.slug"],
		...["payment_connections.balances", "payment_connections.check_result", "payment_connections.facts", "payment_connections.pull"],
		...[
			"payment_connections.replacement",
			"payment_connections.short_code",
			"payment_connections.status_result",
			"provider_statements.account",
		],
		...["ledger_mappings.accounts"],
		...["payment_connections.low_float", "provider_charges.account", "provider_charges.number"],
		...["provider_statements.expects", "provider_statements.header", "provider_statements.mapping", "provider_statements.number"],
		...["spent_tokens.issuer", "terms_texts.text", "trusted_issuers.audience", "trusted_issuers.issuer"],
		...["trusted_issuers.settings", "webhook_endpoints.events", "webhook_endpoints.filter", "webhook_endpoints.url"],
	],
	"numbers of accounts, invoices and the transactions of providers": [
		...[
			"credit_accounts.account_number",
			"credit_bureau_rows.account_number",
			"current_accounts.account_number",
			"current_accounts.external_account_number",
			"current_accounts.external_provider",
		],
		...[
			"disbursements.paid_transaction",
			"disbursements.return_transaction",
			"disbursements.return_transaction_sent",
			"disbursements.second_receipts",
		],
		...["invoices.invoice_number", "invoices.number_key", "payment_returns.receipt", "payment_returns.short_code"],
		...["payments.transaction_id_sent", "repayment_prompts.reference", "repayment_prompts.short_code", "statement_breaks.fact_key"],
		...["statement_breaks.receipt", "statement_lines.fact_key", "statement_lines.receipt", "transfers.provider_reference"],
		...["statement_lines.charge_of", "tariff_charges.fact"],
	],
};

/** They may: operations.md says under "Copies" what stays. */
export const COLLEAGUES: Readonly<Record<string, readonly string[]>> = {
	"the words of disburser, custodian and payment provider, of which numbers and mail addresses are taken out when they come": [
		...["activations.rejection_reason", "closures.rejection_reason", "current_accounts.rejection_reasons"],
		...["custodian_decisions.rejection_reason", "disbursements.failure_reason", "disbursements.failure_told"],
		...["invoice_advances.failure_reason", "loan_applications.failure_reason", "payments.failure_reason", "transfers.failure_reason"],
	],
	"a colleague's words, with a reason for a decision": [
		...["ledger_mappings.reason"],
		...["account_transactions.reason", "invoices.comment", "ledger_closings.reason", "payment_connections.paused_reason"],
		...["payment_returns.given_up_reason", "provider_tariffs.reason", "provisioning_rules.reason", "statement_breaks.reason"],
		...["treasury_records.reason", "treasury_records.reference", "treasury_records.reference_key"],
	],
	"names that colleagues give things": [
		...["api_keys.name", "imports.name", "provider_statements.name", "webhook_endpoints.description"],
		...["webhook_endpoints.name"],
	],
};
