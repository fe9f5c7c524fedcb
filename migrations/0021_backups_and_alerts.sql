CREATE TABLE `alerts` (
	`name` text PRIMARY KEY NOT NULL,
	`level` text NOT NULL,
	`since` integer NOT NULL,
	`found` text NOT NULL,
	`told` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `backup_heads` (
	`id` integer PRIMARY KEY NOT NULL,
	`generation` integer NOT NULL,
	`migration` integer NOT NULL,
	`number` integer NOT NULL,
	`hash` text NOT NULL,
	`written_at` integer NOT NULL,
	`base` integer NOT NULL,
	`base_since` integer NOT NULL,
	`next_base` integer,
	`next_base_since` integer
);
--> statement-breakpoint
CREATE TABLE `backup_tables` (
	`name` text PRIMARY KEY NOT NULL,
	`columns` text NOT NULL,
	`state` text NOT NULL,
	`cursor` text
);
--> statement-breakpoint
CREATE INDEX `backup_tables_by_state` ON `backup_tables` (`state`,`name`);--> statement-breakpoint
CREATE TABLE `changed_rows` (
	`relation` text NOT NULL,
	`key1` blob NOT NULL,
	`key2` blob NOT NULL,
	`key3` blob NOT NULL,
	`key4` blob NOT NULL,
	`generation` integer NOT NULL,
	PRIMARY KEY(`relation`, `key1`, `key2`, `key3`, `key4`, `generation`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (21, 'e13e8fd927c4165f9519397fdfc951204d3b5729990461ea671d520dc73fdf57');
