CREATE TABLE `journal_entries` (
	`organization_id` text NOT NULL,
	`day` text NOT NULL,
	`id` text NOT NULL,
	`source` text NOT NULL,
	`source_id` text NOT NULL,
	`account_id` text,
	`loan_product_id` text DEFAULT '' NOT NULL,
	`currency` text NOT NULL,
	`value_date` text NOT NULL,
	`corrects_id` text,
	`lines` text NOT NULL,
	`booked_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `day`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ledger_days` (
	`organization_id` text NOT NULL,
	`day` text NOT NULL,
	`loan_product_id` text NOT NULL,
	`currency` text NOT NULL,
	`balances` text NOT NULL,
	PRIMARY KEY(`organization_id`, `day`, `loan_product_id`, `currency`),
	CONSTRAINT "ledger_days_balances" CHECK(json_type(balances) = 'object')
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ledgers` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`closed_through` text,
	`next_close_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `ledgers_due` ON `ledgers` (`next_close_at`);--> statement-breakpoint
ALTER TABLE `disbursements` ADD `changed_at` integer;--> statement-breakpoint
ALTER TABLE `invoice_advances` ADD `changed_at` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `changed_at` integer;
--> statement-breakpoint
INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at)
SELECT o, d, 'wallets-' || currency || ':' || d || ':0', 'OPENING', 'wallets-' || currency, NULL, '', currency, d, NULL, json_array(json_array('1150', s), json_array('2210', -s)), at
FROM (SELECT coalesce(organization_id, '') AS o, currency, sum(balance) AS s, date('now', '+3 hours') AS d, unixepoch() * 1000 AS at FROM `current_accounts` WHERE balance > 0 GROUP BY 1, 2);
--> statement-breakpoint
INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at)
SELECT o, d, 'receipts-' || currency || ':' || d || ':0', 'OPENING', 'receipts-' || currency, NULL, '', currency, d, NULL, json_array(json_array('2110', -s), json_array('3900', s)), at
FROM (SELECT iif(organization_id = 'operators', '', organization_id) AS o, currency, sum(amount) AS s, date('now', '+3 hours') AS d, unixepoch() * 1000 AS at FROM `payments` WHERE status IN ('CONFIRMED', 'UNMATCHED') GROUP BY 1, 2);
--> statement-breakpoint
INSERT INTO `ledgers` (organization_id, closed_through, next_close_at)
SELECT organization_id, date(min(day), '-1 day'), 0 FROM `journal_entries` GROUP BY 1;
--> statement-breakpoint
INSERT INTO `ledgers` (organization_id, closed_through, next_close_at)
SELECT organization_id, min(closed_through), 0 FROM `portfolios` WHERE true GROUP BY 1
ON CONFLICT (organization_id) DO UPDATE SET closed_through = min(ledgers.closed_through, excluded.closed_through);
--> statement-breakpoint
CREATE TRIGGER `journal_entries_append_only` BEFORE UPDATE ON `journal_entries` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `journal_entries_kept` BEFORE DELETE ON `journal_entries` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `journal_entries_balanced` BEFORE INSERT ON `journal_entries` WHEN (SELECT count(*) < 2 OR count(*) <> total(json_type(value, '$[1]') = 'integer' AND value ->> 1 <> 0) OR sum(value ->> 1) <> 0 FROM json_each(NEW.lines)) BEGIN SELECT RAISE(ABORT, 'debits must equal credits'); END;
--> statement-breakpoint
CREATE TRIGGER `journal_entries_of_open_days` BEFORE INSERT ON `journal_entries` WHEN NEW.day <= (SELECT l.closed_through FROM `ledgers` l WHERE l.organization_id = NEW.organization_id) BEGIN SELECT RAISE(ABORT, 'the day is closed'); END;
--> statement-breakpoint
CREATE TRIGGER `journal_entries_begin` AFTER INSERT ON `journal_entries` WHEN NOT EXISTS (SELECT 1 FROM `ledgers` l WHERE l.organization_id = NEW.organization_id) BEGIN INSERT INTO `ledgers` (organization_id, closed_through, next_close_at) VALUES (NEW.organization_id, NULL, 0); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_days_kept` BEFORE UPDATE ON `ledger_days` BEGIN SELECT RAISE(ABORT, 'closed days never change'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_days_stay` BEFORE DELETE ON `ledger_days` BEGIN SELECT RAISE(ABORT, 'closed days never change'); END;
--> statement-breakpoint
CREATE TRIGGER `journal_of_payments` AFTER INSERT ON `payments` WHEN NEW.fingerprint <> 'imported' AND iif(NEW.status IN ('FAILED', 'MATCHED'), 0, NEW.amount - NEW.reversed_amount) <> 0 BEGIN INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at) SELECT o, d, NEW.id || ':' || d || ':' || (SELECT count(*) FROM `journal_entries` e WHERE e.organization_id = o AND e.day = d AND e.id >= NEW.id || ':' AND e.id < NEW.id || ';'), 'RECEIPT', NEW.id, NEW.account_id, '', NEW.currency, date((NEW.transacted_at + 10800000) / 1000, 'unixepoch'), NULL, json_array(json_array(iif(NEW.details ->> '$.type' = 'WALLET', '1190', iif(NEW.details ->> '$.type' = 'BANK_TRANSFER', '1130', iif(NEW.details ->> '$.type' = 'AGENT_CASH', '1140', '1110'))), iif(NEW.status IN ('FAILED', 'MATCHED'), 0, NEW.amount - NEW.reversed_amount)), json_array('2110', -iif(NEW.status IN ('FAILED', 'MATCHED'), 0, NEW.amount - NEW.reversed_amount))), NEW.created_at FROM (SELECT iif(NEW.organization_id = 'operators', '', NEW.organization_id) AS o, date((NEW.created_at + 10800000) / 1000, 'unixepoch') AS d); END;
--> statement-breakpoint
CREATE TRIGGER `journal_of_changed_payments` AFTER UPDATE OF `status`, `reversed_amount` ON `payments` WHEN iif(NEW.status IN ('FAILED', 'MATCHED'), 0, NEW.amount - NEW.reversed_amount) <> iif(OLD.status IN ('FAILED', 'MATCHED'), 0, OLD.amount - OLD.reversed_amount) BEGIN INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at) SELECT o, d, NEW.id || ':' || d || ':' || (SELECT count(*) FROM `journal_entries` e WHERE e.organization_id = o AND e.day = d AND e.id >= NEW.id || ':' AND e.id < NEW.id || ';'), 'RECEIPT', NEW.id, NEW.account_id, '', NEW.currency, date((coalesce(NEW.changed_at, NEW.created_at) + 10800000) / 1000, 'unixepoch'), NEW.id, json_array(json_array(iif(NEW.details ->> '$.type' = 'WALLET', '1190', iif(NEW.details ->> '$.type' = 'BANK_TRANSFER', '1130', iif(NEW.details ->> '$.type' = 'AGENT_CASH', '1140', '1110'))), (iif(NEW.status IN ('FAILED', 'MATCHED'), 0, NEW.amount - NEW.reversed_amount) - iif(OLD.status IN ('FAILED', 'MATCHED'), 0, OLD.amount - OLD.reversed_amount))), json_array('2110', -(iif(NEW.status IN ('FAILED', 'MATCHED'), 0, NEW.amount - NEW.reversed_amount) - iif(OLD.status IN ('FAILED', 'MATCHED'), 0, OLD.amount - OLD.reversed_amount)))), coalesce(NEW.changed_at, NEW.created_at) FROM (SELECT iif(NEW.organization_id = 'operators', '', NEW.organization_id) AS o, date((coalesce(NEW.changed_at, NEW.created_at) + 10800000) / 1000, 'unixepoch') AS d); END;
--> statement-breakpoint
CREATE TRIGGER `journal_of_payouts` AFTER INSERT ON `disbursements` WHEN iif(NEW.status = 'SUCCEEDED' OR (NEW.contradicted_at IS NOT NULL AND NEW.status <> 'RETURNED'), NEW.amount, 0) <> 0 BEGIN INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at) SELECT o, d, NEW.id || ':' || d || ':' || (SELECT count(*) FROM `journal_entries` e WHERE e.organization_id = o AND e.day = d AND e.id >= NEW.id || ':' AND e.id < NEW.id || ';'), 'PAYOUT', NEW.id, NEW.account_id, '', NEW.currency, date((NEW.created_at + 10800000) / 1000, 'unixepoch'), NULL, json_array(json_array('2130', iif(NEW.status = 'SUCCEEDED' OR (NEW.contradicted_at IS NOT NULL AND NEW.status <> 'RETURNED'), NEW.amount, 0)), json_array(iif(NEW.destination ->> '$.type' = 'CURRENT_ACCOUNT', '1190', iif(NEW.provider = 'daraja', '1110', iif(NEW.provider = 'momo', '1120', '1130'))), -iif(NEW.status = 'SUCCEEDED' OR (NEW.contradicted_at IS NOT NULL AND NEW.status <> 'RETURNED'), NEW.amount, 0))), NEW.created_at FROM (SELECT coalesce(NEW.organization_id, '') AS o, date((NEW.created_at + 10800000) / 1000, 'unixepoch') AS d); END;
--> statement-breakpoint
CREATE TRIGGER `journal_of_changed_payouts` AFTER UPDATE OF `status`, `contradicted_at` ON `disbursements` WHEN iif(NEW.status = 'SUCCEEDED' OR (NEW.contradicted_at IS NOT NULL AND NEW.status <> 'RETURNED'), NEW.amount, 0) <> iif(OLD.status = 'SUCCEEDED' OR (OLD.contradicted_at IS NOT NULL AND OLD.status <> 'RETURNED'), OLD.amount, 0) BEGIN INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at) SELECT o, d, NEW.id || ':' || d || ':' || (SELECT count(*) FROM `journal_entries` e WHERE e.organization_id = o AND e.day = d AND e.id >= NEW.id || ':' AND e.id < NEW.id || ';'), 'PAYOUT', NEW.id, NEW.account_id, '', NEW.currency, date((coalesce(NEW.returned_at, NEW.occurred_at, NEW.paid_at, NEW.created_at) + 10800000) / 1000, 'unixepoch'), iif(iif(NEW.status = 'SUCCEEDED' OR (NEW.contradicted_at IS NOT NULL AND NEW.status <> 'RETURNED'), NEW.amount, 0) = 0, NEW.id, NULL), json_array(json_array('2130', (iif(NEW.status = 'SUCCEEDED' OR (NEW.contradicted_at IS NOT NULL AND NEW.status <> 'RETURNED'), NEW.amount, 0) - iif(OLD.status = 'SUCCEEDED' OR (OLD.contradicted_at IS NOT NULL AND OLD.status <> 'RETURNED'), OLD.amount, 0))), json_array(iif(NEW.destination ->> '$.type' = 'CURRENT_ACCOUNT', '1190', iif(NEW.provider = 'daraja', '1110', iif(NEW.provider = 'momo', '1120', '1130'))), -(iif(NEW.status = 'SUCCEEDED' OR (NEW.contradicted_at IS NOT NULL AND NEW.status <> 'RETURNED'), NEW.amount, 0) - iif(OLD.status = 'SUCCEEDED' OR (OLD.contradicted_at IS NOT NULL AND OLD.status <> 'RETURNED'), OLD.amount, 0)))), coalesce(NEW.changed_at, NEW.created_at) FROM (SELECT coalesce(NEW.organization_id, '') AS o, date((coalesce(NEW.changed_at, NEW.created_at) + 10800000) / 1000, 'unixepoch') AS d); END;
--> statement-breakpoint
CREATE TRIGGER `journal_of_wallets` AFTER INSERT ON `current_account_entries` WHEN NEW.amount <> 0 BEGIN INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at) SELECT o, d, NEW.id || ':' || d || ':' || (SELECT count(*) FROM `journal_entries` e WHERE e.organization_id = o AND e.day = d AND e.id >= NEW.id || ':' AND e.id < NEW.id || ';'), 'WALLET', NEW.source_id, NEW.account_id, '', (SELECT a.currency FROM `current_accounts` a WHERE a.id = NEW.account_id), NEW.day, NULL, json_array(json_array(iif(NEW.contra = 'TRANSFER', '2220', iif(NEW.contra = 'INTEREST', '5210', iif(NEW.contra = 'LOAN', '1190', '1150'))), NEW.amount), json_array('2210', -NEW.amount)), NEW.created_at FROM (SELECT (SELECT coalesce(a.organization_id, '') FROM `current_accounts` a WHERE a.id = NEW.account_id) AS o, date((NEW.created_at + 10800000) / 1000, 'unixepoch') AS d); END;
--> statement-breakpoint
CREATE TRIGGER `journal_of_advances` AFTER INSERT ON `invoice_advances` WHEN NEW.status = 'PAID_OUT' BEGIN INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at) SELECT o, d, NEW.id || ':' || d || ':' || (SELECT count(*) FROM `journal_entries` e WHERE e.organization_id = o AND e.day = d AND e.id >= NEW.id || ':' AND e.id < NEW.id || ';'), 'INVOICE', NEW.id, NULL, '', NEW.currency, date((NEW.created_at + 10800000) / 1000, 'unixepoch'), NULL, iif(NEW.fee = 0, json_array(json_array('1310', NEW.advance), json_array('2130', -NEW.advance)), json_array(json_array('1310', (NEW.advance + NEW.fee)), json_array('2130', -NEW.advance), json_array('4150', -NEW.fee))), NEW.created_at FROM (SELECT (SELECT i.organization_id FROM `invoices` i WHERE i.id = NEW.invoice_id) AS o, date((NEW.created_at + 10800000) / 1000, 'unixepoch') AS d); END;
--> statement-breakpoint
CREATE TRIGGER `journal_of_changed_advances` AFTER UPDATE OF `status` ON `invoice_advances` WHEN (NEW.status = 'PAID_OUT') <> (OLD.status = 'PAID_OUT') BEGIN INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at) SELECT o, d, NEW.id || ':' || d || ':' || (SELECT count(*) FROM `journal_entries` e WHERE e.organization_id = o AND e.day = d AND e.id >= NEW.id || ':' AND e.id < NEW.id || ';'), 'INVOICE', NEW.id, NULL, '', NEW.currency, date((coalesce(NEW.finished_at, NEW.created_at) + 10800000) / 1000, 'unixepoch'), iif(NEW.status = 'PAID_OUT', NULL, NEW.id), iif(NEW.status = 'PAID_OUT', iif(NEW.fee = 0, json_array(json_array('1310', NEW.advance), json_array('2130', -NEW.advance)), json_array(json_array('1310', (NEW.advance + NEW.fee)), json_array('2130', -NEW.advance), json_array('4150', -NEW.fee))), iif(NEW.fee = 0, json_array(json_array('1310', -NEW.advance), json_array('2130', NEW.advance)), json_array(json_array('1310', -(NEW.advance + NEW.fee)), json_array('2130', NEW.advance), json_array('4150', NEW.fee)))), coalesce(NEW.changed_at, NEW.created_at) FROM (SELECT (SELECT i.organization_id FROM `invoices` i WHERE i.id = NEW.invoice_id) AS o, date((coalesce(NEW.changed_at, NEW.created_at) + 10800000) / 1000, 'unixepoch') AS d); END;
--> statement-breakpoint
CREATE TRIGGER `journal_of_invoice_repayments` AFTER INSERT ON `invoice_repayments` BEGIN INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at) SELECT o, d, NEW.id || ':' || d || ':' || (SELECT count(*) FROM `journal_entries` e WHERE e.organization_id = o AND e.day = d AND e.id >= NEW.id || ':' AND e.id < NEW.id || ';'), 'INVOICE', NEW.id, NULL, '', NEW.currency, date((NEW.transacted_at + 10800000) / 1000, 'unixepoch'), NULL, json_array(json_array('1130', NEW.amount), json_array('1310', -NEW.amount)), NEW.posted_at FROM (SELECT NEW.organization_id AS o, date((NEW.posted_at + 10800000) / 1000, 'unixepoch') AS d); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (29, 'a5ba4ddcd34507dc9553b2cf5c805042125efc2f3e6675da5206b0948403a27c');
