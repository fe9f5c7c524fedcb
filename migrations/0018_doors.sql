ALTER TABLE `loan_products` ADD `payout_destinations` text DEFAULT '["OWN_NUMBER","CURRENT_ACCOUNT"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `loan_applications` ADD `payout` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '5ba810957aa23943b6c01d35a80d698978ad2135855c331eb655dae798956c50') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
