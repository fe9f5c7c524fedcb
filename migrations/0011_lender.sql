ALTER TABLE `disbursements` ADD `organization_id` text;--> statement-breakpoint
CREATE INDEX `disbursements_of_account` ON `disbursements` (`account_id`,`created_at`,`id`) WHERE account_id is not null;--> statement-breakpoint
CREATE INDEX `disbursements_open` ON `disbursements` (`status`,`created_at`,`id`) WHERE status in ('PENDING', 'ACCEPTED');--> statement-breakpoint
CREATE INDEX `disbursements_open_of` ON `disbursements` (`organization_id`,`status`,`created_at`,`id`) WHERE status in ('PENDING', 'ACCEPTED');--> statement-breakpoint
CREATE INDEX `payments_posted_of` ON `payments` (`organization_id`,`created_at`,`id`) WHERE status = 'POSTED';--> statement-breakpoint
CREATE INDEX `payments_open_of` ON `payments` (`organization_id`,`status`,`created_at`,`id`) WHERE status <> 'POSTED';
--> statement-breakpoint
UPDATE disbursements SET organization_id = coalesce(
	(SELECT a.organization_id FROM credit_accounts a WHERE a.id = disbursements.account_id),
	(SELECT i.organization_id FROM invoices i WHERE i.id = disbursements.invoice_id));
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'db9c6b9bcdd31e813bacb8f13c8d48cc317a1f99e0632b75cda9fa04e083c31f') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
