ALTER TABLE `loan_applications` ADD `cost` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (18, 'ff1432dcff7d991149db0faeb2d151332585d23b8a972151ebb1b5dea7728b74');
