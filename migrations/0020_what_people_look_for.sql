ALTER TABLE `users` ADD `folded_name` text;--> statement-breakpoint
ALTER TABLE `users` ADD `folded_last_name` text;--> statement-breakpoint
CREATE INDEX `users_by_email` ON `users` (lower(email)) WHERE email is not null;--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (`folded_name`) WHERE folded_name is not null;--> statement-breakpoint
CREATE INDEX `users_by_last_name` ON `users` (`folded_last_name`) WHERE folded_last_name is not null;--> statement-breakpoint
CREATE INDEX `users_by_name_of` ON `users` (`home_organization_id`,`folded_name`) WHERE folded_name is not null;--> statement-breakpoint
CREATE INDEX `users_by_last_name_of` ON `users` (`home_organization_id`,`folded_last_name`) WHERE folded_last_name is not null;--> statement-breakpoint
CREATE INDEX `credit_accounts_due_on` ON `credit_accounts` (`organization_id`,`earliest_due`,`created_at`,`id`) WHERE earliest_due is not null;--> statement-breakpoint
CREATE INDEX `invoices_by_number` ON `invoices` (`organization_id`,`number_key`);
--> statement-breakpoint
UPDATE users SET
	folded_name = lower(trim(display_name)),
	folded_last_name = lower(trim(replace(trim(display_name), rtrim(trim(display_name), replace(trim(display_name), ' ', '')), '') || ' ' || rtrim(trim(display_name), replace(trim(display_name), ' ', ''))))
WHERE display_name IS NOT NULL;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (20, '0ca077edbb2683377c98ddab921258df6c7853806cf777636fab1e933518d20d');
