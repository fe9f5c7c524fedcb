ALTER TABLE `sessions` ADD `caution_until` integer;--> statement-breakpoint
CREATE INDEX `messages_asked` ON `messages` (`created_at`) WHERE category is null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '1c9066ba77e3ce3fde6af505cdc0a2b7544ac836326bb9ea0514f5dabad23d76') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
