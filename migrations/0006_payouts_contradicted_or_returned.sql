DROP INDEX `disbursements_waiting`;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `failure_told` text;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `failure_told_at` integer;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `contradicted_at` integer;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `paid_transaction` text;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `paid_at` integer;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `book_at` integer;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `return_transaction` text;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `return_transaction_sent` text;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `returned_at` integer;--> statement-breakpoint
CREATE INDEX `disbursements_contradicted` ON `disbursements` (`contradicted_at`,`id`) WHERE contradicted_at is not null;--> statement-breakpoint
CREATE INDEX `disbursements_to_book` ON `disbursements` (`book_at`) WHERE book_at is not null;--> statement-breakpoint
CREATE INDEX `disbursements_waiting` ON `disbursements` (`created_at`,`id`) WHERE status not in ('SUCCEEDED', 'FAILED', 'RETURNED');
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (6, '1aed608dd3183b96e16b8ecdea9a6d161048ebf462da6195343b7416c4138e25');
