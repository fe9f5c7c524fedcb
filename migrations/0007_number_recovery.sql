ALTER TABLE `current_accounts` ADD `frozen_for` text;--> statement-breakpoint
ALTER TABLE `mobile_number_changes` ADD `not_before` integer;--> statement-breakpoint
ALTER TABLE `mobile_number_changes` ADD `due_at` integer;--> statement-breakpoint
CREATE INDEX `mobile_number_changes_due` ON `mobile_number_changes` (`due_at`) WHERE status = 'AUTHORIZED' and due_at is not null;--> statement-breakpoint
CREATE INDEX `mobile_number_changes_recoveries` ON `mobile_number_changes` (`user_id`) WHERE not_before is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '4cbcc99449b1c6f949bfb437e01c9d9e055b4d16838759fa85e42b604c8ba242') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
