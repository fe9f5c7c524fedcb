DROP INDEX `invoice_advances_once`;--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_advances_once` ON `invoice_advances` (`invoice_id`) WHERE status not in ('FAILED', 'RETURNED');
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (12, '3b3c3fad1dd4d09755b5407ddfb504f348568832cbde6421e15d3d9b2e4c4f7a');
