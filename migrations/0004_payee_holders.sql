ALTER TABLE `payee_accounts` ADD `holder_changed_at` integer;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '77ba4e2ca46083c20d61e373618434daea2e143190664d188e7cf547728c79ec') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
