ALTER TABLE `api_keys` ADD `daily_amount` integer;--> statement-breakpoint
ALTER TABLE `organization_members` ADD `granted_at` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'f785aa2784637559e34a8cf81c607378afd66bda0b3d01fc477851ef4ecd3e76') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
