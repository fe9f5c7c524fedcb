CREATE TABLE `ledger_closings` (
	`organization_id` text NOT NULL,
	`month` text NOT NULL,
	`last_day` text NOT NULL,
	`approval_id` text NOT NULL,
	`requested_by` text NOT NULL,
	`approved_by` text NOT NULL,
	`reason` text,
	`closed_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `month`)
) WITHOUT ROWID;
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
INSERT INTO `schema_version` (`id`, `hash`) VALUES (33, '897692bc1b3ef633f2af7ba6a1f1bb499486f12afc3a3df76cfdb1729adb9308');
