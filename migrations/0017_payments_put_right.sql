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
DROP TRIGGER `incoming_transfers_kept`;
--> statement-breakpoint
PRAGMA defer_foreign_keys=ON;--> statement-breakpoint
CREATE TABLE `__new_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`mobile_money_transaction_id` text NOT NULL,
	`transaction_id_sent` text,
	`fingerprint` text NOT NULL,
	`status` text NOT NULL,
	`account_id` text,
	`posted_as_id` text,
	`moved_as_id` text,
	`account_number` text,
	`amount` integer NOT NULL,
	`reversed_amount` integer DEFAULT 0 NOT NULL,
	`reversed_by_id` text,
	`currency` text NOT NULL,
	`fee_amount` integer NOT NULL,
	`details` text NOT NULL,
	`unmatched_reason` text,
	`failure_reason` text,
	`transacted_at` integer NOT NULL,
	`confirmed_at` integer,
	`posted_at` integer,
	`failed_at` integer,
	`created_at` integer NOT NULL,
	CONSTRAINT "payments_amount" CHECK(amount > 0 and amount <= 9007199254740991),
	CONSTRAINT "payments_posted" CHECK((status in ('POSTED', 'REVERSED')) = (posted_at is not null)),
	CONSTRAINT "payments_reversed" CHECK(reversed_amount between 0 and amount and (reversed_amount = 0) = (reversed_by_id is null)),
	CONSTRAINT "payments_reversed_whole" CHECK((status = 'REVERSED') = (reversed_amount = amount)),
	CONSTRAINT "payments_moved" CHECK(moved_as_id is null or status = 'REVERSED')
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_payments` (`id`, `organization_id`, `mobile_money_transaction_id`, `transaction_id_sent`, `fingerprint`, `status`, `account_id`, `posted_as_id`, `account_number`, `amount`, `currency`, `fee_amount`, `details`, `unmatched_reason`, `failure_reason`, `transacted_at`, `confirmed_at`, `posted_at`, `failed_at`, `created_at`) SELECT `id`, `organization_id`, `mobile_money_transaction_id`, `transaction_id_sent`, `fingerprint`, `status`, `account_id`, `posted_as_id`, `account_number`, `amount`, `currency`, `fee_amount`, `details`, `unmatched_reason`, `failure_reason`, `transacted_at`, `confirmed_at`, `posted_at`, `failed_at`, `created_at` FROM `payments`;--> statement-breakpoint
DROP TABLE `payments`;--> statement-breakpoint
ALTER TABLE `__new_payments` RENAME TO `payments`;--> statement-breakpoint
PRAGMA defer_foreign_keys=OFF;--> statement-breakpoint
CREATE UNIQUE INDEX `payments_once` ON `payments` (`organization_id`,`mobile_money_transaction_id`) WHERE moved_as_id is null;--> statement-breakpoint
CREATE INDEX `payments_unmatched` ON `payments` (`created_at`,`id`) WHERE status = 'UNMATCHED';--> statement-breakpoint
CREATE INDEX `payments_posted_of` ON `payments` (`organization_id`,`created_at`,`id`) WHERE status in ('POSTED', 'REVERSED');--> statement-breakpoint
CREATE INDEX `payments_open_of` ON `payments` (`organization_id`,`status`,`created_at`,`id`) WHERE status <> 'POSTED';--> statement-breakpoint
CREATE INDEX `payments_to_post` ON `payments` (`account_id`,`transacted_at`,`id`) WHERE status = 'CONFIRMED';--> statement-breakpoint
CREATE INDEX `payments_failed` ON `payments` (`account_id`,`created_at`,`id`) WHERE status = 'FAILED';--> statement-breakpoint
DROP INDEX `account_transactions_reversed_once`;--> statement-breakpoint
CREATE UNIQUE INDEX `account_transactions_reversed_once` ON `account_transactions` (`reverses_id`,`number`) WHERE reverses_id is not null;
--> statement-breakpoint
UPDATE `payments` SET
	`reversed_amount` = `amount`,
	`reversed_by_id` = (SELECT `id` FROM `account_transactions` WHERE `reverses_id` = `payments`.`id`),
	`status` = 'REVERSED'
WHERE `status` = 'POSTED' AND EXISTS (SELECT 1 FROM `account_transactions` WHERE `reverses_id` = `payments`.`id`);
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
CREATE TRIGGER `incoming_transfers_final` BEFORE UPDATE ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
--> statement-breakpoint
CREATE TRIGGER `incoming_transfers_kept` BEFORE DELETE ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (17, 'a615e6d1b4117dc37a9057cff9020b57e977b39225f71ded63ad0f26f0fd7c4f');
