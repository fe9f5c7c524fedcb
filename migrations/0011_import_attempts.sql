ALTER TABLE `import_accounts` ADD `attempts` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (11, 'ec19ef0966e3853d072729e051e3bb7d228f85e4d270b7f54136b7ee685d7582');
