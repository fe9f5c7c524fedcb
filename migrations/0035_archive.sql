ALTER TABLE `delivery_holdings` ADD `archived_to` integer;--> statement-breakpoint
ALTER TABLE `delivery_holdings` ADD `complete_from` integer;--> statement-breakpoint
ALTER TABLE `webhook_events` ADD `archived_for` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '39ba95dca3fce851c48fc7244f09c9d9bf9bc205e0280e1f5561390c2cdcaeb1'), (35, '39ba95dca3fce851c48fc7244f09c9d9bf9bc205e0280e1f5561390c2cdcaeb1') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
