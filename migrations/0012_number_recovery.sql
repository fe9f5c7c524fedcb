ALTER TABLE `current_accounts` ADD `frozen_for` text;--> statement-breakpoint
ALTER TABLE `mobile_number_changes` ADD `not_before` integer;--> statement-breakpoint
ALTER TABLE `mobile_number_changes` ADD `due_at` integer;--> statement-breakpoint
CREATE INDEX `mobile_number_changes_due` ON `mobile_number_changes` (`due_at`) WHERE status = 'AUTHORIZED' and due_at is not null;--> statement-breakpoint
CREATE INDEX `mobile_number_changes_recoveries` ON `mobile_number_changes` (`user_id`,`created_at`) WHERE not_before is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '2c4cc711e3d6a56ff4510ce88cf250ba7bae88c77eaaf15fff62dc02f983bb74') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
