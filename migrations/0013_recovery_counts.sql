ALTER TABLE `webhook_recoveries` ADD `created` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_recoveries` ADD `retried` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_recoveries` ADD `remaining` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_recoveries` ADD `due_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_recoveries_of` ON `webhook_recoveries` (`webhook_id`);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '69d9e0efe8917d343bfbc1ef0348a407a506c9f77dcaa39434693c3946c88d85') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
