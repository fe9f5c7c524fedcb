ALTER TABLE `sessions` ADD `caution_until` integer;--> statement-breakpoint
CREATE INDEX `messages_asked` ON `messages` (`created_at`) WHERE category is null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '7095ac35c0bcbf9b67f220271b5c227b826e80c289b75131c452bd2afd5777cf') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
