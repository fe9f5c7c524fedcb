ALTER TABLE `webhook_endpoints` ADD `wakes_at` integer;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'eac70ba1f8bb4faa1356251729c346dfcf1bdf2bfe8b56b13f3d1abc06e6397c') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
