ALTER TABLE `organizations` ADD `status` text DEFAULT 'ACTIVE' NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `updated_at` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `disbursements_of_suspended` BEFORE INSERT ON `disbursements` WHEN NEW.kind <> 'REFUND' AND EXISTS (SELECT 1 FROM `organizations` o WHERE o.id = NEW.organization_id AND o.status = 'SUSPENDED') BEGIN SELECT RAISE(ABORT, 'The organization is suspended'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'fdfab7e79a82c4496e4e9c020f03b169f011fadd029db7b30f5f4e8eff61a25b') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
