CREATE TABLE `crowded_organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `crowded_organizations_list` ON `crowded_organizations` (`since`,`id`);--> statement-breakpoint
CREATE TABLE `deleted_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`deleted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deleted_endpoints_of` ON `deleted_endpoints` (`organization_id`,`id`);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '2323a8968c015896da171e7fd7cb7cfcbbe8bb218722cef9c8381555e0d3b9cc'), (37, '2323a8968c015896da171e7fd7cb7cfcbbe8bb218722cef9c8381555e0d3b9cc') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
