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
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'f6c4586345b2116b6e9bef56b14c70a677295e51bc2007be6917f418869681fe') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
