ALTER TABLE `loan_products` ADD `payout_destinations` text DEFAULT '["OWN_NUMBER","CURRENT_ACCOUNT"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `loan_applications` ADD `payout` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'f885004aacd92ea32ff1de84328b7aa9373928e132426a48eb2af177b094fb48') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
