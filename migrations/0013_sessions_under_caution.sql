ALTER TABLE `sessions` ADD `caution_until` integer;--> statement-breakpoint
CREATE INDEX `messages_asked` ON `messages` (`created_at`) WHERE category is null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '7951b2fc18c350e3b07d43db2843fead473d76375c29cca9b56a731f8048d590') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
