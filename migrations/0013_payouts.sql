ALTER TABLE `loan_products` ADD `payout_destinations` text DEFAULT '["OWN_NUMBER","CURRENT_ACCOUNT"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `loan_applications` ADD `payout` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '9ffc4469d81975b41216b1d2dc5adabae8ed2635d87f0da9ec0148bea13244b2') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
