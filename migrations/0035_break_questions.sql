ALTER TABLE `statement_breaks` ADD `asked_provider` text;--> statement-breakpoint
ALTER TABLE `statement_breaks` ADD `asked_at` integer;--> statement-breakpoint
ALTER TABLE `statement_breaks` ADD `cause` text;--> statement-breakpoint
ALTER TABLE `statement_breaks` ADD `answer` text;--> statement-breakpoint
ALTER TABLE `statement_breaks` ADD `attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `statement_breaks` ADD `next_attempt_at` integer;--> statement-breakpoint
CREATE INDEX `statement_breaks_to_ask` ON `statement_breaks` (`next_attempt_at`) WHERE next_attempt_at is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (35, 'ae209658f8e0bd5e1b5f2cde41869dffe03dbe5729dd2c9d52c6c654b91daf28');
