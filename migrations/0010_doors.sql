ALTER TABLE `sessions` ADD `issuer_kind` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `authenticated_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `within` text;--> statement-breakpoint
ALTER TABLE `users` ADD `display_name` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'ea68a128ccc987dfd81f0ca407590cbe2cdce74077e6fcc008a0d48cbe7f7776') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
