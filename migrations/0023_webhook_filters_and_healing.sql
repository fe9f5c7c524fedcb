ALTER TABLE `webhook_endpoints` ADD `filter` text;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `auto_recover` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `probe_at` integer;--> statement-breakpoint
CREATE INDEX `webhook_endpoints_probed` ON `webhook_endpoints` (`probe_at`) WHERE probe_at is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'c4195dcb206c8fc53665b54c218ee1dc1ee69c1a0cce4e0234c8210cc81ef588') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
