DROP INDEX `daraja_confirmations_over`;--> statement-breakpoint
ALTER TABLE `daraja_confirmations` ADD `asked_since` integer;--> statement-breakpoint
ALTER TABLE `daraja_confirmations` ADD `contradicted_at` integer;--> statement-breakpoint
CREATE INDEX `daraja_confirmations_work` ON `daraja_confirmations` (`created_at`,`id`) WHERE (status not in ('VERIFIED', 'DISMISSED') or contradicted_at is not null);--> statement-breakpoint
CREATE INDEX `daraja_confirmations_work_of` ON `daraja_confirmations` (`organization_id`,`created_at`,`id`) WHERE (status not in ('VERIFIED', 'DISMISSED') or contradicted_at is not null);--> statement-breakpoint
CREATE INDEX `daraja_confirmations_over` ON `daraja_confirmations` (`created_at`) WHERE (status in ('VERIFIED', 'REFUTED', 'DISMISSED') and contradicted_at is null);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (9, '3c41f6289ce34f41d0a0895170eb889e794becb2bf7e0452ddc52ce9ab92a0c5');
