ALTER TABLE `loan_products` ADD `access_fee_recognition` text DEFAULT 'AT_ONCE' NOT NULL;--> statement-breakpoint
ALTER TABLE `portfolio_days` ADD `fees_unearned` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `portfolio_days` ADD `fees_given_up` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (37, 'd42ea00db8a0cba0c85cfab12683bb999d3060f1635bf103da0786e4919067dd');
