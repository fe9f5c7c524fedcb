CREATE TABLE `storage_levels` (
	`id` integer PRIMARY KEY NOT NULL,
	`level` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '3c578ca40b523e8a40f879a08a566df711745265e7d24fb1b209ab788a673752') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
