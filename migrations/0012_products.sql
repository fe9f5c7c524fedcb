ALTER TABLE `loan_products` ADD `suspended_at` integer;--> statement-breakpoint
ALTER TABLE `loan_products` ADD `updated_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `loan_products_retired` ON `loan_products` (`retired_at`) WHERE retired_at is not null;--> statement-breakpoint
CREATE INDEX `loan_applications_open_of_product` ON `loan_applications` (`loan_product_id`) WHERE status in ('PENDING', 'APPROVED');
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '0a9f71e2fbc4b45d8c06b879432575ccf79117bd46135522f2473ab310f8b163') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
