CREATE TABLE `credit_bureau_disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`user_id` text NOT NULL,
	`reason` text,
	`resolution` text,
	`opened_by` text NOT NULL,
	`resolved_by` text,
	`created_at` integer NOT NULL,
	`resolved_at` integer,
	CONSTRAINT "credit_bureau_disputes_resolved" CHECK((resolved_at is null) = (resolved_by is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_bureau_disputes_open` ON `credit_bureau_disputes` (`account_id`) WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX `credit_bureau_disputes_of` ON `credit_bureau_disputes` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `credit_bureau_disputes_of_user` ON `credit_bureau_disputes` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `credit_bureau_files` (
	`organization_id` text NOT NULL,
	`month` text NOT NULL,
	`last_day` text NOT NULL,
	`currency` text NOT NULL,
	`threshold` integer NOT NULL,
	`notice_days` integer NOT NULL,
	`accounts` integer NOT NULL,
	`corrections` integer NOT NULL,
	`left_out` integer NOT NULL,
	`negative` integer NOT NULL,
	`disputed` integer NOT NULL,
	`made_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `month`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `credit_bureau_identities` (
	`user_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`document_type` text NOT NULL,
	`document_number` text NOT NULL,
	`document_country` text NOT NULL,
	`stated_by` text NOT NULL,
	`stated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `credit_bureau_listings` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`user_id` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`noticed_on` text NOT NULL,
	`listable_from` text NOT NULL,
	`status` text NOT NULL,
	`listed_month` text,
	`ended_month` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "credit_bureau_listings_listed" CHECK(status <> 'LISTED' or listed_month is not null),
	CONSTRAINT "credit_bureau_listings_ended" CHECK((status = 'ENDED') = (ended_month is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_bureau_listings_open` ON `credit_bureau_listings` (`account_id`) WHERE status <> 'ENDED';--> statement-breakpoint
CREATE INDEX `credit_bureau_listings_of` ON `credit_bureau_listings` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `credit_bureau_listings_of_user` ON `credit_bureau_listings` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `credit_bureau_rows` (
	`organization_id` text NOT NULL,
	`month` text NOT NULL,
	`part` text NOT NULL,
	`number` integer NOT NULL,
	`account_id` text NOT NULL,
	`user_id` text NOT NULL,
	`account_number` text NOT NULL,
	`about` text NOT NULL,
	`corrects_month` text,
	`corrects_number` integer,
	`reason` text,
	`name` text,
	`mobile_number` text,
	`document_type` text,
	`document_number` text,
	`document_country` text,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`opened_on` text NOT NULL,
	`owed` integer NOT NULL,
	`overdue` integer NOT NULL,
	`days_past_due` integer NOT NULL,
	`paid_on` text,
	`paid_amount` integer,
	`negative` integer NOT NULL,
	`disputed` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `month`, `part`, `number`),
	CONSTRAINT "credit_bureau_rows_part" CHECK((part = 'LEFT_OUT') = (reason is not null)),
	CONSTRAINT "credit_bureau_rows_corrects" CHECK((about <> month) = (corrects_month is not null))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_bureau_rows_once` ON `credit_bureau_rows` (`account_id`,`about`,`month`);--> statement-breakpoint
CREATE INDEX `credit_bureau_rows_of_user` ON `credit_bureau_rows` (`user_id`,`about`,`month`,`account_id`);--> statement-breakpoint
CREATE TABLE `credit_bureau_settings` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`enabled` integer NOT NULL,
	`currency` text NOT NULL,
	`threshold` integer NOT NULL,
	`notice_days` integer NOT NULL,
	`month` text NOT NULL,
	`walk` text,
	`next_work_at` integer,
	`updated_at` integer NOT NULL,
	CONSTRAINT "credit_bureau_settings_notice" CHECK(notice_days >= 30 and threshold >= 0),
	CONSTRAINT "credit_bureau_settings_due_if_on" CHECK((enabled = 1) = (next_work_at is not null))
);
--> statement-breakpoint
CREATE INDEX `credit_bureau_settings_due` ON `credit_bureau_settings` (`next_work_at`) WHERE next_work_at is not null;
--> statement-breakpoint
CREATE TRIGGER `credit_bureau_files_kept` BEFORE UPDATE ON `credit_bureau_files` BEGIN SELECT RAISE(ABORT, 'files never change'); END;
--> statement-breakpoint
CREATE TRIGGER `credit_bureau_files_stay` BEFORE DELETE ON `credit_bureau_files` BEGIN SELECT RAISE(ABORT, 'files never change'); END;
--> statement-breakpoint
CREATE TRIGGER `credit_bureau_rows_before_the_file` BEFORE INSERT ON `credit_bureau_rows` WHEN EXISTS (SELECT 1 FROM `credit_bureau_files` f WHERE f.organization_id = NEW.organization_id AND f.month = NEW.month) BEGIN SELECT RAISE(ABORT, 'the file is made'); END;
--> statement-breakpoint
CREATE TRIGGER `credit_bureau_rows_kept` BEFORE UPDATE ON `credit_bureau_rows` WHEN NEW.name IS NOT NULL OR NEW.mobile_number IS NOT NULL OR NEW.document_number IS NOT NULL OR NEW.document_type IS NOT OLD.document_type OR NEW.document_country IS NOT OLD.document_country OR NEW.organization_id <> OLD.organization_id OR NEW.month <> OLD.month OR NEW.part <> OLD.part OR NEW.number <> OLD.number OR NEW.account_id <> OLD.account_id OR NEW.user_id <> OLD.user_id OR NEW.account_number <> OLD.account_number OR NEW.about <> OLD.about OR NEW.corrects_month IS NOT OLD.corrects_month OR NEW.corrects_number IS NOT OLD.corrects_number OR NEW.reason IS NOT OLD.reason OR NEW.currency <> OLD.currency OR NEW.status <> OLD.status OR NEW.opened_on <> OLD.opened_on OR NEW.owed <> OLD.owed OR NEW.overdue <> OLD.overdue OR NEW.days_past_due <> OLD.days_past_due OR NEW.paid_on IS NOT OLD.paid_on OR NEW.paid_amount IS NOT OLD.paid_amount OR NEW.negative <> OLD.negative OR NEW.disputed <> OLD.disputed BEGIN SELECT RAISE(ABORT, 'files never change'); END;
--> statement-breakpoint
CREATE TRIGGER `credit_bureau_rows_stay` BEFORE DELETE ON `credit_bureau_rows` BEGIN SELECT RAISE(ABORT, 'files never change'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (36, '149177cbfc6ecccf3938c0fa32090f47b64fb9472babd983b9910609939e8721');
