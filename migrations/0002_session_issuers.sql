ALTER TABLE `sessions` ADD `issuer` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '08ea6646c851bab7f1cfd312853e0d9adcacc72e93baf1714edb39c93151b5ee') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
