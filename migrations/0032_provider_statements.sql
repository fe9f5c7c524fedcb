CREATE TABLE `provider_statements` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`channel` text NOT NULL,
	`number` text NOT NULL,
	`account` text NOT NULL,
	`currency` text NOT NULL,
	`from_day` text NOT NULL,
	`to_day` text NOT NULL,
	`name` text NOT NULL,
	`sha256` text NOT NULL,
	`mapping` text NOT NULL,
	`expects` text NOT NULL,
	`header` text,
	`status` text NOT NULL,
	`rows` integer NOT NULL,
	`revision` integer NOT NULL,
	`round` integer NOT NULL,
	`cursor` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "provider_statements_days_order" CHECK(from_day <= to_day)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `provider_statements_once` ON `provider_statements` (`organization_id`,`channel`,`number`,`account`,`sha256`) WHERE status <> 'DISCARDED';--> statement-breakpoint
CREATE INDEX `provider_statements_days` ON `provider_statements` (`organization_id`,`channel`,`number`,`account`,`from_day`);--> statement-breakpoint
CREATE INDEX `provider_statements_list` ON `provider_statements` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `provider_statements_work` ON `provider_statements` (`updated_at`) WHERE status in ('MATCHING', 'SEEKING', 'LOOKING', 'DISCARDING');--> statement-breakpoint
CREATE TABLE `statement_breaks` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`statement_id` text NOT NULL,
	`row` integer,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`action` text NOT NULL,
	`day` text NOT NULL,
	`at` integer NOT NULL,
	`receipt` text,
	`reference` text,
	`amount` integer,
	`recorded` integer,
	`difference` integer NOT NULL,
	`currency` text NOT NULL,
	`fact_kind` text,
	`fact_key` text,
	`recorded_id` text,
	`decided_by` text,
	`decided_at` integer,
	`reason` text,
	`payment_id` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "statement_breaks_line" CHECK((kind = 'MISSING_THERE') = ("row" is null) and ("row" is null) = (amount is null)),
	CONSTRAINT "statement_breaks_decided" CHECK((status in ('RECORDED', 'EXPLAINED')) <= (decided_by is not null and decided_at is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `statement_breaks_of_line` ON `statement_breaks` (`statement_id`,`row`) WHERE "row" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `statement_breaks_missing_there` ON `statement_breaks` (`organization_id`,`fact_kind`,`fact_key`) WHERE "row" is null;--> statement-breakpoint
CREATE INDEX `statement_breaks_list` ON `statement_breaks` (`organization_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `statement_breaks_of_statement` ON `statement_breaks` (`statement_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `statement_breaks_open` ON `statement_breaks` (`created_at`,`id`) WHERE status = 'OPEN';--> statement-breakpoint
CREATE TABLE `statement_days` (
	`statement_id` text NOT NULL,
	`day` text NOT NULL,
	`organization_id` text NOT NULL,
	`lines` integer NOT NULL,
	`money_in` integer NOT NULL,
	`money_out` integer NOT NULL,
	`charges` integer NOT NULL,
	`opening` integer,
	`closing` integer,
	`difference` integer,
	PRIMARY KEY(`statement_id`, `day`)
);
--> statement-breakpoint
CREATE INDEX `statement_days_untied` ON `statement_days` (`organization_id`,`day`) WHERE difference <> 0;--> statement-breakpoint
CREATE TABLE `statement_lines` (
	`statement_id` text NOT NULL,
	`row` integer NOT NULL,
	`organization_id` text NOT NULL,
	`at` integer NOT NULL,
	`day` text NOT NULL,
	`kind` text NOT NULL,
	`receipt` text,
	`linked` text,
	`reference` text,
	`amount` integer NOT NULL,
	`fee` integer NOT NULL,
	`balance` integer,
	`status` text NOT NULL,
	`round` integer NOT NULL,
	`fact_kind` text,
	`fact_key` text,
	`revision` integer NOT NULL,
	PRIMARY KEY(`statement_id`, `row`),
	CONSTRAINT "statement_lines_amount" CHECK(amount between -9007199254740991 and 9007199254740991 and fee between 0 and 9007199254740991),
	CONSTRAINT "statement_lines_fact" CHECK((fact_key is null) = (fact_kind is null))
);
--> statement-breakpoint
CREATE INDEX `statement_lines_work` ON `statement_lines` (`statement_id`,`status`,`round`,`row`) WHERE status <> 'MATCHED';--> statement-breakpoint
CREATE INDEX `statement_lines_of_fact` ON `statement_lines` (`organization_id`,`fact_key`) WHERE fact_key is not null;--> statement-breakpoint
CREATE INDEX `disbursements_by_transaction` ON `disbursements` (`organization_id`,`mobile_money_transaction_id`) WHERE instruction is not null and mobile_money_transaction_id is not null;--> statement-breakpoint
CREATE INDEX `disbursements_paid_of` ON `disbursements` (`organization_id`,`occurred_at`,`id`) WHERE instruction is not null and mobile_money_transaction_id is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (32, '2aff41f62ef50a4e919a6bfe8f39b05913b2d0f2c5861eb573e40cd3f3b4e6ab');
