CREATE TABLE `storage_levels` (
	`id` integer PRIMARY KEY NOT NULL,
	`level` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'e86a3ea5ca68a6c69a446c20d0405fa68a127113e4685829fe4464a5b202ad6a') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
