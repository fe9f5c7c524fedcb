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
CREATE INDEX `ledger_mappings_by_organization` ON `ledger_mappings` (`organization_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE TRIGGER `ledger_mappings_append_only` BEFORE UPDATE ON `ledger_mappings` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_mappings_kept` BEFORE DELETE ON `ledger_mappings` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_mappings_of_open_days` BEFORE INSERT ON `ledger_mappings` WHEN NEW.effective_from <= (SELECT l.closed_through FROM `ledgers` l WHERE l.organization_id = NEW.organization_id) BEGIN SELECT RAISE(ABORT, 'the day is closed'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (38, '635a77fa94f96cf83c16a4c143a0a01272261f24edfd51198bf2005da655aa1f');
