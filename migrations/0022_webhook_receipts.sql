CREATE TABLE `webhook_receipts` (
	`organization_id` blob NOT NULL,
	`id` blob NOT NULL,
	`webhook_id` blob NOT NULL,
	`event_id` blob NOT NULL,
	`event_type` text NOT NULL,
	`created_at` integer NOT NULL,
	`delivered_at` integer NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer,
	`response_status` integer,
	`response_body` text,
	PRIMARY KEY(`organization_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_receipts_once` ON `webhook_receipts` (`event_id`,`webhook_id`);--> statement-breakpoint
CREATE INDEX `webhook_receipts_of` ON `webhook_receipts` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_receipts_by_type` ON `webhook_receipts` (`organization_id`,`event_type`,`id`);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '9dc000938489f036b05d0140dbabb02fb8492d82120177e044bdf552672c52d3') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
