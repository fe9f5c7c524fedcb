ALTER TABLE `webhook_endpoints` ADD `auto_recover` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `probe_at` integer;--> statement-breakpoint
CREATE INDEX `webhook_endpoints_probed` ON `webhook_endpoints` (`probe_at`) WHERE probe_at is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '325b9887ee4faa61162bcd95885086dc15531a5ed0fab01030060c48f78ff37c') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
