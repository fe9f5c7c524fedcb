ALTER TABLE `api_keys` ADD `daily_amount` integer;--> statement-breakpoint
ALTER TABLE `organization_members` ADD `granted_at` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'da26427588dc8763486415dd3d4bb3c846bf0ceda0fb1b97d6dbc172d9c9e0fa') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
