ALTER TABLE `organizations` ADD `status` text DEFAULT 'ACTIVE' NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `updated_at` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `disbursements_of_suspended` BEFORE INSERT ON `disbursements` WHEN NEW.kind <> 'REFUND' AND EXISTS (SELECT 1 FROM `organizations` o WHERE o.id = NEW.organization_id AND o.status = 'SUSPENDED') BEGIN SELECT RAISE(ABORT, 'The organization is suspended'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'a755bd2a80995a85c90704317a67aa6489e9ad478ccf187fce8f84e10a4e301d') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
