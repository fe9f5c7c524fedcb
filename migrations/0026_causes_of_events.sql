ALTER TABLE `webhook_events` ADD `cause` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (26, 'f59c0d4612da9babe54196e3956229c5e005906d85e8e8bd17e477979c491a4b');
