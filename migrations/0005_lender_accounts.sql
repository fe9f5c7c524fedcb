CREATE TABLE `former_connections` (
	`organization_id` text NOT NULL,
	`provider` text NOT NULL,
	`environment` text NOT NULL,
	`short_code` text NOT NULL,
	`facts` text NOT NULL,
	`ended_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `provider`)
);
--> statement-breakpoint
ALTER TABLE `payment_connections` ADD `replacement` text;--> statement-breakpoint
ALTER TABLE `payment_connections` ADD `replaced_at` integer;--> statement-breakpoint
CREATE INDEX `payment_connections_replaced` ON `payment_connections` (`replaced_at`) WHERE replaced_at is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (5, '4cc17a826064e4f02d20248797b9c3ff50be4b46c5efa26abdce32ba9d0f7a9e');
