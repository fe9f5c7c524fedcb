CREATE INDEX `credit_accounts_of` ON `credit_accounts` (`organization_id`,`created_at`,`id`) WHERE status not in ('PENDING', 'CLOSED');--> statement-breakpoint
CREATE INDEX `current_accounts_of` ON `current_accounts` (`organization_id`,`created_at`,`id`) WHERE status <> 'CLOSED';
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '3439db46a73a59967b974b489692dbccf25f28b88117bcd9eb7f7b4c15767e69') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
