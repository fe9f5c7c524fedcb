ALTER TABLE `payment_connections` ADD `facts` text DEFAULT '{}' NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'c742384d1dd0c31d10ee4f4a7b4c0a15be5e997f53ff761182d8ed8343c0e3e9'), (33, 'c742384d1dd0c31d10ee4f4a7b4c0a15be5e997f53ff761182d8ed8343c0e3e9') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
