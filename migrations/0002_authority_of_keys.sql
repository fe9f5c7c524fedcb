ALTER TABLE `api_keys` ADD `daily_amount` integer;--> statement-breakpoint
ALTER TABLE `organization_members` ADD `granted_at` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'c1ad8e8feb00359e49fe7cf4136941784f84cfc72d651960850c7851e8d4171f') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
