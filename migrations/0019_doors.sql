ALTER TABLE `loan_products` ADD `payout_destinations` text DEFAULT '["OWN_NUMBER","CURRENT_ACCOUNT"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `loan_applications` ADD `payout` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '3bfac8ecbf4391203bea22647e5aadf8cd3cd6bebf6efcfc01f6226ee63a6342') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
