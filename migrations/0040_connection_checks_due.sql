DROP INDEX `payment_connections_balance`;--> statement-breakpoint
CREATE INDEX `payment_connections_balance` ON `payment_connections` (`next_balance_at`) WHERE provider = 'daraja' and payouts = 1 or check_outcome = 'WAITING';
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '2eca1330328eaef6324cc77946c3796064674005a407e0aae11d7de26ddc2c1f'), (40, '2eca1330328eaef6324cc77946c3796064674005a407e0aae11d7de26ddc2c1f') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
