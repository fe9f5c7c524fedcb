CREATE TABLE `issued_statements` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`number` integer NOT NULL,
	`account_id` text NOT NULL,
	`user_id` text NOT NULL,
	`first_day` text NOT NULL,
	`last_day` text NOT NULL,
	`holder` text,
	`locale` text NOT NULL,
	`color` text NOT NULL,
	`content` text NOT NULL,
	`sha256` text NOT NULL,
	`replaces_id` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "issued_statements_days" CHECK(first_day <= last_day)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `issued_statements_number` ON `issued_statements` (`organization_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `issued_statements_replaces` ON `issued_statements` (`replaces_id`) WHERE replaces_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `issued_statements_of_days` ON `issued_statements` (`account_id`,`first_day`,`last_day`,`number`);--> statement-breakpoint
CREATE INDEX `issued_statements_of` ON `issued_statements` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `issued_statements_of_user` ON `issued_statements` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `treasury_records` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`account` text NOT NULL,
	`to_account` text,
	`value_date` text NOT NULL,
	`reference` text NOT NULL,
	`reference_key` text NOT NULL,
	`corrects_id` text,
	`approval_id` text NOT NULL,
	`requested_by` text NOT NULL,
	`approved_by` text NOT NULL,
	`reason` text,
	`booked_at` integer NOT NULL,
	CONSTRAINT "treasury_records_amount" CHECK(amount between 1 and 9007199254740991),
	CONSTRAINT "treasury_records_accounts" CHECK(account in ('1110', '1120', '1130', '1140', '1150') and coalesce(to_account, '1110') in ('1110', '1120', '1130', '1140', '1150') and to_account is not account),
	CONSTRAINT "treasury_records_kind" CHECK((kind = 'TRANSFER') = (to_account is not null))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `treasury_records_list` ON `treasury_records` (`organization_id`,`booked_at`,`id`);--> statement-breakpoint
CREATE INDEX `treasury_records_by_reference` ON `treasury_records` (`organization_id`,`reference_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `treasury_records_corrected_once` ON `treasury_records` (`corrects_id`) WHERE corrects_id is not null;--> statement-breakpoint
CREATE TABLE `provisioning_rules` (
	`organization_id` text NOT NULL,
	`loan_product_id` text DEFAULT '' NOT NULL,
	`effective_from` text NOT NULL,
	`id` text NOT NULL,
	`stages` text NOT NULL,
	`cure_days` integer NOT NULL,
	`approval_id` text NOT NULL,
	`requested_by` text NOT NULL,
	`approved_by` text NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `loan_product_id`, `effective_from`),
	CONSTRAINT "provisioning_rules_stages" CHECK(json_type(stages) = 'array' and json_array_length(stages) between 1 and 6 and cure_days >= 0)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `provisioning_rules_by_organization` ON `provisioning_rules` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `provider_charges` (
	`organization_id` text NOT NULL,
	`channel` text NOT NULL,
	`number` text NOT NULL,
	`account` text NOT NULL,
	`currency` text NOT NULL,
	`day` text NOT NULL,
	`id` text PRIMARY KEY NOT NULL,
	`amount` integer NOT NULL,
	`booked_at` integer NOT NULL,
	CONSTRAINT "provider_charges_amount" CHECK(amount between -9007199254740991 and 9007199254740991)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `provider_charges_of_day` ON `provider_charges` (`organization_id`,`channel`,`number`,`account`,`currency`,`day`);--> statement-breakpoint
ALTER TABLE `loan_positions` ADD `staging` text;--> statement-breakpoint
ALTER TABLE `portfolio_days` ADD `stages` text;--> statement-breakpoint
ALTER TABLE `statement_breaks` ADD `asked_provider` text;--> statement-breakpoint
ALTER TABLE `statement_breaks` ADD `asked_at` integer;--> statement-breakpoint
ALTER TABLE `statement_breaks` ADD `cause` text;--> statement-breakpoint
ALTER TABLE `statement_breaks` ADD `answer` text;--> statement-breakpoint
ALTER TABLE `statement_breaks` ADD `attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `statement_breaks` ADD `next_attempt_at` integer;--> statement-breakpoint
CREATE INDEX `statement_breaks_to_ask` ON `statement_breaks` (`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX `work_owners_of` ON `work_owners` (`organization_id`,`owner_id`,`kind`,`assigned_at`,`subject_id`);--> statement-breakpoint
CREATE INDEX `work_owners_purge` ON `work_owners` (`assigned_at`) WHERE kind not in ('ACCOUNT', 'USER');
--> statement-breakpoint
UPDATE `provider_statements` SET `mapping` = json_set(`mapping`,
	'$.separator', iif(`mapping` ->> '$.separator' = ',', 'COMMA', iif(`mapping` ->> '$.separator' = ';', 'SEMICOLON', iif(`mapping` ->> '$.separator' = char(9), 'TAB', `mapping` ->> '$.separator'))),
	'$.decimal', iif(`mapping` ->> '$.decimal' = '.', 'POINT', iif(`mapping` ->> '$.decimal' = ',', 'COMMA', `mapping` ->> '$.decimal')))
WHERE `mapping` IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `issued_statements_in_order` BEFORE INSERT ON `issued_statements` WHEN NEW.number <> coalesce((SELECT max(s.number) FROM `issued_statements` s WHERE s.organization_id = NEW.organization_id), 0) + 1 OR EXISTS (SELECT 1 FROM `issued_statements` s WHERE s.id = NEW.id OR s.replaces_id = NEW.replaces_id) BEGIN SELECT RAISE(ABORT, 'statements are numbered without gaps'); END;
--> statement-breakpoint
CREATE TRIGGER `issued_statements_unchanged` BEFORE UPDATE ON `issued_statements` WHEN NEW.holder IS NOT NULL OR NEW.id <> OLD.id OR NEW.organization_id <> OLD.organization_id OR NEW.number <> OLD.number OR NEW.account_id <> OLD.account_id OR NEW.user_id <> OLD.user_id OR NEW.first_day <> OLD.first_day OR NEW.last_day <> OLD.last_day OR NEW.locale <> OLD.locale OR NEW.color <> OLD.color OR NEW.content <> OLD.content OR NEW.sha256 <> OLD.sha256 OR NEW.replaces_id IS NOT OLD.replaces_id OR NEW.created_at <> OLD.created_at BEGIN SELECT RAISE(ABORT, 'issued statements never change'); END;
--> statement-breakpoint
CREATE TRIGGER `issued_statements_kept` BEFORE DELETE ON `issued_statements` BEGIN SELECT RAISE(ABORT, 'issued statements never change'); END;
--> statement-breakpoint
CREATE TRIGGER `treasury_records_append_only` BEFORE UPDATE ON `treasury_records` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `treasury_records_kept` BEFORE DELETE ON `treasury_records` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `journal_of_treasury` AFTER INSERT ON `treasury_records` BEGIN INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at) SELECT NEW.organization_id, d, NEW.id || ':' || d || ':0', 'TREASURY', NEW.id, NULL, '', NEW.currency, NEW.value_date, NEW.corrects_id, json_array(json_array(NEW.account, m), json_array(iif(NEW.kind = 'TRANSFER', NEW.to_account, iif(NEW.kind = 'INTEREST', '5220', iif(NEW.kind IN ('BORROWED', 'REPAID'), '2310', '3100'))), -m)), NEW.booked_at FROM (SELECT date((NEW.booked_at + 10800000) / 1000, 'unixepoch') AS d, NEW.amount * iif(NEW.kind IN ('BORROWED', 'CONTRIBUTED'), 1, -1) * iif(NEW.corrects_id IS NULL, 1, -1) AS m); END;
--> statement-breakpoint
CREATE TRIGGER `journal_of_charges` AFTER INSERT ON `provider_charges` WHEN NEW.amount <> 0 BEGIN INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at) SELECT NEW.organization_id, d, NEW.id || ':' || d || ':0', 'CHARGE', NEW.id, NULL, '', NEW.currency, NEW.day, NULL, json_array(json_array('5230', NEW.amount), json_array(iif(NEW.channel = 'MPESA', '1110', iif(NEW.channel = 'MOMO', '1120', '1130')), -NEW.amount)), NEW.booked_at FROM (SELECT date((NEW.booked_at + 10800000) / 1000, 'unixepoch') AS d); END;
--> statement-breakpoint
CREATE TRIGGER `journal_of_changed_charges` AFTER UPDATE OF `amount` ON `provider_charges` WHEN NEW.amount <> OLD.amount BEGIN INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at) SELECT NEW.organization_id, d, NEW.id || ':' || d || ':' || (SELECT count(*) FROM `journal_entries` e WHERE e.organization_id = NEW.organization_id AND e.day = d AND e.id >= NEW.id || ':' AND e.id < NEW.id || ';'), 'CHARGE', NEW.id, NULL, '', NEW.currency, NEW.day, NEW.id, json_array(json_array('5230', NEW.amount - OLD.amount), json_array(iif(NEW.channel = 'MPESA', '1110', iif(NEW.channel = 'MOMO', '1120', '1130')), OLD.amount - NEW.amount)), NEW.booked_at FROM (SELECT date((NEW.booked_at + 10800000) / 1000, 'unixepoch') AS d); END;
--> statement-breakpoint
CREATE TRIGGER `provisioning_rules_append_only` BEFORE UPDATE ON `provisioning_rules` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `provisioning_rules_kept` BEFORE DELETE ON `provisioning_rules` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `provisioning_rules_of_open_days` BEFORE INSERT ON `provisioning_rules` WHEN NEW.effective_from <= (SELECT max(p.closed_through) FROM `portfolios` p WHERE p.organization_id = NEW.organization_id) BEGIN SELECT RAISE(ABORT, 'the day is closed'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (35, '76e2090794c28ebaa02a55dc124031d51a2321532763e144726d297694d27966');
