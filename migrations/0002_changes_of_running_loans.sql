DROP INDEX `account_transactions_list`;--> statement-breakpoint
ALTER TABLE `account_transactions` ADD `due_dates` text;--> statement-breakpoint
ALTER TABLE `account_transactions` ADD `valid_until` text;--> statement-breakpoint
CREATE INDEX `account_transactions_list` ON `account_transactions` (`account_id`,`posted_at`,`id`) WHERE kind in ('REPAYMENT', 'REVERSAL', 'WAIVER', 'REFUND', 'WRITE_OFF', 'RESCHEDULE', 'SETTLEMENT');--> statement-breakpoint
ALTER TABLE `credit_accounts` ADD `in_duplum_told_on` text;--> statement-breakpoint
ALTER TABLE `loan_products` ADD `in_duplum` text DEFAULT '{"sinceDefault":true}' NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'ddb7a98d68afe2576ba824a40c83301476ccb5da8e91bf10c0ba2845066ef93b') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
