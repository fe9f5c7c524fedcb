ALTER TABLE `import_accounts` ADD `existing_user_id` text;--> statement-breakpoint
CREATE INDEX `import_accounts_of_users` ON `import_accounts` (`import_id`,`status`,`created_at`,`old_id`) WHERE existing_user_id is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (8, '2c66cd28908bb4c4b8134b12df0921ac251cae8a9a13e03039d1d0644ea45634');
