ALTER TABLE `users` ADD `display_name` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'e9cc1c46a96f3a1122ff53384e8941a7a49e984e3f0ceb6692a7656122975303') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
