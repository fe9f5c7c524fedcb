DROP TRIGGER `incoming_transfers_final`;
--> statement-breakpoint
CREATE TABLE `erasures` (
	`user_id` text PRIMARY KEY NOT NULL,
	`organization_id` text,
	`requested_at` integer NOT NULL,
	`begins_at` integer NOT NULL,
	`sealed` text,
	`place` integer DEFAULT 0 NOT NULL,
	`cursor` text,
	`finished_at` integer,
	`erased_at` integer
);
--> statement-breakpoint
CREATE INDEX `erasures_due` ON `erasures` (`begins_at`) WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX `erasures_untold` ON `erasures` (`finished_at`) WHERE finished_at is not null and erased_at is null;
--> statement-breakpoint
CREATE TRIGGER `incoming_transfers_final` BEFORE UPDATE OF `transfer_id`, `account_id`, `payee_user_id`, `payer_user_id`, `amount`, `currency`, `outcome`, `created_at` ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
--> statement-breakpoint
CREATE TRIGGER `incoming_transfers_names_go` BEFORE UPDATE OF `payer_name`, `note` ON `incoming_transfers` WHEN NEW.payer_name IS NOT NULL OR NEW.note IS NOT NULL BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (23, '30b49612121ee4fcfc8f7acdaf055756f2465c3de1d7d608ce98da6a18460d73');
