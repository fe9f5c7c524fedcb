DROP INDEX `webhook_deliveries_failed_by_type`;--> statement-breakpoint
DROP INDEX `webhook_deliveries_of_failed_by_type`;--> statement-breakpoint
DROP INDEX `webhook_deliveries_by_type`;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_by_type` ON `webhook_deliveries` (`organization_id`,`webhook_id`,`event_type`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_type` ON `webhook_deliveries` (`organization_id`,`event_type`,`status`,`created_at`,`id`);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '4967a9e819baa279f5d315d417294bc07b9ebf2ab896179c11d926bec423a067') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
