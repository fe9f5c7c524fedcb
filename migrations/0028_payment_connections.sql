CREATE TABLE `payment_connections` (
	`organization_id` text NOT NULL,
	`provider` text NOT NULL,
	`version` integer NOT NULL,
	`environment` text NOT NULL,
	`short_code` text NOT NULL,
	`payouts` integer NOT NULL,
	`has_passkey` integer NOT NULL,
	`has_initiator` integer NOT NULL,
	`sealed` text NOT NULL,
	`status` text NOT NULL,
	`paused_reason` text,
	`paused_until` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `provider`)
);
--> statement-breakpoint
ALTER TABLE `disbursements` ADD `provider` text;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `harmless_attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `told_at` integer;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `refusal` text;--> statement-breakpoint
CREATE INDEX `disbursements_asked` ON `disbursements` (`next_attempt_at`) WHERE status = 'ACCEPTED' and provider is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '859f046334f729ff9f23d403851dc799e36cef589fcb00279d804b0cb533c042') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
