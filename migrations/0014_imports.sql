CREATE TABLE `import_accounts` (
	`import_id` text NOT NULL,
	`old_id` text NOT NULL,
	`status` text NOT NULL,
	`account_id` text,
	`fault` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`import_id`, `old_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `import_accounts_list` ON `import_accounts` (`import_id`,`status`,`created_at`,`old_id`);--> statement-breakpoint
CREATE TABLE `import_lines` (
	`import_id` text NOT NULL,
	`old_account_id` text NOT NULL,
	`type` text NOT NULL,
	`key` text NOT NULL,
	`content` text NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`import_id`, `old_account_id`, `type`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`revision` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `imports_once` ON `imports` (`organization_id`,`name`);--> statement-breakpoint
CREATE INDEX `imports_work` ON `imports` (`updated_at`) WHERE status in ('CHECKING', 'RUNNING');--> statement-breakpoint
CREATE INDEX `imports_age` ON `imports` (`updated_at`);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'fe6b7df19582afa9c105610df3403110a46cf13b7ae80e99b8c7ae5fe8358890') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
