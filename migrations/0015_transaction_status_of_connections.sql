ALTER TABLE `payment_connections` ADD `status_outcome` text;--> statement-breakpoint
ALTER TABLE `payment_connections` ADD `status_result` text;--> statement-breakpoint
ALTER TABLE `payment_connections` ADD `status_at` integer;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (15, '95b1b54382ef7af3b6cf20fd1bbc3c4a05c7272dfc6532853fbe3293d741457d');
