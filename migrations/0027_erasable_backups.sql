CREATE TABLE `backup_key_files` (
	`name` text PRIMARY KEY NOT NULL,
	`key_set` text NOT NULL,
	`version` integer NOT NULL,
	`written_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `backup_key_files_unwritten` ON `backup_key_files` (`name`) WHERE written_at is null;--> statement-breakpoint
CREATE INDEX `backup_key_files_by_age` ON `backup_key_files` (`created_at`);--> statement-breakpoint
CREATE TABLE `backup_keys` (
	`subject` text NOT NULL,
	`key_set` text NOT NULL,
	`file` text NOT NULL,
	`place` integer NOT NULL,
	`key` text NOT NULL,
	PRIMARY KEY(`subject`, `key_set`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `backup_keys_by_file` ON `backup_keys` (`file`,`place`);--> statement-breakpoint
ALTER TABLE `backup_heads` ADD `key_set` text DEFAULT '' NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (27, 'aebefeb599a9f216e38a84279f1d955b38d5b337767de1d7e05a9a6d4c54dfbc');
