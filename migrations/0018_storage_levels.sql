CREATE TABLE `storage_levels` (
	`id` integer PRIMARY KEY NOT NULL,
	`level` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '634f446d7cd58f69eb387f6cbb7250d0d67f512ec99e9ed8bd4b73d30995258e') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
