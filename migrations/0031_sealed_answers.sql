CREATE TABLE `sealed_answers` (
	`scope` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sealed_answers_expiry` ON `sealed_answers` (`expires_at`);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '64657a0752d9e352ed85a00c541976542a29a7f89864a33470b1d5a5a55cf1e2'), (31, '64657a0752d9e352ed85a00c541976542a29a7f89864a33470b1d5a5a55cf1e2') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
