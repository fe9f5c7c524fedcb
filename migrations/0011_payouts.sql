ALTER TABLE `loan_products` ADD `payout_destinations` text DEFAULT '["OWN_NUMBER","CURRENT_ACCOUNT"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `loan_applications` ADD `payout` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '964f98a223583932877bd24e8d3940fb823ea193b81c9668355143dcc832b791') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
