ALTER TABLE `sessions` ADD `device_hash` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `device_since` integer;--> statement-breakpoint
CREATE INDEX `sessions_on_device` ON `sessions` (`user_id`,`device_hash`,`created_at`) WHERE device_hash is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (19, '01bb36fc975484cc0a08e7a772dad57f51352518c85b2df9c396e219ac1415a3');
