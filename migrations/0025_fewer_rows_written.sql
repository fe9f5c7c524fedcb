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
DROP TRIGGER `incoming_transfers_kept`;
--> statement-breakpoint
DROP TRIGGER `incoming_transfers_final`;
--> statement-breakpoint
DROP TRIGGER `incoming_transfers_names_go`;
--> statement-breakpoint
DROP INDEX `audit_rows_actor`;--> statement-breakpoint
DROP INDEX `audit_rows_operation`;--> statement-breakpoint
DROP INDEX `idempotency_records_expiry`;--> statement-breakpoint
DROP INDEX `current_account_entries_days`;--> statement-breakpoint
DROP INDEX `current_account_entries_moves`;--> statement-breakpoint
CREATE INDEX `current_account_entries_moves` ON `current_account_entries` (`account_id`,`day`,`position`) WHERE amount <> 0;--> statement-breakpoint
DROP INDEX `invoices_by_number`;--> statement-breakpoint
DROP INDEX `invoices_number`;--> statement-breakpoint
DROP INDEX `invoices_document`;--> statement-breakpoint
CREATE INDEX `invoices_by_freed_number` ON `invoices` (`organization_id`,`number_key`) WHERE status in ('REJECTED', 'CANCELLED');--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_number` ON `invoices` (`organization_id`,`number_key`,`merchant_id`) WHERE status not in ('REJECTED', 'CANCELLED');--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_document` ON `invoices` (`organization_id`,`document_id`) WHERE status not in ('REJECTED', 'CANCELLED') and document_id <> id;--> statement-breakpoint
DROP INDEX `webhook_receipts_by_type`;--> statement-breakpoint
DROP INDEX `webhook_deliveries_by_type`;--> statement-breakpoint
DROP INDEX `disbursements_due`;--> statement-breakpoint
CREATE INDEX `disbursements_due` ON `disbursements` (`next_attempt_at`) WHERE status = 'PENDING';--> statement-breakpoint
DROP INDEX `messages_due`;--> statement-breakpoint
CREATE INDEX `messages_due` ON `messages` (`next_attempt_at`) WHERE status = 'PENDING';
--> statement-breakpoint
CREATE TABLE `__new_custodian_movements` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`direction` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "custodian_movements_amount" CHECK(amount > 0)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_custodian_movements` (`id`, `account_id`, `direction`, `amount`, `currency`, `occurred_at`, `created_at`) SELECT `id`, `account_id`, `direction`, `amount`, `currency`, `occurred_at`, `created_at` FROM `custodian_movements`;
--> statement-breakpoint
DROP TABLE `custodian_movements`;
--> statement-breakpoint
ALTER TABLE `__new_custodian_movements` RENAME TO `custodian_movements`;
--> statement-breakpoint
CREATE TABLE `__new_disbursements` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`account_id` text,
	`invoice_id` text,
	`organization_id` text,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`destination` text,
	`provider` text,
	`instruction` text,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`harmless_attempts` integer DEFAULT 0 NOT NULL,
	`told_at` integer,
	`refusal` text,
	`next_attempt_at` integer NOT NULL,
	`mobile_money_transaction_id` text,
	`failure_reason` text,
	`occurred_at` integer,
	`created_at` integer NOT NULL,
	`failure_told` text,
	`failure_told_at` integer,
	`contradicted_at` integer,
	`paid_transaction` text,
	`paid_at` integer,
	`book_at` integer,
	`return_transaction` text,
	`return_transaction_sent` text,
	`returned_at` integer,
	`second_receipts` text,
	`second_receipt_at` integer,
	CONSTRAINT "disbursements_purpose" CHECK((account_id is null) = (kind = 'INVOICE') and (invoice_id is null) = (kind <> 'INVOICE'))
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_disbursements` (`id`, `kind`, `account_id`, `invoice_id`, `organization_id`, `amount`, `currency`, `destination`, `provider`, `instruction`, `status`, `attempts`, `harmless_attempts`, `told_at`, `refusal`, `next_attempt_at`, `mobile_money_transaction_id`, `failure_reason`, `occurred_at`, `created_at`, `failure_told`, `failure_told_at`, `contradicted_at`, `paid_transaction`, `paid_at`, `book_at`, `return_transaction`, `return_transaction_sent`, `returned_at`, `second_receipts`, `second_receipt_at`) SELECT `id`, `kind`, `account_id`, `invoice_id`, `organization_id`, `amount`, `currency`, `destination`, `provider`, `instruction`, `status`, `attempts`, `harmless_attempts`, `told_at`, `refusal`, `next_attempt_at`, `mobile_money_transaction_id`, `failure_reason`, `occurred_at`, `created_at`, `failure_told`, `failure_told_at`, `contradicted_at`, `paid_transaction`, `paid_at`, `book_at`, `return_transaction`, `return_transaction_sent`, `returned_at`, `second_receipts`, `second_receipt_at` FROM `disbursements`;
--> statement-breakpoint
DROP TABLE `disbursements`;
--> statement-breakpoint
ALTER TABLE `__new_disbursements` RENAME TO `disbursements`;
--> statement-breakpoint
CREATE INDEX `disbursements_asked` ON `disbursements` (`next_attempt_at`) WHERE status = 'ACCEPTED' and provider is not null;
--> statement-breakpoint
CREATE INDEX `disbursements_of_account` ON `disbursements` (`account_id`,`created_at`,`id`) WHERE account_id is not null;
--> statement-breakpoint
CREATE INDEX `disbursements_open` ON `disbursements` (`status`,`created_at`,`id`) WHERE status in ('PENDING', 'ACCEPTED');
--> statement-breakpoint
CREATE INDEX `disbursements_open_of` ON `disbursements` (`organization_id`,`status`,`created_at`,`id`) WHERE status in ('PENDING', 'ACCEPTED');
--> statement-breakpoint
CREATE INDEX `disbursements_pending` ON `disbursements` (`account_id`) WHERE status in ('PENDING', 'ACCEPTED');
--> statement-breakpoint
CREATE INDEX `disbursements_contradicted` ON `disbursements` (`contradicted_at`,`id`) WHERE contradicted_at is not null;
--> statement-breakpoint
CREATE INDEX `disbursements_to_book` ON `disbursements` (`book_at`) WHERE book_at is not null;
--> statement-breakpoint
CREATE INDEX `disbursements_waiting` ON `disbursements` (`created_at`,`id`) WHERE status not in ('SUCCEEDED', 'FAILED', 'RETURNED');
--> statement-breakpoint
CREATE INDEX `disbursements_second_receipt` ON `disbursements` (`second_receipt_at`,`id`) WHERE second_receipt_at is not null;
--> statement-breakpoint
CREATE INDEX `disbursements_due` ON `disbursements` (`next_attempt_at`) WHERE status = 'PENDING';
--> statement-breakpoint
CREATE TABLE `__new_incoming_transfers` (
	`transfer_id` text PRIMARY KEY NOT NULL,
	`account_id` text,
	`payee_user_id` text NOT NULL,
	`payer_user_id` text NOT NULL,
	`payer_name` text,
	`note` text,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`outcome` text NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "incoming_transfers_credited" CHECK((outcome = 'CREDITED') = (account_id is not null))
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_incoming_transfers` (`transfer_id`, `account_id`, `payee_user_id`, `payer_user_id`, `payer_name`, `note`, `amount`, `currency`, `outcome`, `created_at`) SELECT `transfer_id`, `account_id`, `payee_user_id`, `payer_user_id`, `payer_name`, `note`, `amount`, `currency`, `outcome`, `created_at` FROM `incoming_transfers`;
--> statement-breakpoint
DROP TABLE `incoming_transfers`;
--> statement-breakpoint
ALTER TABLE `__new_incoming_transfers` RENAME TO `incoming_transfers`;
--> statement-breakpoint
CREATE TABLE `__new_invoices` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`merchant_id` text NOT NULL,
	`document_id` text NOT NULL,
	`invoice_number` text NOT NULL,
	`number_key` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`details` text NOT NULL,
	`issued_date` text NOT NULL,
	`due_date` text NOT NULL,
	`status` text NOT NULL,
	`uploaded_by` text NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	`comment` text,
	`repaid` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "invoices_amount" CHECK(amount > 0 and amount <= 9007199254740991),
	CONSTRAINT "invoices_dates" CHECK(due_date >= issued_date),
	CONSTRAINT "invoices_repaid" CHECK(repaid between 0 and amount),
	CONSTRAINT "invoices_four_eyes" CHECK(decided_by is null or decided_by <> uploaded_by)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_invoices` (`id`, `organization_id`, `merchant_id`, `document_id`, `invoice_number`, `number_key`, `amount`, `currency`, `details`, `issued_date`, `due_date`, `status`, `uploaded_by`, `decided_by`, `decided_at`, `comment`, `repaid`, `created_at`, `updated_at`) SELECT `id`, `organization_id`, `merchant_id`, `document_id`, `invoice_number`, `number_key`, `amount`, `currency`, `details`, `issued_date`, `due_date`, `status`, `uploaded_by`, `decided_by`, `decided_at`, `comment`, `repaid`, `created_at`, `updated_at` FROM `invoices`;
--> statement-breakpoint
DROP TABLE `invoices`;
--> statement-breakpoint
ALTER TABLE `__new_invoices` RENAME TO `invoices`;
--> statement-breakpoint
CREATE INDEX `invoices_list` ON `invoices` (`organization_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `invoices_list_by_status` ON `invoices` (`organization_id`,`status`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `invoices_owed` ON `invoices` (`organization_id`,`status`,`due_date`,`id`) WHERE status in ('FINANCED', 'OVERDUE');
--> statement-breakpoint
CREATE INDEX `invoices_of_merchant` ON `invoices` (`organization_id`,`merchant_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `invoices_due` ON `invoices` (`due_date`) WHERE status = 'FINANCED';
--> statement-breakpoint
CREATE INDEX `invoices_by_freed_number` ON `invoices` (`organization_id`,`number_key`) WHERE status in ('REJECTED', 'CANCELLED');
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_number` ON `invoices` (`organization_id`,`number_key`,`merchant_id`) WHERE status not in ('REJECTED', 'CANCELLED');
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_document` ON `invoices` (`organization_id`,`document_id`) WHERE status not in ('REJECTED', 'CANCELLED') and document_id <> id;
--> statement-breakpoint
CREATE TABLE `__new_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`channel` text NOT NULL,
	`recipient` text NOT NULL,
	`purpose` text NOT NULL,
	`category` text,
	`status` text NOT NULL,
	`sealed` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`withheld` integer DEFAULT false NOT NULL,
	`next_attempt_at` integer,
	`provider` text,
	`provider_message_id` text,
	`cost` integer,
	`cost_currency` text,
	`delivery` text,
	`reported_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
, `user_id` text) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_messages` (`id`, `channel`, `recipient`, `purpose`, `category`, `status`, `sealed`, `attempts`, `withheld`, `next_attempt_at`, `provider`, `provider_message_id`, `cost`, `cost_currency`, `delivery`, `reported_at`, `expires_at`, `created_at`, `user_id`) SELECT `id`, `channel`, `recipient`, `purpose`, `category`, `status`, `sealed`, `attempts`, `withheld`, `next_attempt_at`, `provider`, `provider_message_id`, `cost`, `cost_currency`, `delivery`, `reported_at`, `expires_at`, `created_at`, `user_id` FROM `messages`;
--> statement-breakpoint
DROP TABLE `messages`;
--> statement-breakpoint
ALTER TABLE `__new_messages` RENAME TO `messages`;
--> statement-breakpoint
CREATE INDEX `messages_of_provider` ON `messages` (`provider`,`provider_message_id`) WHERE provider_message_id is not null;
--> statement-breakpoint
CREATE INDEX `messages_to` ON `messages` (`recipient`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `messages_asked` ON `messages` (`created_at`) WHERE category is null;
--> statement-breakpoint
CREATE INDEX `messages_list` ON `messages` (`withheld`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `messages_due` ON `messages` (`next_attempt_at`) WHERE status = 'PENDING';
--> statement-breakpoint
CREATE TABLE `__new_rate_windows` (
	`key` text PRIMARY KEY NOT NULL,
	`uses` integer NOT NULL,
	`quota` integer NOT NULL,
	`expires_at` integer NOT NULL,
	CONSTRAINT "rate_windows_quota" CHECK(uses <= quota)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_rate_windows` (`key`, `uses`, `quota`, `expires_at`) SELECT `key`, `uses`, `quota`, `expires_at` FROM `rate_windows`;
--> statement-breakpoint
DROP TABLE `rate_windows`;
--> statement-breakpoint
ALTER TABLE `__new_rate_windows` RENAME TO `rate_windows`;
--> statement-breakpoint
CREATE INDEX `rate_windows_expiry` ON `rate_windows` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `__new_transfers` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`account_id` text NOT NULL,
	`organization_id` text,
	`payee_id` text NOT NULL,
	`payee_account_id` text NOT NULL,
	`destination` text NOT NULL,
	`payee_user_id` text,
	`payer_number` text,
	`payer_name` text,
	`snapshot` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`note` text,
	`status` text NOT NULL,
	`failure_reason` text,
	`challenge_id` text,
	`taken` integer DEFAULT false NOT NULL,
	`provider_reference` text,
	`reported_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	CONSTRAINT "transfers_amount" CHECK(amount > 0),
	CONSTRAINT "transfers_internal" CHECK((destination = 'INTERNAL') = (payee_user_id is not null)),
	CONSTRAINT "transfers_finished" CHECK((status in ('COMPLETED', 'FAILED')) = (completed_at is not null)),
	CONSTRAINT "transfers_failed" CHECK((status = 'FAILED') = (failure_reason is not null)),
	CONSTRAINT "transfers_work" CHECK((status in ('COMPLETED', 'FAILED') or taken) = (next_attempt_at is null))
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_transfers` (`id`, `user_id`, `account_id`, `organization_id`, `payee_id`, `payee_account_id`, `destination`, `payee_user_id`, `payer_number`, `payer_name`, `snapshot`, `amount`, `currency`, `note`, `status`, `failure_reason`, `challenge_id`, `taken`, `provider_reference`, `reported_at`, `attempts`, `next_attempt_at`, `created_at`, `completed_at`) SELECT `id`, `user_id`, `account_id`, `organization_id`, `payee_id`, `payee_account_id`, `destination`, `payee_user_id`, `payer_number`, `payer_name`, `snapshot`, `amount`, `currency`, `note`, `status`, `failure_reason`, `challenge_id`, `taken`, `provider_reference`, `reported_at`, `attempts`, `next_attempt_at`, `created_at`, `completed_at` FROM `transfers`;
--> statement-breakpoint
DROP TABLE `transfers`;
--> statement-breakpoint
ALTER TABLE `__new_transfers` RENAME TO `transfers`;
--> statement-breakpoint
CREATE INDEX `transfers_list` ON `transfers` (`user_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `transfers_due` ON `transfers` (`next_attempt_at`) WHERE next_attempt_at is not null;
--> statement-breakpoint
CREATE INDEX `transfers_open` ON `transfers` (`payee_account_id`) WHERE status in ('AWAITING_OTP', 'PENDING');
--> statement-breakpoint
CREATE INDEX `transfers_waiting` ON `transfers` (`created_at`,`id`) WHERE status = 'PENDING';
--> statement-breakpoint
CREATE TRIGGER `audit_rows_append_only` BEFORE UPDATE ON `audit_rows` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_rows_kept` BEFORE DELETE ON `audit_rows` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_rows_added` BEFORE INSERT ON `audit_rows` WHEN EXISTS (SELECT 1 FROM `audit_rows` r WHERE r.stream = NEW.stream AND r.sequence = NEW.sequence) BEGIN SELECT RAISE(ABORT, 'append only'); END;
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
CREATE TRIGGER `organization_members_owner_stays` BEFORE UPDATE ON `organization_members` WHEN OLD.role = 'organization-owner' AND OLD.removed_at IS NULL AND (NEW.role <> OLD.role OR NEW.removed_at IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM `organization_members` m WHERE m.organization_id = OLD.organization_id AND m.role = 'organization-owner' AND m.removed_at IS NULL AND m.user_id <> OLD.user_id) BEGIN SELECT RAISE(ABORT, 'last owner'); END;
--> statement-breakpoint
CREATE TRIGGER `organization_members_owner_kept` BEFORE DELETE ON `organization_members` WHEN OLD.role = 'organization-owner' AND OLD.removed_at IS NULL AND NOT EXISTS (SELECT 1 FROM `organization_members` m WHERE m.organization_id = OLD.organization_id AND m.role = 'organization-owner' AND m.removed_at IS NULL AND m.user_id <> OLD.user_id) BEGIN SELECT RAISE(ABORT, 'last owner'); END;
--> statement-breakpoint
CREATE TRIGGER `incoming_transfers_final` BEFORE UPDATE OF `transfer_id`, `account_id`, `payee_user_id`, `payer_user_id`, `amount`, `currency`, `outcome`, `created_at` ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
--> statement-breakpoint
CREATE TRIGGER `incoming_transfers_names_go` BEFORE UPDATE OF `payer_name`, `note` ON `incoming_transfers` WHEN NEW.payer_name IS NOT NULL OR NEW.note IS NOT NULL BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
--> statement-breakpoint
CREATE TRIGGER `incoming_transfers_kept` BEFORE DELETE ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (25, 'bab48ceb87e6ab4eff2a18029b41402c3553e9d132c5e32d53aa53d2ae542118');
