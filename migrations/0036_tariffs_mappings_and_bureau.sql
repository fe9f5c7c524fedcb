DROP TRIGGER `audit_rows_append_only`;
--> statement-breakpoint
DROP TRIGGER `audit_rows_kept`;
--> statement-breakpoint
DROP TRIGGER `audit_rows_added`;
--> statement-breakpoint
DROP TRIGGER `audit_seals_append_only`;
--> statement-breakpoint
DROP TRIGGER `audit_seals_kept`;
--> statement-breakpoint
DROP TRIGGER `audit_seals_added`;
--> statement-breakpoint
DROP TRIGGER `account_transactions_append_only`;
--> statement-breakpoint
DROP TRIGGER `account_transactions_kept`;
--> statement-breakpoint
DROP TRIGGER `allocations_append_only`;
--> statement-breakpoint
DROP TRIGGER `allocations_kept`;
--> statement-breakpoint
DROP TRIGGER `current_account_entries_append_only`;
--> statement-breakpoint
DROP TRIGGER `current_account_entries_kept`;
--> statement-breakpoint
DROP TRIGGER `current_account_entries_chain`;
--> statement-breakpoint
DROP TRIGGER `current_account_entries_apply`;
--> statement-breakpoint
DROP TRIGGER `current_accounts_by_entry`;
--> statement-breakpoint
DROP TRIGGER `current_accounts_uncoded`;
--> statement-breakpoint
DROP TRIGGER `current_accounts_open_empty`;
--> statement-breakpoint
DROP TRIGGER `current_accounts_kept`;
--> statement-breakpoint
DROP TRIGGER `disbursements_of_suspended`;
--> statement-breakpoint
DROP TRIGGER `organization_members_owner_stays`;
--> statement-breakpoint
DROP TRIGGER `organization_members_owner_kept`;
--> statement-breakpoint
DROP TRIGGER `incoming_transfers_final`;
--> statement-breakpoint
DROP TRIGGER `incoming_transfers_names_go`;
--> statement-breakpoint
DROP TRIGGER `incoming_transfers_kept`;
--> statement-breakpoint
DROP TRIGGER `journal_entries_append_only`;
--> statement-breakpoint
DROP TRIGGER `journal_entries_kept`;
--> statement-breakpoint
DROP TRIGGER `journal_entries_balanced`;
--> statement-breakpoint
DROP TRIGGER `journal_entries_of_open_days`;
--> statement-breakpoint
DROP TRIGGER `journal_entries_begin`;
--> statement-breakpoint
DROP TRIGGER `ledger_days_kept`;
--> statement-breakpoint
DROP TRIGGER `ledger_days_stay`;
--> statement-breakpoint
DROP TRIGGER `journal_of_payments`;
--> statement-breakpoint
DROP TRIGGER `journal_of_changed_payments`;
--> statement-breakpoint
DROP TRIGGER `journal_of_payouts`;
--> statement-breakpoint
DROP TRIGGER `journal_of_changed_payouts`;
--> statement-breakpoint
DROP TRIGGER `journal_of_wallets`;
--> statement-breakpoint
DROP TRIGGER `journal_of_advances`;
--> statement-breakpoint
DROP TRIGGER `journal_of_changed_advances`;
--> statement-breakpoint
DROP TRIGGER `journal_of_invoice_repayments`;
--> statement-breakpoint
DROP TRIGGER `ledgers_stay_closed`;
--> statement-breakpoint
DROP TRIGGER `ledgers_stay`;
--> statement-breakpoint
DROP TRIGGER `ledger_closings_in_order`;
--> statement-breakpoint
DROP TRIGGER `ledger_closings_of_closed_days`;
--> statement-breakpoint
DROP TRIGGER `ledger_closings_balanced`;
--> statement-breakpoint
DROP TRIGGER `ledger_closings_kept`;
--> statement-breakpoint
DROP TRIGGER `ledger_closings_stay`;
--> statement-breakpoint
DROP TRIGGER `terms_texts_stay`;
--> statement-breakpoint
DROP TRIGGER `terms_texts_kept`;
--> statement-breakpoint
DROP TRIGGER `issued_statements_in_order`;
--> statement-breakpoint
DROP TRIGGER `issued_statements_unchanged`;
--> statement-breakpoint
DROP TRIGGER `issued_statements_kept`;
--> statement-breakpoint
DROP TRIGGER `treasury_records_append_only`;
--> statement-breakpoint
DROP TRIGGER `treasury_records_kept`;
--> statement-breakpoint
DROP TRIGGER `journal_of_treasury`;
--> statement-breakpoint
DROP TRIGGER `journal_of_charges`;
--> statement-breakpoint
DROP TRIGGER `journal_of_changed_charges`;
--> statement-breakpoint
DROP TRIGGER `provisioning_rules_append_only`;
--> statement-breakpoint
DROP TRIGGER `provisioning_rules_kept`;
--> statement-breakpoint
DROP TRIGGER `provisioning_rules_of_open_days`;
--> statement-breakpoint
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
CREATE INDEX `credit_bureau_disputes_waiting` ON `credit_bureau_disputes` (`organization_id`,`created_at`,`id`) WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX `credit_bureau_disputes_ended` ON `credit_bureau_disputes` (`organization_id`,`created_at`,`id`) WHERE resolved_at is not null;--> statement-breakpoint
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
CREATE INDEX `credit_bureau_settings_due` ON `credit_bureau_settings` (`next_work_at`) WHERE next_work_at is not null;--> statement-breakpoint
CREATE TABLE `ledger_mappings` (
	`organization_id` text NOT NULL,
	`loan_product_id` text NOT NULL,
	`effective_from` text NOT NULL,
	`id` text NOT NULL,
	`accounts` text NOT NULL,
	`approval_id` text NOT NULL,
	`requested_by` text NOT NULL,
	`approved_by` text NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `loan_product_id`, `effective_from`),
	CONSTRAINT "ledger_mappings_accounts" CHECK(json_type(accounts) = 'array' and (loan_product_id <> '' or json_array_length(accounts) > 0))
);
--> statement-breakpoint
CREATE INDEX `ledger_mappings_by_organization` ON `ledger_mappings` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `provider_tariffs` (
	`organization_id` text NOT NULL,
	`channel` text NOT NULL,
	`direction` text NOT NULL,
	`currency` text NOT NULL,
	`effective_from` text NOT NULL,
	`id` text PRIMARY KEY NOT NULL,
	`bands` text NOT NULL,
	`approval_id` text NOT NULL,
	`requested_by` text NOT NULL,
	`approved_by` text NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "provider_tariffs_bands" CHECK(json_type(bands) = 'array' and json_array_length(bands) between 1 and 40)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `provider_tariffs_version` ON `provider_tariffs` (`organization_id`,`channel`,`direction`,`currency`,`effective_from`);--> statement-breakpoint
CREATE INDEX `provider_tariffs_list` ON `provider_tariffs` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `set_offs_due` (
	`organization_id` text NOT NULL,
	`channel` text NOT NULL,
	`currency` text NOT NULL,
	`day` text NOT NULL,
	PRIMARY KEY(`organization_id`, `channel`, `currency`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `tariff_charges` (
	`organization_id` text NOT NULL,
	`day` text NOT NULL,
	`fact` text NOT NULL,
	`channel` text NOT NULL,
	`currency` text NOT NULL,
	`tariff_id` text NOT NULL,
	`estimate` integer NOT NULL,
	`fee` integer,
	`named_by` text,
	`amount` integer NOT NULL,
	`booked_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `day`, `fact`),
	CONSTRAINT "tariff_charges_amount" CHECK(amount = coalesce(fee, estimate) and amount between 0 and 9007199254740991 and estimate >= 0),
	CONSTRAINT "tariff_charges_named" CHECK((fee is null) = (named_by is null))
) WITHOUT ROWID;
--> statement-breakpoint
PRAGMA defer_foreign_keys=ON;--> statement-breakpoint
CREATE TABLE `__new_allocations` (
	`id` text NOT NULL,
	`transaction_id` text NOT NULL,
	`cause_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`account_id` text NOT NULL,
	`cycle_id` text NOT NULL,
	`balance_id` text NOT NULL,
	`installment_id` text NOT NULL,
	`position` integer NOT NULL,
	`allocated_amount` integer NOT NULL,
	`principal_amount` integer NOT NULL,
	`interest_amount` integer NOT NULL,
	`arrears_amount` integer NOT NULL,
	`penalty_amount` integer NOT NULL,
	`effect` text NOT NULL,
	`source` text NOT NULL,
	`timing` text NOT NULL,
	`allocated_at` integer NOT NULL,
	PRIMARY KEY(`transaction_id`, `cause_id`, `sequence`),
	CONSTRAINT "allocations_sum" CHECK(allocated_amount = principal_amount + interest_amount + arrears_amount),
	CONSTRAINT "allocations_source" CHECK((source = 'REPLAY') = (cause_id <> transaction_id))
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_allocations` (`id`, `transaction_id`, `cause_id`, `sequence`, `account_id`, `cycle_id`, `balance_id`, `installment_id`, `position`, `allocated_amount`, `principal_amount`, `interest_amount`, `arrears_amount`, `penalty_amount`, `effect`, `source`, `timing`, `allocated_at`) SELECT `id`, `transaction_id`, `cause_id`, `sequence`, `account_id`, `cycle_id`, `balance_id`, `installment_id`, `position`, `allocated_amount`, `principal_amount`, `interest_amount`, `arrears_amount`, `penalty_amount`, `effect`, `source`, `timing`, `allocated_at` FROM `allocations`;--> statement-breakpoint
DROP TABLE `allocations`;--> statement-breakpoint
ALTER TABLE `__new_allocations` RENAME TO `allocations`;--> statement-breakpoint
PRAGMA defer_foreign_keys=OFF;--> statement-breakpoint
CREATE INDEX `allocations_of_installment` ON `allocations` (`installment_id`,`allocated_at`,`id`);--> statement-breakpoint
CREATE TABLE `__new_installments` (
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`cycle_id` text NOT NULL,
	`position` integer NOT NULL,
	`start_date` text NOT NULL,
	`due_date` text NOT NULL,
	`principal` integer NOT NULL,
	`interest` integer NOT NULL,
	`fee` integer NOT NULL,
	PRIMARY KEY(`cycle_id`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_installments` (`id`, `account_id`, `cycle_id`, `position`, `start_date`, `due_date`, `principal`, `interest`, `fee`) SELECT `id`, `account_id`, `cycle_id`, `position`, `start_date`, `due_date`, `principal`, `interest`, `fee` FROM `installments`;--> statement-breakpoint
DROP TABLE `installments`;--> statement-breakpoint
ALTER TABLE `__new_installments` RENAME TO `installments`;--> statement-breakpoint
DROP INDEX `messages_list`;--> statement-breakpoint
DROP INDEX `current_account_entries_once`;--> statement-breakpoint
CREATE UNIQUE INDEX `current_account_entries_once` ON `current_account_entries` (`source_id`,`account_id`,`contra`,`phase`) WHERE contra <> 'CUSTODY';--> statement-breakpoint
ALTER TABLE `payment_connections` ADD `low_float` text;--> statement-breakpoint
ALTER TABLE `statement_lines` ADD `charge_day` text;--> statement-breakpoint
ALTER TABLE `statement_lines` ADD `charge_of` text;--> statement-breakpoint
CREATE INDEX `statement_lines_of_charge` ON `statement_lines` (`statement_id`,`charge_of`) WHERE charge_of is not null;--> statement-breakpoint
CREATE INDEX `statement_lines_charges_left` ON `statement_lines` (`statement_id`,`round`,`row`) WHERE status = 'MATCHED' and kind = 'CHARGE' and fact_key is null and charge_of is null and receipt is not null;--> statement-breakpoint
CREATE INDEX `provider_charges_by_day` ON `provider_charges` (`organization_id`,`channel`,`currency`,`day`);
--> statement-breakpoint
CREATE TRIGGER `audit_rows_append_only` BEFORE UPDATE ON `audit_rows` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_rows_kept` BEFORE DELETE ON `audit_rows` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_rows_added` BEFORE INSERT ON `audit_rows` WHEN EXISTS (SELECT 1 FROM `audit_rows` r WHERE r.stream = NEW.stream AND r.sequence = NEW.sequence) BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `issued_statements_in_order` BEFORE INSERT ON `issued_statements` WHEN NEW.number <> coalesce((SELECT max(s.number) FROM `issued_statements` s WHERE s.organization_id = NEW.organization_id), 0) + 1 OR EXISTS (SELECT 1 FROM `issued_statements` s WHERE s.id = NEW.id OR s.replaces_id = NEW.replaces_id) BEGIN SELECT RAISE(ABORT, 'statements are numbered without gaps'); END;
--> statement-breakpoint
CREATE TRIGGER `issued_statements_unchanged` BEFORE UPDATE ON `issued_statements` WHEN NEW.holder IS NOT NULL OR NEW.id <> OLD.id OR NEW.organization_id <> OLD.organization_id OR NEW.number <> OLD.number OR NEW.account_id <> OLD.account_id OR NEW.user_id <> OLD.user_id OR NEW.first_day <> OLD.first_day OR NEW.last_day <> OLD.last_day OR NEW.locale <> OLD.locale OR NEW.color <> OLD.color OR NEW.content <> OLD.content OR NEW.sha256 <> OLD.sha256 OR NEW.replaces_id IS NOT OLD.replaces_id OR NEW.created_at <> OLD.created_at BEGIN SELECT RAISE(ABORT, 'issued statements never change'); END;
--> statement-breakpoint
CREATE TRIGGER `issued_statements_kept` BEFORE DELETE ON `issued_statements` BEGIN SELECT RAISE(ABORT, 'issued statements never change'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_seals_append_only` BEFORE UPDATE ON `audit_seals` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_seals_kept` BEFORE DELETE ON `audit_seals` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_seals_added` BEFORE INSERT ON `audit_seals` WHEN EXISTS (SELECT 1 FROM `audit_seals` s WHERE s.stream = NEW.stream AND (s.through_sequence = NEW.through_sequence OR s.from_sequence = NEW.from_sequence)) OR EXISTS (SELECT 1 FROM `audit_seals` s WHERE s.rowid = NEW.rowid) BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `account_transactions_append_only` BEFORE UPDATE ON `account_transactions` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `account_transactions_kept` BEFORE DELETE ON `account_transactions` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `allocations_append_only` BEFORE UPDATE ON `allocations` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `allocations_kept` BEFORE DELETE ON `allocations` BEGIN SELECT RAISE(ABORT, 'append only'); END;
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
CREATE TRIGGER `current_account_entries_append_only` BEFORE UPDATE ON `current_account_entries` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `current_account_entries_kept` BEFORE DELETE ON `current_account_entries` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `current_account_entries_chain` BEFORE INSERT ON `current_account_entries` WHEN NOT EXISTS (SELECT 1 FROM `current_accounts` a WHERE a.id = NEW.account_id AND a.position + 1 = NEW.position AND a.balance + NEW.amount = NEW.balance_after AND a.held + NEW.hold = NEW.held_after AND a.day <= NEW.day) BEGIN SELECT RAISE(ABORT, 'an entry must follow the last one'); END;
--> statement-breakpoint
CREATE TRIGGER `current_account_entries_apply` AFTER INSERT ON `current_account_entries` BEGIN UPDATE `current_accounts` SET position = NEW.position, balance = NEW.balance_after, held = NEW.held_after, out_total = iif(NEW.day > day, max(NEW.counted, 0), max(out_total + NEW.counted, 0)), uncoded = uncoded + NEW.uncoded, uncoded_today = iif(NEW.day > day, 0, uncoded_today) + NEW.uncoded, uncoded_new = iif(NEW.day > day, 0, uncoded_new) + NEW.uncoded_new, day = NEW.day, weighted = weighted + NEW.amount * NEW.rate_index + iif(NEW.type = 'INTEREST', NEW.amount * 3650000, 0), updated_at = max(updated_at, NEW.created_at) WHERE id = NEW.account_id; END;
--> statement-breakpoint
CREATE TRIGGER `current_accounts_by_entry` BEFORE UPDATE OF `position`, `balance`, `held`, `day`, `out_total`, `weighted` ON `current_accounts` WHEN NOT EXISTS (SELECT 1 FROM `current_account_entries` e WHERE e.account_id = NEW.id AND e.position = NEW.position AND NEW.position = OLD.position + 1 AND e.balance_after = NEW.balance AND e.held_after = NEW.held) BEGIN SELECT RAISE(ABORT, 'a balance moves by an entry only'); END;
--> statement-breakpoint
CREATE TRIGGER `current_accounts_uncoded` BEFORE UPDATE OF `uncoded`, `uncoded_today`, `uncoded_new` ON `current_accounts` WHEN NEW.position = OLD.position AND (NEW.uncoded <> 0 OR NEW.uncoded_today <> 0 OR NEW.uncoded_new <> 0) BEGIN SELECT RAISE(ABORT, 'what was ordered without a code moves by an entry, or is cleared by a code'); END;
--> statement-breakpoint
CREATE TRIGGER `current_accounts_open_empty` BEFORE INSERT ON `current_accounts` WHEN NEW.position <> 0 OR NEW.balance <> 0 OR NEW.held <> 0 OR NEW.out_total <> 0 OR NEW.uncoded <> 0 OR NEW.uncoded_today <> 0 OR NEW.uncoded_new <> 0 OR NEW.weighted <> 0 BEGIN SELECT RAISE(ABORT, 'an account opens empty'); END;
--> statement-breakpoint
CREATE TRIGGER `current_accounts_kept` BEFORE DELETE ON `current_accounts` BEGIN SELECT RAISE(ABORT, 'accounts are kept'); END;
--> statement-breakpoint
CREATE TRIGGER `disbursements_of_suspended` BEFORE INSERT ON `disbursements` WHEN NEW.kind <> 'REFUND' AND EXISTS (SELECT 1 FROM `organizations` o WHERE o.id = NEW.organization_id AND o.status = 'SUSPENDED') BEGIN SELECT RAISE(ABORT, 'The organization is suspended'); END;
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
CREATE TRIGGER `ledgers_stay_closed` BEFORE UPDATE ON `ledgers` WHEN NEW.organization_id <> OLD.organization_id OR NEW.closed_through IS NOT OLD.closed_through AND coalesce(NEW.closed_through, '') <= OLD.closed_through BEGIN SELECT RAISE(ABORT, 'closed days stay closed'); END;
--> statement-breakpoint
CREATE TRIGGER `ledgers_stay` BEFORE DELETE ON `ledgers` WHEN OLD.closed_through IS NOT NULL BEGIN SELECT RAISE(ABORT, 'closed days stay closed'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_closings_in_order` BEFORE INSERT ON `ledger_closings` WHEN NEW.month IS NOT coalesce((SELECT strftime('%Y-%m', max(c.month) || '-01', '+1 month') FROM `ledger_closings` c WHERE c.organization_id = NEW.organization_id), (SELECT substr(min(e.day), 1, 7) FROM `journal_entries` e WHERE e.organization_id = NEW.organization_id)) BEGIN SELECT RAISE(ABORT, 'months are closed one after the other'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_closings_of_closed_days` BEFORE INSERT ON `ledger_closings` WHEN NEW.last_day IS NOT date(NEW.month || '-01', '+1 month', '-1 day') OR NEW.last_day > coalesce((SELECT l.closed_through FROM `ledgers` l WHERE l.organization_id = NEW.organization_id), '') BEGIN SELECT RAISE(ABORT, 'the month has open days'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_closings_balanced` BEFORE INSERT ON `ledger_closings` WHEN EXISTS (SELECT 1 FROM `ledger_days` d, json_each(d.balances) b WHERE d.organization_id = NEW.organization_id AND d.day = NEW.last_day GROUP BY d.currency HAVING sum(b.value) <> 0) BEGIN SELECT RAISE(ABORT, 'debits must equal credits'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_closings_kept` BEFORE UPDATE ON `ledger_closings` BEGIN SELECT RAISE(ABORT, 'closed months never change'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_closings_stay` BEFORE DELETE ON `ledger_closings` BEGIN SELECT RAISE(ABORT, 'closed months never change'); END;
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
CREATE TRIGGER `ledger_mappings_append_only` BEFORE UPDATE ON `ledger_mappings` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_mappings_kept` BEFORE DELETE ON `ledger_mappings` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_mappings_of_open_days` BEFORE INSERT ON `ledger_mappings` WHEN NEW.effective_from <= (SELECT l.closed_through FROM `ledgers` l WHERE l.organization_id = NEW.organization_id) BEGIN SELECT RAISE(ABORT, 'the day is closed'); END;
--> statement-breakpoint
CREATE TRIGGER `provider_tariffs_append_only` BEFORE UPDATE ON `provider_tariffs` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `provider_tariffs_kept` BEFORE DELETE ON `provider_tariffs` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `provider_tariffs_ahead` BEFORE INSERT ON `provider_tariffs` WHEN NEW.effective_from <= date((NEW.created_at + 10800000) / 1000, 'unixepoch') BEGIN SELECT RAISE(ABORT, 'the day has begun'); END;
--> statement-breakpoint
CREATE TRIGGER `tariff_charges_kept` BEFORE DELETE ON `tariff_charges` BEGIN SELECT RAISE(ABORT, 'charges are kept'); END;
--> statement-breakpoint
CREATE TRIGGER `charges_of_payouts` AFTER INSERT ON `disbursements` WHEN NEW.instruction IS NOT NULL AND (NEW.status = 'SUCCEEDED' OR (NEW.contradicted_at IS NOT NULL AND NEW.status <> 'RETURNED')) BEGIN INSERT INTO `tariff_charges` (organization_id, day, fact, channel, currency, tariff_id, estimate, fee, named_by, amount, booked_at) SELECT organization_id, d, 'PAYOUT ' || NEW.id, channel, currency, id, f, NULL, NULL, f, NEW.created_at FROM (SELECT p.organization_id, p.channel, p.currency, p.id, date((iif(NEW.status = 'SUCCEEDED', coalesce(NEW.occurred_at, NEW.changed_at, NEW.created_at), coalesce(NEW.paid_at, NEW.contradicted_at)) + 10800000) / 1000, 'unixepoch') AS d, (SELECT b.value ->> 'fee' FROM json_each(p.bands) b WHERE coalesce(b.value ->> 'upTo', NEW.amount) >= NEW.amount ORDER BY b.key LIMIT 1) AS f FROM `provider_tariffs` p WHERE p.organization_id = NEW.organization_id AND p.channel = iif(NEW.destination ->> '$.type' = 'CURRENT_ACCOUNT', '', iif(NEW.provider = 'daraja', 'MPESA', iif(NEW.provider = 'momo', 'MOMO', 'BANK'))) AND p.direction = 'PAYOUT' AND p.currency = NEW.currency AND p.effective_from <= date((iif(NEW.status = 'SUCCEEDED', coalesce(NEW.occurred_at, NEW.changed_at, NEW.created_at), coalesce(NEW.paid_at, NEW.contradicted_at)) + 10800000) / 1000, 'unixepoch') ORDER BY p.effective_from DESC LIMIT 1) WHERE f > 0 ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER `charges_of_changed_payouts` AFTER UPDATE OF `status`, `contradicted_at` ON `disbursements` WHEN NEW.instruction IS NOT NULL AND (NEW.status = 'SUCCEEDED' OR (NEW.contradicted_at IS NOT NULL AND NEW.status <> 'RETURNED')) AND NOT (OLD.status = 'SUCCEEDED' OR (OLD.contradicted_at IS NOT NULL AND OLD.status <> 'RETURNED')) BEGIN INSERT INTO `tariff_charges` (organization_id, day, fact, channel, currency, tariff_id, estimate, fee, named_by, amount, booked_at) SELECT organization_id, d, 'PAYOUT ' || NEW.id, channel, currency, id, f, NULL, NULL, f, coalesce(NEW.changed_at, NEW.created_at) FROM (SELECT p.organization_id, p.channel, p.currency, p.id, date((iif(NEW.status = 'SUCCEEDED', coalesce(NEW.occurred_at, NEW.changed_at, NEW.created_at), coalesce(NEW.paid_at, NEW.contradicted_at)) + 10800000) / 1000, 'unixepoch') AS d, (SELECT b.value ->> 'fee' FROM json_each(p.bands) b WHERE coalesce(b.value ->> 'upTo', NEW.amount) >= NEW.amount ORDER BY b.key LIMIT 1) AS f FROM `provider_tariffs` p WHERE p.organization_id = NEW.organization_id AND p.channel = iif(NEW.destination ->> '$.type' = 'CURRENT_ACCOUNT', '', iif(NEW.provider = 'daraja', 'MPESA', iif(NEW.provider = 'momo', 'MOMO', 'BANK'))) AND p.direction = 'PAYOUT' AND p.currency = NEW.currency AND p.effective_from <= date((iif(NEW.status = 'SUCCEEDED', coalesce(NEW.occurred_at, NEW.changed_at, NEW.created_at), coalesce(NEW.paid_at, NEW.contradicted_at)) + 10800000) / 1000, 'unixepoch') ORDER BY p.effective_from DESC LIMIT 1) WHERE f > 0 ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER `charges_of_payments` AFTER INSERT ON `payments` WHEN substr(NEW.fingerprint, 1, 8) <> 'imported' AND (NEW.status NOT IN ('FAILED', 'MATCHED') AND NEW.reversed_amount < NEW.amount) BEGIN INSERT INTO `tariff_charges` (organization_id, day, fact, channel, currency, tariff_id, estimate, fee, named_by, amount, booked_at) SELECT organization_id, d, 'PAYMENT ' || NEW.mobile_money_transaction_id, channel, currency, id, e, NULL, NULL, e, NEW.created_at FROM (SELECT *, iif(NEW.fee_amount > 0, NEW.fee_amount, f) AS e FROM (SELECT p.organization_id, p.channel, p.currency, p.id, date((NEW.transacted_at + 10800000) / 1000, 'unixepoch') AS d, (SELECT b.value ->> 'fee' FROM json_each(p.bands) b WHERE coalesce(b.value ->> 'upTo', NEW.amount) >= NEW.amount ORDER BY b.key LIMIT 1) AS f FROM `provider_tariffs` p WHERE p.organization_id = NEW.organization_id AND p.channel = iif(NEW.details ->> '$.type' IN ('PAY_BILL', 'BUY_GOODS'), 'MPESA', iif(NEW.details ->> '$.type' = 'SEND_MONEY', 'MOMO', iif(NEW.details ->> '$.type' = 'BANK_TRANSFER', 'BANK', ''))) AND p.direction = 'RECEIPT' AND p.currency = NEW.currency AND p.effective_from <= date((NEW.transacted_at + 10800000) / 1000, 'unixepoch') ORDER BY p.effective_from DESC LIMIT 1)) n WHERE e > 0 OR EXISTS (SELECT 1 FROM `tariff_charges` c WHERE c.organization_id = n.organization_id AND c.day = d AND c.fact = 'PAYMENT ' || NEW.mobile_money_transaction_id) ON CONFLICT (organization_id, day, fact) DO UPDATE SET tariff_id = excluded.tariff_id, estimate = excluded.estimate, amount = coalesce(fee, excluded.estimate), booked_at = excluded.booked_at WHERE estimate <> excluded.estimate; END;
--> statement-breakpoint
CREATE TRIGGER `charges_of_restored_payments` AFTER UPDATE OF `status`, `reversed_amount` ON `payments` WHEN substr(NEW.fingerprint, 1, 8) <> 'imported' AND (NEW.status NOT IN ('FAILED', 'MATCHED') AND NEW.reversed_amount < NEW.amount) AND NOT (OLD.status NOT IN ('FAILED', 'MATCHED') AND OLD.reversed_amount < OLD.amount) BEGIN INSERT INTO `tariff_charges` (organization_id, day, fact, channel, currency, tariff_id, estimate, fee, named_by, amount, booked_at) SELECT organization_id, d, 'PAYMENT ' || NEW.mobile_money_transaction_id, channel, currency, id, e, NULL, NULL, e, coalesce(NEW.changed_at, NEW.created_at) FROM (SELECT *, iif(NEW.fee_amount > 0, NEW.fee_amount, f) AS e FROM (SELECT p.organization_id, p.channel, p.currency, p.id, date((NEW.transacted_at + 10800000) / 1000, 'unixepoch') AS d, (SELECT b.value ->> 'fee' FROM json_each(p.bands) b WHERE coalesce(b.value ->> 'upTo', NEW.amount) >= NEW.amount ORDER BY b.key LIMIT 1) AS f FROM `provider_tariffs` p WHERE p.organization_id = NEW.organization_id AND p.channel = iif(NEW.details ->> '$.type' IN ('PAY_BILL', 'BUY_GOODS'), 'MPESA', iif(NEW.details ->> '$.type' = 'SEND_MONEY', 'MOMO', iif(NEW.details ->> '$.type' = 'BANK_TRANSFER', 'BANK', ''))) AND p.direction = 'RECEIPT' AND p.currency = NEW.currency AND p.effective_from <= date((NEW.transacted_at + 10800000) / 1000, 'unixepoch') ORDER BY p.effective_from DESC LIMIT 1)) n WHERE e > 0 OR EXISTS (SELECT 1 FROM `tariff_charges` c WHERE c.organization_id = n.organization_id AND c.day = d AND c.fact = 'PAYMENT ' || NEW.mobile_money_transaction_id) ON CONFLICT (organization_id, day, fact) DO UPDATE SET tariff_id = excluded.tariff_id, estimate = excluded.estimate, amount = coalesce(fee, excluded.estimate), booked_at = excluded.booked_at WHERE estimate <> excluded.estimate; END;
--> statement-breakpoint
CREATE TRIGGER `charges_of_reversed_payments` AFTER UPDATE OF `status`, `reversed_amount` ON `payments` WHEN (OLD.status NOT IN ('FAILED', 'MATCHED') AND OLD.reversed_amount < OLD.amount) AND NOT (NEW.status NOT IN ('FAILED', 'MATCHED') AND NEW.reversed_amount < NEW.amount) BEGIN UPDATE `tariff_charges` SET estimate = 0, amount = coalesce(fee, 0), booked_at = coalesce(NEW.changed_at, NEW.created_at) WHERE organization_id = NEW.organization_id AND day = date((NEW.transacted_at + 10800000) / 1000, 'unixepoch') AND fact = 'PAYMENT ' || NEW.mobile_money_transaction_id AND estimate <> 0; END;
--> statement-breakpoint
CREATE TRIGGER `journal_of_tariff_charges` AFTER INSERT ON `tariff_charges` WHEN NEW.amount <> 0 BEGIN INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at) SELECT NEW.organization_id, d, 'charge:' || k || ':' || d || ':' || (SELECT count(*) FROM `journal_entries` e WHERE e.organization_id = NEW.organization_id AND e.day = d AND e.id >= 'charge:' || k || ':' AND e.id < 'charge:' || k || ';'), 'CHARGE', k, NULL, '', NEW.currency, NEW.day, NULL, json_array(json_array('5230', NEW.amount), json_array(iif(NEW.channel = 'MPESA', '1110', iif(NEW.channel = 'MOMO', '1120', '1130')), -(NEW.amount))), NEW.booked_at FROM (SELECT date((NEW.booked_at + 10800000) / 1000, 'unixepoch') AS d, substr(NEW.fact, instr(NEW.fact, ' ') + 1) AS k); END;
--> statement-breakpoint
CREATE TRIGGER `journal_of_changed_tariff_charges` AFTER UPDATE OF `amount` ON `tariff_charges` WHEN NEW.amount <> OLD.amount BEGIN INSERT INTO `journal_entries` (organization_id, day, id, source, source_id, account_id, loan_product_id, currency, value_date, corrects_id, lines, booked_at) SELECT NEW.organization_id, d, 'charge:' || k || ':' || d || ':' || (SELECT count(*) FROM `journal_entries` e WHERE e.organization_id = NEW.organization_id AND e.day = d AND e.id >= 'charge:' || k || ':' AND e.id < 'charge:' || k || ';'), 'CHARGE', k, NULL, '', NEW.currency, NEW.day, k, json_array(json_array('5230', NEW.amount - OLD.amount), json_array(iif(NEW.channel = 'MPESA', '1110', iif(NEW.channel = 'MOMO', '1120', '1130')), -(NEW.amount - OLD.amount))), NEW.booked_at FROM (SELECT date((NEW.booked_at + 10800000) / 1000, 'unixepoch') AS d, substr(NEW.fact, instr(NEW.fact, ' ') + 1) AS k); END;
--> statement-breakpoint
CREATE TRIGGER `charges_set_off` AFTER INSERT ON `tariff_charges` WHEN EXISTS (SELECT 1 FROM `provider_charges` p WHERE p.organization_id = NEW.organization_id AND p.channel = NEW.channel AND p.currency = NEW.currency AND p.day = NEW.day) BEGIN INSERT INTO `set_offs_due` (organization_id, channel, currency, day) VALUES (NEW.organization_id, NEW.channel, NEW.currency, NEW.day) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER `changed_charges_set_off` AFTER UPDATE OF `estimate` ON `tariff_charges` WHEN NEW.estimate <> OLD.estimate AND EXISTS (SELECT 1 FROM `provider_charges` p WHERE p.organization_id = NEW.organization_id AND p.channel = NEW.channel AND p.currency = NEW.currency AND p.day = NEW.day) BEGIN INSERT INTO `set_offs_due` (organization_id, channel, currency, day) VALUES (NEW.organization_id, NEW.channel, NEW.currency, NEW.day) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER `terms_texts_stay` BEFORE UPDATE ON `terms_texts` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `terms_texts_kept` BEFORE DELETE ON `terms_texts` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `organization_members_owner_stays` BEFORE UPDATE ON `organization_members` WHEN OLD.role = 'organization-owner' AND OLD.removed_at IS NULL AND (NEW.role <> OLD.role OR NEW.removed_at IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM `organization_members` m WHERE m.organization_id = OLD.organization_id AND m.role = 'organization-owner' AND m.removed_at IS NULL AND m.user_id <> OLD.user_id) BEGIN SELECT RAISE(ABORT, 'last owner'); END;
--> statement-breakpoint
CREATE TRIGGER `organization_members_owner_kept` BEFORE DELETE ON `organization_members` WHEN OLD.role = 'organization-owner' AND OLD.removed_at IS NULL AND NOT EXISTS (SELECT 1 FROM `organization_members` m WHERE m.organization_id = OLD.organization_id AND m.role = 'organization-owner' AND m.removed_at IS NULL AND m.user_id <> OLD.user_id) BEGIN SELECT RAISE(ABORT, 'last owner'); END;
--> statement-breakpoint
CREATE TRIGGER `provisioning_rules_append_only` BEFORE UPDATE ON `provisioning_rules` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `provisioning_rules_kept` BEFORE DELETE ON `provisioning_rules` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `provisioning_rules_of_open_days` BEFORE INSERT ON `provisioning_rules` WHEN NEW.effective_from <= (SELECT max(p.closed_through) FROM `portfolios` p WHERE p.organization_id = NEW.organization_id) BEGIN SELECT RAISE(ABORT, 'the day is closed'); END;
--> statement-breakpoint
CREATE TRIGGER `incoming_transfers_final` BEFORE UPDATE OF `transfer_id`, `account_id`, `payee_user_id`, `payer_user_id`, `amount`, `currency`, `outcome`, `created_at` ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
--> statement-breakpoint
CREATE TRIGGER `incoming_transfers_names_go` BEFORE UPDATE OF `payer_name`, `note` ON `incoming_transfers` WHEN NEW.payer_name IS NOT NULL OR NEW.note IS NOT NULL BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
--> statement-breakpoint
CREATE TRIGGER `incoming_transfers_kept` BEFORE DELETE ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (36, 'c88ebdea6c96107a836ee6bf4f3d2b0716517bfdee35b3e211b0fe7a36f08297');
