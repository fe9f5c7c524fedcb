ALTER TABLE `webhook_endpoints` ADD `filter` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '0312b30b3c88392eccbe6c667fc775f5aa50b6be63da9ff0e988d3839fb965ce') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
