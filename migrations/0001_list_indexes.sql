DROP INDEX `webhook_deliveries_failed_by_type`;--> statement-breakpoint
DROP INDEX `webhook_deliveries_of_failed_by_type`;--> statement-breakpoint
DROP INDEX `webhook_deliveries_by_type`;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_by_type` ON `webhook_deliveries` (`organization_id`,`webhook_id`,`event_type`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_type` ON `webhook_deliveries` (`organization_id`,`event_type`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `approvals_of_by_type_and_status` ON `approvals` (`organization_id`,`approval_type`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `approvals_by_type_and_status` ON `approvals` (`approval_type`,`status`,`created_at`,`id`);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'de897e44e4f8144a4cbdf78be39d1bc5dbd0a2b62f7456c0478881429ebac1ac') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
