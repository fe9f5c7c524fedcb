CREATE INDEX `credit_accounts_of` ON `credit_accounts` (`organization_id`,`created_at`,`id`) WHERE status not in ('PENDING', 'CLOSED');--> statement-breakpoint
CREATE INDEX `current_accounts_of` ON `current_accounts` (`organization_id`,`created_at`,`id`) WHERE status <> 'CLOSED';
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '0cf723529a049f946902dbb26602b6cd08dc8bd157458960dd2710581c54e331') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
