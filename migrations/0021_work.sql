CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`lane` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dead_letters_list` ON `dead_letters` (`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `troubled_since` integer;--> statement-breakpoint
CREATE INDEX `webhook_endpoints_troubled` ON `webhook_endpoints` (`troubled_since`,`id`) WHERE troubled_since is not null;--> statement-breakpoint
CREATE INDEX `activations_undecided` ON `activations` (`otp_confirmed_at`,`id`) WHERE status = 'OTP_CONFIRMED' and completed_at is null;--> statement-breakpoint
CREATE INDEX `closures_undecided` ON `closures` (`otp_confirmed_at`,`id`) WHERE status = 'OTP_CONFIRMED';--> statement-breakpoint
CREATE INDEX `custodian_instructions_waiting` ON `custodian_instructions` (`created_at`,`id`) WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX `current_accounts_undecided` ON `current_accounts` (`updated_at`,`id`) WHERE wallet_onboarding_status = 'SUBMITTED' and status <> 'CLOSED';--> statement-breakpoint
CREATE INDEX `disbursements_waiting` ON `disbursements` (`created_at`,`id`) WHERE status not in ('SUCCEEDED', 'FAILED');--> statement-breakpoint
CREATE INDEX `transfers_waiting` ON `transfers` (`created_at`,`id`) WHERE status = 'PENDING';
--> statement-breakpoint
UPDATE webhook_endpoints SET troubled_since = coalesce(suspended_at, updated_at) WHERE status = 'SUSPENDED' OR failures_in_row > 0;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'ee52483b69684196bfde4c1309ff10cf0ac4b1313d6718655b69273b79e1b530') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
