ALTER TABLE `webhook_deliveries` ADD `entity_id` text;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `event_sequence` integer;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_entity` ON `webhook_deliveries` (`webhook_id`,`entity_id`,`status`,`event_sequence`) WHERE entity_id is not null and status <> 'DELIVERED';--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `ordering` text DEFAULT 'NONE' NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'a04886628cc8be1361d57b5180f1ba3c5c6ad3c5d26c8f406f9cfca8aa04a5c0') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
