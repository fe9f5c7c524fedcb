ALTER TABLE `loan_products` ADD `suspended_at` integer;--> statement-breakpoint
ALTER TABLE `loan_products` ADD `updated_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `loan_products_retired` ON `loan_products` (`retired_at`) WHERE retired_at is not null;--> statement-breakpoint
CREATE INDEX `loan_applications_open_of_product` ON `loan_applications` (`loan_product_id`) WHERE status in ('PENDING', 'APPROVED');
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '4340bb55f7e7846960abbddc1cce07f998b4ce90031d6328bfe8f912fb2126bb') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
