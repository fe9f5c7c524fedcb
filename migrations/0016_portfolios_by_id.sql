CREATE INDEX `loan_positions_ended` ON `loan_positions` (`organization_id`,`loan_product_id`,`as_of`) WHERE not is_open;--> statement-breakpoint
CREATE UNIQUE INDEX `portfolios_id` ON `portfolios` (`id`);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (16, 'dc1a0e3c4922a877a14770b259bc331848c7775c8b4f4dad8da6ca4f3a8ddca8');
