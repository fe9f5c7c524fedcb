CREATE TABLE `devices` (
	`user_id` text NOT NULL,
	`device_hash` text NOT NULL,
	`platform` text NOT NULL,
	`token_hash` text NOT NULL,
	`sealed_token` text NOT NULL,
	`app_version` text,
	`locale` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `device_hash`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `devices_by_token` ON `devices` (`token_hash`);--> statement-breakpoint
CREATE INDEX `devices_list` ON `devices` (`user_id`,`updated_at`,`device_hash`);--> statement-breakpoint
CREATE TABLE `pushes` (
	`user_id` text NOT NULL,
	`device_hash` text NOT NULL,
	`message_id` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `device_hash`, `message_id`)
);
--> statement-breakpoint
CREATE INDEX `pushes_due` ON `pushes` (`next_attempt_at`);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (28, '4548338a6139591c63abcdbc9ffc5bb56e40fce0bf8ebae9f49eaa2231f4d8c8');
