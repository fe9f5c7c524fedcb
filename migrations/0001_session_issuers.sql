ALTER TABLE `sessions` ADD `issuer` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '497cee041419c83ea27e7bfd425dca4be85e3b6578de0a1467b34494b66f6b79') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
