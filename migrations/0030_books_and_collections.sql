CREATE TABLE `follow_ups` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`account_id` text,
	`type` text NOT NULL,
	`body` text,
	`amount` integer,
	`currency` text,
	`day` text,
	`status` text,
	`position` integer,
	`check_at` integer,
	`author` text NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "follow_ups_promise" CHECK((type = 'PROMISE') = (status is not null)),
	CONSTRAINT "follow_ups_open" CHECK((status is 'OPEN') = (check_at is not null))
);
--> statement-breakpoint
CREATE INDEX `follow_ups_of_user` ON `follow_ups` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `follow_ups_of_account` ON `follow_ups` (`account_id`,`created_at`,`id`) WHERE account_id is not null;--> statement-breakpoint
CREATE INDEX `follow_ups_by_status` ON `follow_ups` (`organization_id`,`status`,`created_at`,`id`) WHERE status is not null;--> statement-breakpoint
CREATE INDEX `follow_ups_promises` ON `follow_ups` (`account_id`,`created_at`,`id`) WHERE type = 'PROMISE';--> statement-breakpoint
CREATE INDEX `follow_ups_check` ON `follow_ups` (`check_at`) WHERE check_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `follow_ups_promised_once` ON `follow_ups` (`account_id`) WHERE status = 'OPEN';--> statement-breakpoint
CREATE UNIQUE INDEX `follow_ups_reminded_once` ON `follow_ups` (`account_id`,`day`) WHERE type = 'REMINDER';--> statement-breakpoint
CREATE TABLE `work_owners` (
	`organization_id` text NOT NULL,
	`subject_id` text NOT NULL,
	`kind` text NOT NULL,
	`owner_id` text NOT NULL,
	`assigned_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `subject_id`)
);
--> statement-breakpoint
DROP INDEX `credit_accounts_due_on`;--> statement-breakpoint
CREATE INDEX `credit_accounts_outstanding` ON `credit_accounts` (`organization_id`,`principal_outstanding`,`id`) WHERE principal_outstanding > 0;--> statement-breakpoint
CREATE INDEX `credit_accounts_of_product` ON `credit_accounts` (`organization_id`,`loan_product_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `credit_accounts_by_status` ON `credit_accounts` (`organization_id`,`status`,`created_at`,`id`) WHERE status in ('SUSPENDED', 'IN_ARREARS', 'DEFAULTED', 'WRITTEN_OFF');--> statement-breakpoint
CREATE INDEX `credit_accounts_due_on` ON `credit_accounts` (`organization_id`,`earliest_due`,`id`) WHERE earliest_due is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (30, 'efa0ec7c6fcdd438ad5d2b9d84f938f5ce85b19139a7e8c7121ec3324bd1ae9f');
