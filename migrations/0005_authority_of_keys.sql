ALTER TABLE `api_keys` ADD `daily_amount` integer;--> statement-breakpoint
ALTER TABLE `organization_members` ADD `granted_at` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'c80aa1f88bc41310aad3db52b040e894dbeb9b5f9067b962b333df59887ad97c') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
