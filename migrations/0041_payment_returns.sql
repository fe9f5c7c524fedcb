CREATE TABLE `payment_returns` (
	`id` text PRIMARY KEY NOT NULL,
	`reversal_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`provider` text NOT NULL,
	`short_code` text NOT NULL,
	`receipt` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`harmless_attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`failure_reason` text,
	`transaction_id` text,
	`contradiction` text,
	`given_up_reason` text,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	CONSTRAINT "payment_returns_amount" CHECK(amount > 0 and amount <= 9007199254740991),
	CONSTRAINT "payment_returns_told" CHECK((status in ('PENDING', 'TAKEN')) = (next_attempt_at is not null)),
	CONSTRAINT "payment_returns_failed" CHECK((status = 'FAILED') <= (failure_reason is not null)),
	CONSTRAINT "payment_returns_given_up" CHECK((status = 'GIVEN_UP') <= (given_up_reason is not null))
);
--> statement-breakpoint
CREATE INDEX `payment_returns_due` ON `payment_returns` (`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX `payment_returns_waiting` ON `payment_returns` (`created_at`,`id`) WHERE status not in ('RETURNED', 'GIVEN_UP');
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, '2641a1faa4ed82723e660c5ccceaa54337191c8c6a93efcc848962f7983cbfb0'), (41, '2641a1faa4ed82723e660c5ccceaa54337191c8c6a93efcc848962f7983cbfb0') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
