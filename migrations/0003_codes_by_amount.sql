DROP TRIGGER `current_account_entries_apply`;
--> statement-breakpoint
DROP TRIGGER `current_accounts_open_empty`;
--> statement-breakpoint
ALTER TABLE `current_account_entries` ADD `uncoded` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `current_account_entries` ADD `uncoded_new` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `current_accounts` ADD `uncoded` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `current_accounts` ADD `uncoded_today` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `current_accounts` ADD `uncoded_new` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payee_accounts` ADD `confirmed_at` integer;
--> statement-breakpoint
CREATE TRIGGER `current_account_entries_apply` AFTER INSERT ON `current_account_entries` BEGIN UPDATE `current_accounts` SET position = NEW.position, balance = NEW.balance_after, held = NEW.held_after, out_total = CASE WHEN NEW.day > day THEN max(NEW.counted, 0) ELSE max(out_total + NEW.counted, 0) END, uncoded = uncoded + NEW.uncoded, uncoded_today = CASE WHEN NEW.day > day THEN 0 ELSE uncoded_today END + NEW.uncoded, uncoded_new = CASE WHEN NEW.day > day THEN 0 ELSE uncoded_new END + NEW.uncoded_new, day = NEW.day, weighted = weighted + NEW.amount * NEW.rate_index + CASE NEW.type WHEN 'INTEREST' THEN NEW.amount * 3650000 ELSE 0 END, updated_at = max(updated_at, NEW.created_at) WHERE id = NEW.account_id; END;
--> statement-breakpoint
CREATE TRIGGER `current_accounts_uncoded` BEFORE UPDATE OF `uncoded`, `uncoded_today`, `uncoded_new` ON `current_accounts` WHEN NEW.position = OLD.position AND (NEW.uncoded <> 0 OR NEW.uncoded_today <> 0 OR NEW.uncoded_new <> 0) BEGIN SELECT RAISE(ABORT, 'what was ordered without a code moves by an entry, or is cleared by a code'); END;
--> statement-breakpoint
CREATE TRIGGER `current_accounts_open_empty` BEFORE INSERT ON `current_accounts` WHEN NEW.position <> 0 OR NEW.balance <> 0 OR NEW.held <> 0 OR NEW.out_total <> 0 OR NEW.uncoded <> 0 OR NEW.uncoded_today <> 0 OR NEW.uncoded_new <> 0 OR NEW.weighted <> 0 BEGIN SELECT RAISE(ABORT, 'an account opens empty'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '5dc5126c561ec9e63032d0f463c620a2cc4bee24f052f17bf2e10360f996f5e8') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
