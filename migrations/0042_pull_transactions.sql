ALTER TABLE `payment_connections` ADD `pull` text;--> statement-breakpoint
ALTER TABLE `payment_connections` ADD `next_pull_at` integer;--> statement-breakpoint
CREATE INDEX `payment_connections_pull` ON `payment_connections` (`next_pull_at`) WHERE next_pull_at is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '503264e6284df0cc33fcfbab9fb14e5e4d426f47385930755650d421fbc01319'), (42, '503264e6284df0cc33fcfbab9fb14e5e4d426f47385930755650d421fbc01319') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
