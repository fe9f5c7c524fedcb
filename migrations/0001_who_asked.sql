ALTER TABLE `approvals` ADD `requested_as` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '9d7ab88e2f9846050c381fcf6f6f247c880cd4bc1f20f20ebc9481879c556b21');
