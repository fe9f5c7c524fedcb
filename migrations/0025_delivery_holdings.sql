CREATE TABLE `delivery_holdings` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`held` integer DEFAULT 0 NOT NULL,
	`quota` integer,
	`checked_at` integer,
	`nearing_told_at` integer,
	`reached_told_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'b42ff1cb93a81240237f71374aa07d570f2776ac5dce21a65033e5b67c9633bc') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
