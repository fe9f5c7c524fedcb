CREATE TABLE `authorization_syncs` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`merchant_id` text NOT NULL,
	`changes` integer NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`failure` text,
	`created_at` integer NOT NULL,
	`reached_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `authorization_syncs_once` ON `authorization_syncs` (`user_id`,`organization_id`,`merchant_id`);--> statement-breakpoint
CREATE INDEX `authorization_syncs_due` ON `authorization_syncs` (`next_attempt_at`) WHERE reached_at is null;--> statement-breakpoint
CREATE INDEX `authorization_syncs_waiting` ON `authorization_syncs` (`created_at`,`id`) WHERE reached_at is null;--> statement-breakpoint
CREATE INDEX `authorization_syncs_reached` ON `authorization_syncs` (`reached_at`) WHERE reached_at is not null;--> statement-breakpoint
ALTER TABLE `memberships` ADD `reached_at` integer;--> statement-breakpoint
CREATE INDEX `memberships_untold` ON `memberships` (`id`) WHERE reached_at is null;--> statement-breakpoint
ALTER TABLE `merchant_grants` ADD `reached_at` integer;--> statement-breakpoint
CREATE INDEX `merchant_grants_untold` ON `merchant_grants` (`user_id`,`organization_id`,`merchant_id`) WHERE reached_at is null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (22, '84112c299626544e5f9906d74f51f8f3204f5ec623d3c274f6b0742b77e494f7');
