ALTER TABLE `webhook_endpoints` ADD `batch_size` integer;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `batch_wait_ms` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '68813baf1c38c940d80c33be3583c54f3ee7bfb5a9be9a3366c793f6b2175b48'), (29, '68813baf1c38c940d80c33be3583c54f3ee7bfb5a9be9a3366c793f6b2175b48') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
