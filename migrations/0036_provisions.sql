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
ALTER TABLE `loan_positions` ADD `staging` text;--> statement-breakpoint
ALTER TABLE `portfolio_days` ADD `stages` text;
--> statement-breakpoint
CREATE TRIGGER `provisioning_rules_append_only` BEFORE UPDATE ON `provisioning_rules` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `provisioning_rules_kept` BEFORE DELETE ON `provisioning_rules` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `provisioning_rules_of_open_days` BEFORE INSERT ON `provisioning_rules` WHEN NEW.effective_from <= (SELECT max(p.closed_through) FROM `portfolios` p WHERE p.organization_id = NEW.organization_id) BEGIN SELECT RAISE(ABORT, 'the day is closed'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (36, 'f7b674a2b8b2665676c4b5e418f932df0aea32cace5e49542faca2f38074525e');
