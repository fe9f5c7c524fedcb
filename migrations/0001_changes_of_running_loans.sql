DROP INDEX `account_transactions_list`;--> statement-breakpoint
ALTER TABLE `account_transactions` ADD `due_dates` text;--> statement-breakpoint
ALTER TABLE `account_transactions` ADD `valid_until` text;--> statement-breakpoint
CREATE INDEX `account_transactions_list` ON `account_transactions` (`account_id`,`posted_at`,`id`) WHERE kind in ('REPAYMENT', 'REVERSAL', 'WAIVER', 'REFUND', 'WRITE_OFF', 'RESCHEDULE', 'SETTLEMENT');--> statement-breakpoint
ALTER TABLE `credit_accounts` ADD `in_duplum_told_on` text;--> statement-breakpoint
ALTER TABLE `loan_products` ADD `in_duplum` text DEFAULT '{"sinceDefault":true}' NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '53b69b5b0930481fb0576132b6e0dab29a745152cabce3e0dbe9c55ef6d8a753') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
