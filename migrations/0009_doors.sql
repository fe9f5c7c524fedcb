ALTER TABLE `sessions` ADD `issuer_kind` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `authenticated_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `within` text;--> statement-breakpoint
ALTER TABLE `users` ADD `display_name` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '6d1fe1f6ddcb1bdca80ff093c07b058ce58631c48979fafa6fe8a31fbb07274a') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
