ALTER TABLE `webhook_endpoints` ADD `wakes_at` integer;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '7c0b2fc7f5733e54237b7247649c7e63410bab97d5a50cd6b4824baa0302caa7') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
