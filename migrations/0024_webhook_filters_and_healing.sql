ALTER TABLE `webhook_endpoints` ADD `filter` text;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `auto_recover` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `probe_at` integer;--> statement-breakpoint
CREATE INDEX `webhook_endpoints_probed` ON `webhook_endpoints` (`probe_at`) WHERE probe_at is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '8ec6acac481596b44f4ff1f5f236fd2fa9d3e12c6119813fdcd54592c8e73af8') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
