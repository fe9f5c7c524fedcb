ALTER TABLE `credit_accounts` ADD `in_duplum_told_on` text;--> statement-breakpoint
ALTER TABLE `loan_products` ADD `in_duplum` text DEFAULT '{"sinceDefault":true}' NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '92745c4d2c1bf37f1f9c31db77e4e1f96d375281db1f48aab50a07c50928aa82') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
