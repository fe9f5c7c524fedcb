ALTER TABLE `payment_connections` ADD `balances` text;--> statement-breakpoint
ALTER TABLE `payment_connections` ADD `balances_at` integer;--> statement-breakpoint
ALTER TABLE `payment_connections` ADD `check_id` text;--> statement-breakpoint
ALTER TABLE `payment_connections` ADD `checked_at` integer;--> statement-breakpoint
ALTER TABLE `payment_connections` ADD `check_outcome` text;--> statement-breakpoint
ALTER TABLE `payment_connections` ADD `check_result` text;--> statement-breakpoint
ALTER TABLE `payment_connections` ADD `next_balance_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `payment_connections_checked` ON `payment_connections` (`check_id`);--> statement-breakpoint
CREATE INDEX `payment_connections_balance` ON `payment_connections` (`next_balance_at`) WHERE payouts = 1;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'b4b30661d8e71d9a391e8b95bc1b13081eef0d51ce243e744d90392292157a71'), (38, 'b4b30661d8e71d9a391e8b95bc1b13081eef0d51ce243e744d90392292157a71') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
