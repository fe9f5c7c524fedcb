ALTER TABLE `current_accounts` ADD `frozen_for` text;--> statement-breakpoint
ALTER TABLE `mobile_number_changes` ADD `not_before` integer;--> statement-breakpoint
ALTER TABLE `mobile_number_changes` ADD `due_at` integer;--> statement-breakpoint
CREATE INDEX `mobile_number_changes_due` ON `mobile_number_changes` (`due_at`) WHERE status = 'AUTHORIZED' and due_at is not null;--> statement-breakpoint
CREATE INDEX `mobile_number_changes_recoveries` ON `mobile_number_changes` (`user_id`,`created_at`) WHERE not_before is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '0ce20756b97df48c459680e6fc41bc7f41b89fa35c2fddc81b0fe89e9935b552') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
