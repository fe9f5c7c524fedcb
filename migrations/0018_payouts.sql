ALTER TABLE `loan_products` ADD `payout_destinations` text DEFAULT '["OWN_NUMBER","CURRENT_ACCOUNT"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `loan_applications` ADD `payout` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'a043d3420c12c6518e550eba44082846ae88a7e37e8a638cd6f98a1e10f4cf60') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
