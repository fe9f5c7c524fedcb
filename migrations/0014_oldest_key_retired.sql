ALTER TABLE `oldest_key` ADD `next_key_id` text;--> statement-breakpoint
ALTER TABLE `oldest_key` ADD `retiring_since` integer;--> statement-breakpoint
ALTER TABLE `oldest_key` ADD `moving_since` integer;--> statement-breakpoint
ALTER TABLE `oldest_key` ADD `pass_since` integer;--> statement-breakpoint
ALTER TABLE `oldest_key` ADD `pass_cursor` text;--> statement-breakpoint
ALTER TABLE `oldest_key` ADD `pass_left` integer;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (14, '2677bc837bcc48694228d1f8c7777ba47314b47c135fb1cd598fac811a3ea3c4');
