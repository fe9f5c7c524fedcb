CREATE TABLE `organization_texts` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`locale` text,
	`texts` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `messages` ADD `user_id` text;--> statement-breakpoint
ALTER TABLE `users` ADD `locale` text;--> statement-breakpoint
ALTER TABLE `users` ADD `sign_in_locale` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (24, '6da1bc882a84fbd8d34d9483d8b90afaf7d3bf8b3f241c69b5f97416645e090c');
