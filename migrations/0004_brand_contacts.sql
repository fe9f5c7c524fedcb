ALTER TABLE `brands` ADD `name` text;--> statement-breakpoint
ALTER TABLE `brands` ADD `support_email` text;--> statement-breakpoint
ALTER TABLE `brands` ADD `support_phone` text;--> statement-breakpoint
ALTER TABLE `brands` ADD `terms_url` text;--> statement-breakpoint
ALTER TABLE `brands` ADD `privacy_url` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (4, '02bb9117705d11fa096194fca383389197847041a156d1caf3a8b4e540a9f0ec');
