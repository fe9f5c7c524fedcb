ALTER TABLE `custodian_instructions` ADD `cause` text;--> statement-breakpoint
ALTER TABLE `disbursements` ADD `cause` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `cause` text;--> statement-breakpoint
ALTER TABLE `repayment_prompts` ADD `cause` text;--> statement-breakpoint
ALTER TABLE `daraja_confirmations` ADD `cause` text;--> statement-breakpoint
ALTER TABLE `payment_returns` ADD `cause` text;--> statement-breakpoint
ALTER TABLE `transfers` ADD `cause` text;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (31, '3d6862b8842b7651bc4dc999566562f5a5b0db07bf0daee19c628ba957ddb78b');
