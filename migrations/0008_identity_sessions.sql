ALTER TABLE `sessions` ADD `issuer_kind` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `authenticated_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `within` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'f93eff5f3d895a7e625a4abe88b5cee2067f8d75a2b86a50eaac2b5f0eeb6735') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
