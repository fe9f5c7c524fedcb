ALTER TABLE `disbursements` ADD `second_receipts` text;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `second_receipt_at` integer;--> statement-breakpoint
CREATE INDEX `disbursements_second_receipt` ON `disbursements` (`second_receipt_at`,`id`) WHERE second_receipt_at is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (13, '01c4f68807263db6fd6ad53e5eba95cf4422bf354bcbc9c7a492da9b51efc452');
