CREATE TABLE `delivery_holdings` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`held` integer DEFAULT 0 NOT NULL,
	`quota` integer,
	`checked_at` integer,
	`nearing_told_at` integer,
	`reached_told_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'fb21c1fea214f3db79e3f3a7c820edbb9326f4809d89c48b0f30d4b0f01276d6') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
