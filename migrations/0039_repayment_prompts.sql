CREATE TABLE `repayment_prompts` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`provider` text NOT NULL,
	`short_code` text NOT NULL,
	`reference` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`checkout_id` text,
	`failure_reason` text,
	`transaction_id` text,
	`steps` integer NOT NULL,
	`next_step_at` integer,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	CONSTRAINT "repayment_prompts_paid_once" CHECK((status = 'SUCCEEDED') = (transaction_id is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `repayment_prompts_reference_unique` ON `repayment_prompts` (`reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `repayment_prompts_open` ON `repayment_prompts` (`account_id`) WHERE status in ('PENDING', 'SENT');--> statement-breakpoint
CREATE UNIQUE INDEX `repayment_prompts_paid` ON `repayment_prompts` (`transaction_id`) WHERE transaction_id is not null;--> statement-breakpoint
CREATE INDEX `repayment_prompts_of_account` ON `repayment_prompts` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `repayment_prompts_due` ON `repayment_prompts` (`next_step_at`) WHERE next_step_at is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '5d579a5ae440ceb5ace35e335e4966c391d7ada67e776a50b935e57764d5e41a'), (39, '5d579a5ae440ceb5ace35e335e4966c391d7ada67e776a50b935e57764d5e41a') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
