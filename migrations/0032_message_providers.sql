CREATE TABLE `message_days` (
	`day` text NOT NULL,
	`provider` text NOT NULL,
	`currency` text NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`delivered` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`cost` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`day`, `provider`, `currency`)
);
--> statement-breakpoint
ALTER TABLE `messages` ADD `provider` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `provider_message_id` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `cost` integer;--> statement-breakpoint
ALTER TABLE `messages` ADD `cost_currency` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `delivery` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `reported_at` integer;--> statement-breakpoint
CREATE INDEX `messages_of_provider` ON `messages` (`provider`,`provider_message_id`) WHERE provider_message_id is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '0c051dd70cbe88e65c79eb579e641efdd98971b7d1a78f99d17089497698c5f1'), (32, '0c051dd70cbe88e65c79eb579e641efdd98971b7d1a78f99d17089497698c5f1') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
