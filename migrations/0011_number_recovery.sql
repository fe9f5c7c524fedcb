ALTER TABLE `current_accounts` ADD `frozen_for` text;--> statement-breakpoint
ALTER TABLE `mobile_number_changes` ADD `not_before` integer;--> statement-breakpoint
ALTER TABLE `mobile_number_changes` ADD `due_at` integer;--> statement-breakpoint
CREATE INDEX `mobile_number_changes_due` ON `mobile_number_changes` (`due_at`) WHERE status = 'AUTHORIZED' and due_at is not null;--> statement-breakpoint
CREATE INDEX `mobile_number_changes_recoveries` ON `mobile_number_changes` (`user_id`,`created_at`) WHERE not_before is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '00012aff1c765adca9f448e853ed2fdaab8e30e4e3c164ddc301ca2598bd1fd6') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
