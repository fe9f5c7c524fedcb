CREATE TABLE `loan_positions` (
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`loan_product_id` text NOT NULL,
	`is_open` integer DEFAULT true NOT NULL,
	`closed_on` text,
	`since` text NOT NULL,
	`as_of` text NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`book_from` integer DEFAULT 1 NOT NULL,
	`principal` integer DEFAULT 0 NOT NULL,
	`interest` integer DEFAULT 0 NOT NULL,
	`arrears` integer DEFAULT 0 NOT NULL,
	`penalty` integer DEFAULT 0 NOT NULL,
	`refund_uncovered` integer DEFAULT 0 NOT NULL,
	`overpaid` integer DEFAULT 0 NOT NULL,
	`overdue` integer DEFAULT 0 NOT NULL,
	`oldest_due` text,
	`changed_on` text,
	PRIMARY KEY(`organization_id`, `account_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `loan_positions_open` ON `loan_positions` (`organization_id`,`loan_product_id`,`account_id`) WHERE is_open;--> statement-breakpoint
CREATE INDEX `loan_positions_overdue` ON `loan_positions` (`organization_id`,`oldest_due`,`account_id`) WHERE oldest_due is not null;--> statement-breakpoint
CREATE INDEX `loan_positions_overdue_of_product` ON `loan_positions` (`organization_id`,`loan_product_id`,`oldest_due`,`account_id`) WHERE oldest_due is not null;--> statement-breakpoint
CREATE TABLE `portfolio_days` (
	`organization_id` text NOT NULL,
	`loan_product_id` text NOT NULL,
	`day` text NOT NULL,
	`principal` integer NOT NULL,
	`interest` integer NOT NULL,
	`arrears` integer NOT NULL,
	`penalty` integer NOT NULL,
	`refund_uncovered` integer NOT NULL,
	`overpaid` integer NOT NULL,
	`accounts` integer NOT NULL,
	`walked` integer NOT NULL,
	`accounts_over0` integer NOT NULL,
	`principal_over0` integer NOT NULL,
	`accounts_over30` integer NOT NULL,
	`principal_over30` integer NOT NULL,
	`accounts_over60` integer NOT NULL,
	`principal_over60` integer NOT NULL,
	`accounts_over90` integer NOT NULL,
	`principal_over90` integer NOT NULL,
	`drawn` integer NOT NULL,
	`rolled_over` integer NOT NULL,
	`fees` integer NOT NULL,
	`interest_earned` integer NOT NULL,
	`penalties_charged` integer NOT NULL,
	`refunded_uncovered` integer NOT NULL,
	`paid_principal` integer NOT NULL,
	`paid_interest` integer NOT NULL,
	`paid_penalty` integer NOT NULL,
	`paid_refund_uncovered` integer NOT NULL,
	`waived_principal` integer NOT NULL,
	`waived_interest` integer NOT NULL,
	`waived_penalty` integer NOT NULL,
	`waived_refund_uncovered` integer NOT NULL,
	`written_off_principal` integer NOT NULL,
	`written_off_interest` integer NOT NULL,
	`written_off_penalty` integer NOT NULL,
	`written_off_refund_uncovered` integer NOT NULL,
	`recovered` integer NOT NULL,
	`overpayment_received` integer NOT NULL,
	`overpayment_used` integer NOT NULL,
	`refunded` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `loan_product_id`, `day`),
	CONSTRAINT "portfolio_days_principal" CHECK(principal = drawn + rolled_over - paid_principal - waived_principal - written_off_principal),
	CONSTRAINT "portfolio_days_interest" CHECK(interest + arrears = fees + interest_earned - paid_interest - waived_interest - written_off_interest),
	CONSTRAINT "portfolio_days_penalty" CHECK(penalty = penalties_charged - paid_penalty - waived_penalty - written_off_penalty),
	CONSTRAINT "portfolio_days_refund_uncovered" CHECK(refund_uncovered = refunded_uncovered - paid_refund_uncovered - waived_refund_uncovered - written_off_refund_uncovered),
	CONSTRAINT "portfolio_days_overpaid" CHECK(overpaid = overpayment_received + rolled_over - overpayment_used - refunded)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `portfolios` (
	`organization_id` text NOT NULL,
	`loan_product_id` text NOT NULL,
	`id` text NOT NULL,
	`currency` text NOT NULL,
	`time_zone` text NOT NULL,
	`closed_through` text NOT NULL,
	`closing` text,
	`cursor` text,
	`fault` text,
	`faulted_at` integer,
	`next_close_at` integer,
	PRIMARY KEY(`organization_id`, `loan_product_id`),
	CONSTRAINT "portfolios_fault" CHECK((fault is null) = (faulted_at is null) and (fault is null or next_close_at is null))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `portfolios_due` ON `portfolios` (`next_close_at`) WHERE next_close_at is not null;--> statement-breakpoint
CREATE INDEX `portfolios_faulted` ON `portfolios` (`faulted_at`,`id`) WHERE fault is not null;--> statement-breakpoint
ALTER TABLE `account_transactions` ADD `organization_id` text;--> statement-breakpoint
CREATE INDEX `account_transactions_of` ON `account_transactions` (`organization_id`,`posted_at`,`id`);
--> statement-breakpoint
-- Accounts of which something was posted before there were portfolios: they are in one from today on, and its first day has their past.
INSERT INTO portfolios (organization_id, loan_product_id, id, currency, time_zone, closed_through, next_close_at)
SELECT coalesce(a.organization_id, ''), a.loan_product_id, min(a.id), min(a.currency), min(a.terms ->> 'timeZone'), date('now', '-1 day'), 0
FROM credit_accounts a WHERE a.last_position > 0 GROUP BY coalesce(a.organization_id, ''), a.loan_product_id;
--> statement-breakpoint
INSERT INTO loan_positions (organization_id, account_id, loan_product_id, since, as_of)
SELECT coalesce(a.organization_id, ''), a.id, a.loan_product_id, date('now'), date('now', '-1 day')
FROM credit_accounts a WHERE a.last_position > 0;
--> statement-breakpoint
DROP TRIGGER account_transactions_append_only;
--> statement-breakpoint
UPDATE account_transactions SET organization_id = coalesce((SELECT a.organization_id FROM credit_accounts a WHERE a.id = account_transactions.account_id), '');
--> statement-breakpoint
CREATE TRIGGER `account_transactions_append_only` BEFORE UPDATE ON `account_transactions` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '95980a60bc20fea28ec23b242c78be0f84f673e1e38fd77089ebf5a6203e1b1a') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
