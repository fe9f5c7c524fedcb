ALTER TABLE `organization_members` ADD `display_name` text;--> statement-breakpoint
ALTER TABLE `organization_members` ADD `email` text;--> statement-breakpoint
ALTER TABLE `organization_members` ADD `tag` text;--> statement-breakpoint
ALTER TABLE `organization_members` ADD `profile_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `profile_version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX `approvals_of_entity` ON `approvals` (`entity_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `invoices_list_by_status` ON `invoices` (`organization_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `invoices_owed` ON `invoices` (`organization_id`,`status`,`due_date`,`id`) WHERE status in ('FINANCED', 'OVERDUE');
--> statement-breakpoint
UPDATE organization_members SET
	display_name = (SELECT display_name FROM users WHERE users.id = organization_members.user_id),
	email = (SELECT email FROM users WHERE users.id = organization_members.user_id),
	tag = (SELECT tag FROM users WHERE users.id = organization_members.user_id),
	profile_version = 1
WHERE EXISTS (SELECT 1 FROM users WHERE users.id = organization_members.user_id);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'fc56ff54a19e6e6a9dd6c924210964905ad2a53959d6e39b3225122d0096e348') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
