CREATE TABLE `daraja_confirmations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`transaction_id` text NOT NULL,
	`amount` integer NOT NULL,
	`sealed` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `daraja_confirmations_once` ON `daraja_confirmations` (`organization_id`,`transaction_id`,`amount`);--> statement-breakpoint
CREATE INDEX `daraja_confirmations_due` ON `daraja_confirmations` (`next_attempt_at`) WHERE status = 'WAITING';--> statement-breakpoint
CREATE INDEX `daraja_confirmations_over` ON `daraja_confirmations` (`created_at`) WHERE status <> 'WAITING';--> statement-breakpoint
ALTER TABLE `payment_connections` ADD `address_version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `payment_connections` ADD `reject_unknown_accounts` integer DEFAULT false NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '62e230fef9c602dbfb15b38f0fa093264075af8e7342101c04bd3962908c5ce3'), (30, '62e230fef9c602dbfb15b38f0fa093264075af8e7342101c04bd3962908c5ce3') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
