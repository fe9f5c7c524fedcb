ALTER TABLE `webhook_recoveries` ADD `created` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_recoveries` ADD `retried` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_recoveries` ADD `remaining` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_recoveries` ADD `due_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_recoveries_of` ON `webhook_recoveries` (`webhook_id`);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '5880af48dbe4451c274375404793d2398337c11e002e1e8596ac5dbbbc800cca') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
