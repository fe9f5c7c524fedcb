ALTER TABLE `refresh_tokens` ADD `given_again_at` integer;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (2, 'bbad9072a34fe8d6a1133b6c03009f45b678ea55f4abdb37ac6cbbfcb88a2ca1');
