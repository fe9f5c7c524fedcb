CREATE TABLE `delivery_holdings` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`held` integer DEFAULT 0 NOT NULL,
	`quota` integer,
	`checked_at` integer,
	`nearing_told_at` integer,
	`reached_told_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '42749a80d68a5a3e07fb10571b3740b8f3a2f143a580ddefdcec17e6e159ab07') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
