CREATE TABLE `inbox` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`category` text NOT NULL,
	`sealed` text NOT NULL,
	`read_at` integer,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `inbox_list` ON `inbox` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `inbox_unread` ON `inbox` (`user_id`,`created_at`,`id`) WHERE read_at is null;--> statement-breakpoint
ALTER TABLE `incoming_transfers` ADD `payer_name` text;--> statement-breakpoint
ALTER TABLE `incoming_transfers` ADD `note` text;--> statement-breakpoint
ALTER TABLE `transfers` ADD `payer_name` text;--> statement-breakpoint
CREATE UNIQUE INDEX `current_account_entries_moves` ON `current_account_entries` (`account_id`,`position`) WHERE amount <> 0;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '1ad1e2e16c13dac8a311b45795f3d8d1f265719e79d7aa50c6d6e350eff35339') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
