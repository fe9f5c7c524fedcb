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
CREATE TABLE `provider_charges` (
	`organization_id` text NOT NULL,
	`channel` text NOT NULL,
	`number` text NOT NULL,
	`account` text NOT NULL,
	`currency` text NOT NULL,
	`day` text NOT NULL,
	`id` text NOT NULL,
	`amount` integer NOT NULL,
	`booked_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `channel`, `number`, `account`, `currency`, `day`),
	CONSTRAINT "provider_charges_amount" CHECK(amount between -9007199254740991 and 9007199254740991)
) WITHOUT ROWID;
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
INSERT INTO `schema_version` (`id`, `hash`) VALUES (37, '323f688c930ecb559e27f6a5a2af22340ed4a57f2781ee834e7dc123cb034050');
