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
CREATE INDEX `issued_statements_of_user` ON `issued_statements` (`user_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE TRIGGER `issued_statements_in_order` BEFORE INSERT ON `issued_statements` WHEN NEW.number <> coalesce((SELECT max(s.number) FROM `issued_statements` s WHERE s.organization_id = NEW.organization_id), 0) + 1 BEGIN SELECT RAISE(ABORT, 'statements are numbered without gaps'); END;
--> statement-breakpoint
CREATE TRIGGER `issued_statements_unchanged` BEFORE UPDATE ON `issued_statements` WHEN NEW.holder IS NOT NULL OR NEW.id <> OLD.id OR NEW.organization_id <> OLD.organization_id OR NEW.number <> OLD.number OR NEW.account_id <> OLD.account_id OR NEW.user_id <> OLD.user_id OR NEW.first_day <> OLD.first_day OR NEW.last_day <> OLD.last_day OR NEW.locale <> OLD.locale OR NEW.color <> OLD.color OR NEW.content <> OLD.content OR NEW.sha256 <> OLD.sha256 OR NEW.replaces_id IS NOT OLD.replaces_id OR NEW.created_at <> OLD.created_at BEGIN SELECT RAISE(ABORT, 'issued statements never change'); END;
--> statement-breakpoint
CREATE TRIGGER `issued_statements_kept` BEFORE DELETE ON `issued_statements` BEGIN SELECT RAISE(ABORT, 'issued statements never change'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (38, '5b8e9c24c8c7a234b3193086cf5879a811d2cf93204603f06685dc7ba18ed928');
