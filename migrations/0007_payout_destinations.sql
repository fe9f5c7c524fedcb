ALTER TABLE `disbursements` ADD `destination` text;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `instruction` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'd29fc3c32766b0f3eab709b96d0767561186f46fb3ece5eb725ac40a844c8515') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
