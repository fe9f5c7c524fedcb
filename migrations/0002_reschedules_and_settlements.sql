DROP INDEX `account_transactions_list`;--> statement-breakpoint
ALTER TABLE `account_transactions` ADD `due_dates` text;--> statement-breakpoint
ALTER TABLE `account_transactions` ADD `valid_until` text;--> statement-breakpoint
CREATE INDEX `account_transactions_list` ON `account_transactions` (`account_id`,`posted_at`,`id`) WHERE kind in ('REPAYMENT', 'REVERSAL', 'WAIVER', 'REFUND', 'WRITE_OFF', 'RESCHEDULE', 'SETTLEMENT');
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '816b6ccb24b539dd46cb1d659684e16e6abade0c2b034944244062a576bb8899') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
