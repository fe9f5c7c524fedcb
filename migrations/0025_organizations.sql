ALTER TABLE `organizations` ADD `status` text DEFAULT 'ACTIVE' NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `updated_at` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `disbursements_of_suspended` BEFORE INSERT ON `disbursements` WHEN NEW.kind <> 'REFUND' AND EXISTS (SELECT 1 FROM `organizations` o WHERE o.id = NEW.organization_id AND o.status = 'SUSPENDED') BEGIN SELECT RAISE(ABORT, 'The organization is suspended'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '8554414b8aa9f6f0b4e9f428ea3537cea9a9473cf412fad7b9f3a69f2437fe42') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
