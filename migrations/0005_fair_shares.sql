DROP INDEX `otp_challenges_to`;--> statement-breakpoint
DROP INDEX `messages_list`;--> statement-breakpoint
ALTER TABLE `messages` ADD `withheld` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `messages_list` ON `messages` (`withheld`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `otp_sends` ADD `share` text DEFAULT 'SIGNED_IN' NOT NULL;--> statement-breakpoint
CREATE INDEX `otp_sends_share` ON `otp_sends` (`share`,`sent_at`);
--> statement-breakpoint
CREATE TRIGGER `audit_rows_added` BEFORE INSERT ON `audit_rows` WHEN EXISTS (SELECT 1 FROM `audit_rows` r WHERE r.stream = NEW.stream AND r.sequence = NEW.sequence) BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_seals_added` BEFORE INSERT ON `audit_seals` WHEN EXISTS (SELECT 1 FROM `audit_seals` s WHERE s.stream = NEW.stream AND (s.through_sequence = NEW.through_sequence OR s.from_sequence = NEW.from_sequence)) OR EXISTS (SELECT 1 FROM `audit_seals` s WHERE s.rowid = NEW.rowid) BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '567b52da6aeb94eb080bb3564109483eb405e713d01bd71d45ad2b836bc82fa0') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
