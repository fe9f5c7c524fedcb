CREATE TABLE `oldest_key` (
	`id` integer PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`digest` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (10, 'b1152556873c46ff3d6609c3644b2596be7fe837ba173ed7910a90444f366bb8');
