CREATE TABLE `audit_rows` (
	`stream` text NOT NULL,
	`sequence` integer NOT NULL,
	`id` text NOT NULL,
	`operation` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`entity_id` text,
	`target` text NOT NULL,
	`changes` text NOT NULL,
	`request_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`stream`, `sequence`),
	CONSTRAINT "audit_rows_actor_kind" CHECK(actor_kind in ('OPERATOR', 'MEMBER', 'API_KEY'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `audit_rows_actor` ON `audit_rows` (`stream`,`actor_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `audit_rows_entity` ON `audit_rows` (`stream`,`entity_id`,`sequence`) WHERE entity_id is not null;--> statement-breakpoint
CREATE INDEX `audit_rows_operation` ON `audit_rows` (`stream`,`operation`,`sequence`);--> statement-breakpoint
CREATE TABLE `audit_streams` (
	`stream` text PRIMARY KEY NOT NULL,
	`sealed_through` integer DEFAULT 0 NOT NULL,
	`head` text DEFAULT '0000000000000000000000000000000000000000000000000000000000000000' NOT NULL,
	`unsealed_since` integer,
	`verified_through` integer DEFAULT 0 NOT NULL,
	`reread_through` integer DEFAULT 0 NOT NULL,
	`reread_at` integer DEFAULT 0 NOT NULL,
	`announce_at` integer,
	`announced_at` integer
);
--> statement-breakpoint
CREATE INDEX `audit_streams_due` ON `audit_streams` (`unsealed_since`) WHERE unsealed_since is not null;--> statement-breakpoint
CREATE INDEX `audit_streams_reread` ON `audit_streams` (`reread_at`) WHERE sealed_through > 0;--> statement-breakpoint
CREATE INDEX `audit_streams_announce` ON `audit_streams` (`announce_at`) WHERE announce_at is not null;--> statement-breakpoint
CREATE TABLE `home_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`recipient` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `idempotency_records` (
	`scope` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer NOT NULL,
	`body` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `idempotency_records_expiry` ON `idempotency_records` (`expires_at`);--> statement-breakpoint
CREATE TABLE `names` (
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`id` text NOT NULL,
	`reserved_for` text,
	`reserved_at` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `value`)
);
--> statement-breakpoint
CREATE INDEX `names_reserved` ON `names` (`reserved_at`) WHERE reserved_for is not null;--> statement-breakpoint
CREATE INDEX `names_unsettled` ON `names` (`reserved_at`) WHERE reserved_for is null and reserved_at is not null;--> statement-breakpoint
CREATE TABLE `rate_windows` (
	`key` text PRIMARY KEY NOT NULL,
	`uses` integer NOT NULL,
	`quota` integer NOT NULL,
	`expires_at` integer NOT NULL,
	CONSTRAINT "rate_windows_quota" CHECK(uses <= quota)
);
--> statement-breakpoint
CREATE INDEX `rate_windows_expiry` ON `rate_windows` (`expires_at`);--> statement-breakpoint
CREATE TABLE `schema_version` (
	`id` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sealed_answers` (
	`scope` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sealed_answers_expiry` ON `sealed_answers` (`expires_at`);--> statement-breakpoint
CREATE TABLE `app_settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`settings` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `approvals` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text,
	`approval_type` text NOT NULL,
	`entity_type` text NOT NULL,
	`entity_id` text NOT NULL,
	`payload` text NOT NULL,
	`payload_hash` text NOT NULL,
	`reason` text,
	`target_version` text NOT NULL,
	`decider` text NOT NULL,
	`status` text NOT NULL,
	`requested_by` text NOT NULL,
	`requested_through` text NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	`decision` text,
	`comment` text,
	`failure_reason` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "approvals_four_eyes" CHECK(decided_by is null or decided_by <> requested_by)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `approvals_pending` ON `approvals` (`entity_id`,`approval_type`) WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX `approvals_expiry` ON `approvals` (`expires_at`) WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX `approvals_of` ON `approvals` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `approvals_of_by_status` ON `approvals` (`organization_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `approvals_of_by_type` ON `approvals` (`organization_id`,`approval_type`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `approvals_of_entity` ON `approvals` (`entity_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `approvals_list` ON `approvals` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `approvals_by_status` ON `approvals` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `approvals_by_type` ON `approvals` (`approval_type`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `audit_seals` (
	`stream` text NOT NULL,
	`from_sequence` integer NOT NULL,
	`through_sequence` integer NOT NULL,
	`leaves` text NOT NULL,
	`root` text NOT NULL,
	`previous` text NOT NULL,
	`hash` text NOT NULL,
	`signature` text NOT NULL,
	`sealed_at` integer NOT NULL,
	PRIMARY KEY(`stream`, `through_sequence`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_seals_from` ON `audit_seals` (`stream`,`from_sequence`);--> statement-breakpoint
CREATE TABLE `brands` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`logo_url` text,
	`icon_url` text,
	`font_family` text,
	`font_weight` integer,
	`primary_color` text NOT NULL,
	`secondary_color` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `agent_events` (
	`organization_id` text NOT NULL,
	`event_id` text NOT NULL,
	`agent_user_id` text NOT NULL,
	`event_type` text NOT NULL,
	`reference_id` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`description` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`reversed` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `event_id`),
	CONSTRAINT "agent_events_amount" CHECK(amount >= 0 and amount <= 9007199254740991),
	CONSTRAINT "agent_events_reversed" CHECK(reversed between 0 and amount)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `agent_events_report` ON `agent_events` (`organization_id`,`agent_user_id`,`occurred_at`,`event_id`);--> statement-breakpoint
CREATE INDEX `agent_events_penalties` ON `agent_events` (`organization_id`,`reference_id`) WHERE event_type = 'PENALTY';--> statement-breakpoint
CREATE TABLE `agent_supervisions` (
	`organization_id` text NOT NULL,
	`agent_user_id` text NOT NULL,
	`effective_from` integer NOT NULL,
	`effective_to` integer DEFAULT 9007199254740991 NOT NULL,
	`supervisor_user_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `agent_user_id`, `effective_from`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `agent_supervisions_of` ON `agent_supervisions` (`organization_id`,`supervisor_user_id`,`effective_to`);--> statement-breakpoint
CREATE TABLE `agents` (
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`currency` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `agents_of_user` ON `agents` (`user_id`);--> statement-breakpoint
CREATE TABLE `commission_models` (
	`id` text PRIMARY KEY NOT NULL,
	`model_id` text NOT NULL,
	`currency` text NOT NULL,
	`effective_from` integer NOT NULL,
	`rules` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `commission_models_version` ON `commission_models` (`model_id`,`currency`,`effective_from`);--> statement-breakpoint
CREATE INDEX `commission_models_effective` ON `commission_models` (`currency`,`effective_from`,`created_at`);--> statement-breakpoint
CREATE INDEX `commission_models_list` ON `commission_models` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `loan_positions` (
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`loan_product_id` text NOT NULL,
	`is_open` integer DEFAULT true NOT NULL,
	`closed_on` text,
	`since` text NOT NULL,
	`as_of` text NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`book_from` integer DEFAULT 1 NOT NULL,
	`principal` integer DEFAULT 0 NOT NULL,
	`interest` integer DEFAULT 0 NOT NULL,
	`arrears` integer DEFAULT 0 NOT NULL,
	`penalty` integer DEFAULT 0 NOT NULL,
	`refund_uncovered` integer DEFAULT 0 NOT NULL,
	`overpaid` integer DEFAULT 0 NOT NULL,
	`overdue` integer DEFAULT 0 NOT NULL,
	`oldest_due` text,
	`changed_on` text,
	PRIMARY KEY(`organization_id`, `account_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `loan_positions_open` ON `loan_positions` (`organization_id`,`loan_product_id`,`account_id`) WHERE is_open;--> statement-breakpoint
CREATE INDEX `loan_positions_overdue` ON `loan_positions` (`organization_id`,`oldest_due`,`account_id`) WHERE oldest_due is not null;--> statement-breakpoint
CREATE INDEX `loan_positions_overdue_of_product` ON `loan_positions` (`organization_id`,`loan_product_id`,`oldest_due`,`account_id`) WHERE oldest_due is not null;--> statement-breakpoint
CREATE TABLE `portfolio_days` (
	`organization_id` text NOT NULL,
	`loan_product_id` text NOT NULL,
	`day` text NOT NULL,
	`principal` integer NOT NULL,
	`interest` integer NOT NULL,
	`arrears` integer NOT NULL,
	`penalty` integer NOT NULL,
	`refund_uncovered` integer NOT NULL,
	`overpaid` integer NOT NULL,
	`accounts` integer NOT NULL,
	`walked` integer NOT NULL,
	`accounts_over0` integer NOT NULL,
	`principal_over0` integer NOT NULL,
	`accounts_over30` integer NOT NULL,
	`principal_over30` integer NOT NULL,
	`accounts_over60` integer NOT NULL,
	`principal_over60` integer NOT NULL,
	`accounts_over90` integer NOT NULL,
	`principal_over90` integer NOT NULL,
	`drawn` integer NOT NULL,
	`rolled_over` integer NOT NULL,
	`fees` integer NOT NULL,
	`interest_earned` integer NOT NULL,
	`penalties_charged` integer NOT NULL,
	`refunded_uncovered` integer NOT NULL,
	`paid_principal` integer NOT NULL,
	`paid_interest` integer NOT NULL,
	`paid_penalty` integer NOT NULL,
	`paid_refund_uncovered` integer NOT NULL,
	`waived_principal` integer NOT NULL,
	`waived_interest` integer NOT NULL,
	`waived_penalty` integer NOT NULL,
	`waived_refund_uncovered` integer NOT NULL,
	`written_off_principal` integer NOT NULL,
	`written_off_interest` integer NOT NULL,
	`written_off_penalty` integer NOT NULL,
	`written_off_refund_uncovered` integer NOT NULL,
	`recovered` integer NOT NULL,
	`overpayment_received` integer NOT NULL,
	`overpayment_used` integer NOT NULL,
	`refunded` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `loan_product_id`, `day`),
	CONSTRAINT "portfolio_days_principal" CHECK(principal = drawn + rolled_over - paid_principal - waived_principal - written_off_principal),
	CONSTRAINT "portfolio_days_interest" CHECK(interest + arrears = fees + interest_earned - paid_interest - waived_interest - written_off_interest),
	CONSTRAINT "portfolio_days_penalty" CHECK(penalty = penalties_charged - paid_penalty - waived_penalty - written_off_penalty),
	CONSTRAINT "portfolio_days_refund_uncovered" CHECK(refund_uncovered = refunded_uncovered - paid_refund_uncovered - waived_refund_uncovered - written_off_refund_uncovered),
	CONSTRAINT "portfolio_days_overpaid" CHECK(overpaid = overpayment_received + rolled_over - overpayment_used - refunded)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `portfolios` (
	`organization_id` text NOT NULL,
	`loan_product_id` text NOT NULL,
	`id` text NOT NULL,
	`currency` text NOT NULL,
	`time_zone` text NOT NULL,
	`closed_through` text NOT NULL,
	`closing` text,
	`cursor` text,
	`fault` text,
	`faulted_at` integer,
	`next_close_at` integer,
	PRIMARY KEY(`organization_id`, `loan_product_id`),
	CONSTRAINT "portfolios_fault" CHECK((fault is null) = (faulted_at is null) and (fault is null or next_close_at is null))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `portfolios_due` ON `portfolios` (`next_close_at`) WHERE next_close_at is not null;--> statement-breakpoint
CREATE INDEX `portfolios_faulted` ON `portfolios` (`faulted_at`,`id`) WHERE fault is not null;--> statement-breakpoint
CREATE TABLE `account_transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`organization_id` text,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`value_date` text NOT NULL,
	`amount` integer NOT NULL,
	`cycle_id` text,
	`installment_id` text,
	`reverses_id` text,
	`due_dates` text,
	`valid_until` text,
	`number` integer,
	`cause_id` text,
	`reason` text,
	`actor` text,
	`occurred_at` integer NOT NULL,
	`posted_at` integer NOT NULL,
	CONSTRAINT "account_transactions_amount" CHECK(amount > 0 or kind = 'PENALTY_CORRECTION'),
	CONSTRAINT "account_transactions_reverses" CHECK((kind = 'REVERSAL') = (reverses_id is not null))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `account_transactions_position` ON `account_transactions` (`account_id`,`position`);--> statement-breakpoint
CREATE UNIQUE INDEX `account_transactions_reversed_once` ON `account_transactions` (`reverses_id`) WHERE reverses_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `account_transactions_penalty_once` ON `account_transactions` (`installment_id`,`number`) WHERE kind = 'PENALTY';--> statement-breakpoint
CREATE INDEX `account_transactions_of` ON `account_transactions` (`organization_id`,`posted_at`,`id`);--> statement-breakpoint
CREATE INDEX `account_transactions_list` ON `account_transactions` (`account_id`,`posted_at`,`id`) WHERE kind in ('REPAYMENT', 'REVERSAL', 'WAIVER', 'REFUND', 'WRITE_OFF', 'RESCHEDULE', 'SETTLEMENT');--> statement-breakpoint
CREATE TABLE `allocations` (
	`id` text PRIMARY KEY NOT NULL,
	`transaction_id` text NOT NULL,
	`cause_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`account_id` text NOT NULL,
	`cycle_id` text NOT NULL,
	`balance_id` text NOT NULL,
	`installment_id` text NOT NULL,
	`position` integer NOT NULL,
	`allocated_amount` integer NOT NULL,
	`principal_amount` integer NOT NULL,
	`interest_amount` integer NOT NULL,
	`arrears_amount` integer NOT NULL,
	`penalty_amount` integer NOT NULL,
	`effect` text NOT NULL,
	`source` text NOT NULL,
	`timing` text NOT NULL,
	`allocated_at` integer NOT NULL,
	CONSTRAINT "allocations_sum" CHECK(allocated_amount = principal_amount + interest_amount + arrears_amount),
	CONSTRAINT "allocations_source" CHECK((source = 'REPLAY') = (cause_id <> transaction_id))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `allocations_key` ON `allocations` (`transaction_id`,`cause_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `allocations_of_installment` ON `allocations` (`installment_id`,`allocated_at`,`id`);--> statement-breakpoint
CREATE TABLE `credit_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`account_number` text NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text,
	`loan_product_id` text NOT NULL,
	`status` text NOT NULL,
	`currency` text NOT NULL,
	`terms` text NOT NULL,
	`loans_repaid_on_time` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`opened_at` integer,
	`last_position` integer DEFAULT 0 NOT NULL,
	`book_from` integer DEFAULT 1 NOT NULL,
	`principal_outstanding` integer DEFAULT 0 NOT NULL,
	`overpaid_amount` integer DEFAULT 0 NOT NULL,
	`earliest_due` text,
	`next_work_at` integer,
	`worked_through` text,
	`in_duplum_told_on` text,
	`rate_schedule` text NOT NULL,
	`next_tenure` text,
	`auto_renews` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_accounts_accountNumber_unique` ON `credit_accounts` (`account_number`);--> statement-breakpoint
CREATE UNIQUE INDEX `credit_accounts_once` ON `credit_accounts` (`user_id`,`loan_product_id`);--> statement-breakpoint
CREATE INDEX `credit_accounts_work` ON `credit_accounts` (`next_work_at`) WHERE next_work_at is not null;--> statement-breakpoint
CREATE INDEX `credit_accounts_list` ON `credit_accounts` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `credit_accounts_of` ON `credit_accounts` (`organization_id`,`created_at`,`id`) WHERE status not in ('PENDING', 'CLOSED');--> statement-breakpoint
CREATE TABLE `credit_cycles` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`number` integer NOT NULL,
	`application_id` text,
	`balance_id` text NOT NULL,
	`status` text NOT NULL,
	`principal` integer NOT NULL,
	`fee` integer NOT NULL,
	`terms` text NOT NULL,
	`start_date` text NOT NULL,
	`final_due_date` text NOT NULL,
	`started_at` integer NOT NULL,
	`rolled_from_id` text,
	`mobile_money_transaction_id` text,
	`paid_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_cycles_applicationId_unique` ON `credit_cycles` (`application_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `credit_cycles_number` ON `credit_cycles` (`account_id`,`number`);--> statement-breakpoint
CREATE TABLE `installments` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`cycle_id` text NOT NULL,
	`position` integer NOT NULL,
	`start_date` text NOT NULL,
	`due_date` text NOT NULL,
	`principal` integer NOT NULL,
	`interest` integer NOT NULL,
	`fee` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `installments_position` ON `installments` (`cycle_id`,`position`);--> statement-breakpoint
CREATE TABLE `activations` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`user_id` text NOT NULL,
	`channel` text NOT NULL,
	`status` text NOT NULL,
	`challenge_id` text NOT NULL,
	`rejection_reason` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`otp_confirmed_at` integer,
	`completed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `activations_one_open` ON `activations` (`account_id`) WHERE status = 'AWAITING_OTP' or (status = 'OTP_CONFIRMED' and completed_at is null);--> statement-breakpoint
CREATE INDEX `activations_undecided` ON `activations` (`otp_confirmed_at`,`id`) WHERE status = 'OTP_CONFIRMED' and completed_at is null;--> statement-breakpoint
CREATE TABLE `closures` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`user_id` text NOT NULL,
	`initiated_by` text NOT NULL,
	`reasons` text NOT NULL,
	`comment` text,
	`status` text NOT NULL,
	`challenge_id` text NOT NULL,
	`rejection_reason` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`otp_confirmed_at` integer,
	`completed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `closures_one_open` ON `closures` (`account_id`) WHERE status in ('AWAITING_OTP', 'OTP_CONFIRMED');--> statement-breakpoint
CREATE INDEX `closures_undecided` ON `closures` (`otp_confirmed_at`,`id`) WHERE status = 'OTP_CONFIRMED';--> statement-breakpoint
CREATE INDEX `closures_latest` ON `closures` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `custodian_decisions` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`subject_id` text NOT NULL,
	`decision` text NOT NULL,
	`rejection_reason` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `custodian_movements` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`direction` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "custodian_movements_amount" CHECK(amount > 0)
);
--> statement-breakpoint
CREATE TABLE `custodian_instructions` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`round` integer NOT NULL,
	`facts` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `custodian_instructions_due` ON `custodian_instructions` (`next_attempt_at`) WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX `custodian_instructions_waiting` ON `custodian_instructions` (`created_at`,`id`) WHERE status = 'PENDING';--> statement-breakpoint
CREATE UNIQUE INDEX `custodian_instructions_once` ON `custodian_instructions` (`subject_id`,`kind`,`round`);--> statement-breakpoint
CREATE TABLE `current_account_entries` (
	`account_id` text NOT NULL,
	`position` integer NOT NULL,
	`id` text NOT NULL,
	`type` text NOT NULL,
	`phase` text NOT NULL,
	`amount` integer NOT NULL,
	`hold` integer NOT NULL,
	`counted` integer NOT NULL,
	`uncoded` integer DEFAULT 0 NOT NULL,
	`uncoded_new` integer DEFAULT 0 NOT NULL,
	`balance_after` integer NOT NULL,
	`held_after` integer NOT NULL,
	`day` text NOT NULL,
	`rate_index` integer NOT NULL,
	`source_id` text NOT NULL,
	`contra` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `position`),
	CONSTRAINT "current_account_entries_phase" CHECK((phase = 'HOLD') = (type = 'HOLD')),
	CONSTRAINT "current_account_entries_exact" CHECK(typeof(amount) = 'integer' and typeof(hold) = 'integer' and typeof(rate_index) = 'integer'),
	CONSTRAINT "current_account_entries_shape" CHECK(case type
				when 'HOLD' then amount = 0 and hold > 0
				when 'RELEASE' then amount = 0 and hold < 0
				when 'SETTLE' then amount < 0 and hold = amount
				when 'MOVEMENT' then amount <> 0 and hold = 0
				when 'TRANSFER_OUT' then amount < 0 and hold = 0
				when 'LOAN_REPAYMENT' then amount < 0 and hold = 0
				else amount > 0 and hold = 0 end)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `current_account_entries_once` ON `current_account_entries` (`source_id`,`account_id`,`contra`,`phase`);--> statement-breakpoint
CREATE INDEX `current_account_entries_days` ON `current_account_entries` (`account_id`,`day`,`position`) WHERE amount <> 0;--> statement-breakpoint
CREATE UNIQUE INDEX `current_account_entries_moves` ON `current_account_entries` (`account_id`,`position`) WHERE amount <> 0;--> statement-breakpoint
CREATE INDEX `current_account_entries_loans` ON `current_account_entries` (`account_id`,`source_id`) WHERE type = 'LOAN_REPAYMENT';--> statement-breakpoint
CREATE TABLE `current_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`account_number` text NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text,
	`currency` text NOT NULL,
	`time_zone` text NOT NULL,
	`status` text NOT NULL,
	`wallet_onboarding_status` text NOT NULL,
	`rejection_reasons` text NOT NULL,
	`round` integer NOT NULL,
	`external_provider` text NOT NULL,
	`external_account_id` text,
	`external_account_number` text,
	`position` integer DEFAULT 0 NOT NULL,
	`balance` integer DEFAULT 0 NOT NULL,
	`held` integer DEFAULT 0 NOT NULL,
	`day` text NOT NULL,
	`out_total` integer DEFAULT 0 NOT NULL,
	`uncoded` integer DEFAULT 0 NOT NULL,
	`uncoded_today` integer DEFAULT 0 NOT NULL,
	`uncoded_new` integer DEFAULT 0 NOT NULL,
	`weighted` integer DEFAULT 0 NOT NULL,
	`frozen_for` text,
	`interest_due_on` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "current_accounts_funds" CHECK(held >= 0 and balance >= held and balance <= 1000000000000),
	CONSTRAINT "current_accounts_closed_empty" CHECK(status <> 'CLOSED' or (balance = 0 and held = 0)),
	CONSTRAINT "current_accounts_exact" CHECK(typeof(weighted) = 'integer' and typeof(balance) = 'integer' and typeof(held) = 'integer' and typeof(out_total) = 'integer')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `current_accounts_number` ON `current_accounts` (`account_number`);--> statement-breakpoint
CREATE UNIQUE INDEX `current_accounts_one_open` ON `current_accounts` (`user_id`) WHERE status <> 'CLOSED';--> statement-breakpoint
CREATE INDEX `current_accounts_list` ON `current_accounts` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `current_accounts_of` ON `current_accounts` (`organization_id`,`created_at`,`id`) WHERE status <> 'CLOSED';--> statement-breakpoint
CREATE INDEX `current_accounts_undecided` ON `current_accounts` (`updated_at`,`id`) WHERE wallet_onboarding_status = 'SUBMITTED' and status <> 'CLOSED';--> statement-breakpoint
CREATE INDEX `current_accounts_interest` ON `current_accounts` (`interest_due_on`) WHERE status <> 'CLOSED';--> statement-breakpoint
CREATE TABLE `disbursements` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`account_id` text,
	`invoice_id` text,
	`organization_id` text,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`destination` text,
	`provider` text,
	`instruction` text,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`harmless_attempts` integer DEFAULT 0 NOT NULL,
	`told_at` integer,
	`refusal` text,
	`next_attempt_at` integer NOT NULL,
	`mobile_money_transaction_id` text,
	`failure_reason` text,
	`occurred_at` integer,
	`created_at` integer NOT NULL,
	CONSTRAINT "disbursements_purpose" CHECK((account_id is null) = (kind = 'INVOICE') and (invoice_id is null) = (kind <> 'INVOICE'))
);
--> statement-breakpoint
CREATE INDEX `disbursements_due` ON `disbursements` (`status`,`next_attempt_at`);--> statement-breakpoint
CREATE INDEX `disbursements_asked` ON `disbursements` (`next_attempt_at`) WHERE status = 'ACCEPTED' and provider is not null;--> statement-breakpoint
CREATE INDEX `disbursements_of_account` ON `disbursements` (`account_id`,`created_at`,`id`) WHERE account_id is not null;--> statement-breakpoint
CREATE INDEX `disbursements_open` ON `disbursements` (`status`,`created_at`,`id`) WHERE status in ('PENDING', 'ACCEPTED');--> statement-breakpoint
CREATE INDEX `disbursements_open_of` ON `disbursements` (`organization_id`,`status`,`created_at`,`id`) WHERE status in ('PENDING', 'ACCEPTED');--> statement-breakpoint
CREATE INDEX `disbursements_waiting` ON `disbursements` (`created_at`,`id`) WHERE status not in ('SUCCEEDED', 'FAILED');--> statement-breakpoint
CREATE INDEX `disbursements_pending` ON `disbursements` (`account_id`) WHERE status in ('PENDING', 'ACCEPTED');--> statement-breakpoint
CREATE TABLE `import_accounts` (
	`import_id` text NOT NULL,
	`old_id` text NOT NULL,
	`status` text NOT NULL,
	`account_id` text,
	`fault` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`import_id`, `old_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `import_accounts_list` ON `import_accounts` (`import_id`,`status`,`created_at`,`old_id`);--> statement-breakpoint
CREATE TABLE `import_lines` (
	`import_id` text NOT NULL,
	`old_account_id` text NOT NULL,
	`type` text NOT NULL,
	`key` text NOT NULL,
	`content` text NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`import_id`, `old_account_id`, `type`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`revision` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `imports_once` ON `imports` (`organization_id`,`name`);--> statement-breakpoint
CREATE INDEX `imports_work` ON `imports` (`updated_at`) WHERE status in ('CHECKING', 'RUNNING');--> statement-breakpoint
CREATE INDEX `imports_age` ON `imports` (`updated_at`);--> statement-breakpoint
CREATE TABLE `invoice_advances` (
	`id` text PRIMARY KEY NOT NULL,
	`invoice_id` text NOT NULL,
	`advance` integer NOT NULL,
	`fee` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`provider_transaction_id` text,
	`failure_reason` text,
	`decided_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	CONSTRAINT "invoice_advances_amount" CHECK(advance > 0 and fee >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_advances_once` ON `invoice_advances` (`invoice_id`) WHERE status <> 'FAILED';--> statement-breakpoint
CREATE INDEX `invoice_advances_of` ON `invoice_advances` (`invoice_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `invoice_repayments` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`position` integer NOT NULL,
	`external_id` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`fingerprint` text NOT NULL,
	`transacted_at` integer NOT NULL,
	`posted_at` integer NOT NULL,
	CONSTRAINT "invoice_repayments_amount" CHECK(amount > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_repayments_position` ON `invoice_repayments` (`invoice_id`,`position`);--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_repayments_once` ON `invoice_repayments` (`organization_id`,`external_id`);--> statement-breakpoint
CREATE TABLE `invoices` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`merchant_id` text NOT NULL,
	`document_id` text NOT NULL,
	`invoice_number` text NOT NULL,
	`number_key` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`details` text NOT NULL,
	`issued_date` text NOT NULL,
	`due_date` text NOT NULL,
	`status` text NOT NULL,
	`uploaded_by` text NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	`comment` text,
	`repaid` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "invoices_amount" CHECK(amount > 0 and amount <= 9007199254740991),
	CONSTRAINT "invoices_dates" CHECK(due_date >= issued_date),
	CONSTRAINT "invoices_repaid" CHECK(repaid between 0 and amount),
	CONSTRAINT "invoices_four_eyes" CHECK(decided_by is null or decided_by <> uploaded_by)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_number` ON `invoices` (`organization_id`,`merchant_id`,`number_key`) WHERE status not in ('REJECTED', 'CANCELLED');--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_document` ON `invoices` (`organization_id`,`document_id`) WHERE status not in ('REJECTED', 'CANCELLED');--> statement-breakpoint
CREATE INDEX `invoices_list` ON `invoices` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `invoices_list_by_status` ON `invoices` (`organization_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `invoices_owed` ON `invoices` (`organization_id`,`status`,`due_date`,`id`) WHERE status in ('FINANCED', 'OVERDUE');--> statement-breakpoint
CREATE INDEX `invoices_of_merchant` ON `invoices` (`organization_id`,`merchant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `invoices_due` ON `invoices` (`due_date`) WHERE status = 'FINANCED';--> statement-breakpoint
CREATE TABLE `credit_profiles` (
	`user_id` text PRIMARY KEY NOT NULL,
	`limit_override` integer,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `loan_products` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text,
	`name` text NOT NULL,
	`loan_product_type` text NOT NULL,
	`currency` text NOT NULL,
	`time_zone` text NOT NULL,
	`day_count` text NOT NULL,
	`auto_renews` integer NOT NULL,
	`min_loan_amount` integer NOT NULL,
	`max_loan_amount` integer NOT NULL,
	`amount_step` integer NOT NULL,
	`base_limit` integer NOT NULL,
	`growth_basis_points` integer NOT NULL,
	`tenure` text NOT NULL,
	`installment_every` text NOT NULL,
	`rate_schedule` text NOT NULL,
	`fee_basis_points` integer NOT NULL,
	`penalty_terms` text NOT NULL,
	`allocation` text NOT NULL,
	`in_duplum` text DEFAULT '{"sinceDefault":true}' NOT NULL,
	`payout_destinations` text DEFAULT '["OWN_NUMBER","CURRENT_ACCOUNT"]' NOT NULL,
	`deals` text NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer,
	`suspended_at` integer,
	`updated_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `loan_products_list` ON `loan_products` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `loan_products_retired` ON `loan_products` (`retired_at`) WHERE retired_at is not null;--> statement-breakpoint
CREATE INDEX `loan_products_newest` ON `loan_products` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `loan_applications` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text,
	`loan_product_id` text NOT NULL,
	`account_id` text NOT NULL,
	`status` text NOT NULL,
	`currency` text NOT NULL,
	`min_loan_amount` integer NOT NULL,
	`max_loan_amount` integer NOT NULL,
	`loan_amount` integer NOT NULL,
	`terms` text NOT NULL,
	`rejection_reasons` text NOT NULL,
	`failure_reason` text,
	`payout` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`submitted_at` integer,
	`disbursed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `loan_applications_one_open` ON `loan_applications` (`user_id`,`loan_product_id`) WHERE status in ('PENDING', 'APPROVED');--> statement-breakpoint
CREATE INDEX `loan_applications_expiry` ON `loan_applications` (`expires_at`) WHERE status in ('PENDING', 'APPROVED');--> statement-breakpoint
CREATE INDEX `loan_applications_open_of_product` ON `loan_applications` (`loan_product_id`) WHERE status in ('PENDING', 'APPROVED');--> statement-breakpoint
CREATE INDEX `loan_applications_submitted` ON `loan_applications` (`account_id`) WHERE status = 'SUBMITTED';--> statement-breakpoint
CREATE INDEX `loan_applications_of_user` ON `loan_applications` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `loan_applications_of_user_by_status` ON `loan_applications` (`user_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `loan_applications_of_organization` ON `loan_applications` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `loan_applications_of_organization_by_status` ON `loan_applications` (`organization_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `loan_applications_list` ON `loan_applications` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `loan_applications_by_status` ON `loan_applications` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `inbox` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`category` text NOT NULL,
	`sealed` text NOT NULL,
	`read_at` integer,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `inbox_list` ON `inbox` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `inbox_unread` ON `inbox` (`user_id`,`created_at`,`id`) WHERE read_at is null;--> statement-breakpoint
CREATE TABLE `message_days` (
	`day` text NOT NULL,
	`provider` text NOT NULL,
	`currency` text NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`delivered` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`cost` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`day`, `provider`, `currency`)
);
--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`channel` text NOT NULL,
	`recipient` text NOT NULL,
	`purpose` text NOT NULL,
	`category` text,
	`status` text NOT NULL,
	`sealed` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`withheld` integer DEFAULT false NOT NULL,
	`next_attempt_at` integer,
	`provider` text,
	`provider_message_id` text,
	`cost` integer,
	`cost_currency` text,
	`delivery` text,
	`reported_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `messages_of_provider` ON `messages` (`provider`,`provider_message_id`) WHERE provider_message_id is not null;--> statement-breakpoint
CREATE INDEX `messages_due` ON `messages` (`status`,`next_attempt_at`);--> statement-breakpoint
CREATE INDEX `messages_to` ON `messages` (`recipient`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `messages_asked` ON `messages` (`created_at`) WHERE category is null;--> statement-breakpoint
CREATE INDEX `messages_list` ON `messages` (`withheld`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `notification_preferences` (
	`user_id` text NOT NULL,
	`category` text NOT NULL,
	`channel` text NOT NULL,
	`enabled` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `category`, `channel`)
);
--> statement-breakpoint
CREATE TABLE `invitation_sends` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`email_key` text NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `invitation_sends_by` ON `invitation_sends` (`organization_id`,`sent_at`);--> statement-breakpoint
CREATE INDEX `invitation_sends_to` ON `invitation_sends` (`email_key`,`sent_at`);--> statement-breakpoint
CREATE INDEX `invitation_sends_at` ON `invitation_sends` (`sent_at`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`role` text NOT NULL,
	`status` text NOT NULL,
	`token_hash` text NOT NULL,
	`invited_by` text NOT NULL,
	`accepting_user_id` text,
	`accepting_since` integer,
	`accepted_at` integer,
	`revoked_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_pending` ON `invitations` (`organization_id`,`email_key`) WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX `invitations_list` ON `invitations` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `invitations_by_role` ON `invitations` (`organization_id`,`role`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `invitations_due` ON `invitations` (`expires_at`) WHERE status = 'PENDING' and accepting_user_id is null;--> statement-breakpoint
CREATE INDEX `invitations_accepting` ON `invitations` (`accepting_since`) WHERE status = 'PENDING' and accepting_user_id is not null;--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`masked_key` text NOT NULL,
	`scopes` text NOT NULL,
	`created_by` text NOT NULL,
	`daily_amount` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE INDEX `api_keys_list` ON `api_keys` (`organization_id`,`created_at`,`id`) WHERE revoked_at is null;--> statement-breakpoint
CREATE TABLE `memberships` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `memberships_once` ON `memberships` (`user_id`,`organization_id`);--> statement-breakpoint
CREATE TABLE `merchant_grants` (
	`organization_id` text NOT NULL,
	`merchant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`permission` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `organization_id`, `merchant_id`, `permission`)
);
--> statement-breakpoint
CREATE TABLE `organization_members` (
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`membership_id` text NOT NULL,
	`role` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`granted_at` integer DEFAULT 0 NOT NULL,
	`display_name` text,
	`email` text,
	`tag` text,
	`profile_version` integer DEFAULT 0 NOT NULL,
	`removed_at` integer,
	PRIMARY KEY(`organization_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `organization_members_list` ON `organization_members` (`organization_id`,`created_at`,`membership_id`) WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX `organization_members_owners` ON `organization_members` (`organization_id`,`user_id`) WHERE role = 'organization-owner' and removed_at is null;--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`status` text DEFAULT 'ACTIVE' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `organizations_slug` ON `organizations` (`slug`);--> statement-breakpoint
CREATE INDEX `organizations_list` ON `organizations` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `otp_challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`subject` text NOT NULL,
	`resource` text NOT NULL,
	`recipient` text NOT NULL,
	`code_tag` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`sent_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`consumed_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `otp_challenges_of` ON `otp_challenges` (`subject`,`created_at`);--> statement-breakpoint
CREATE INDEX `otp_challenges_age` ON `otp_challenges` (`created_at`);--> statement-breakpoint
CREATE TABLE `otp_sends` (
	`id` text PRIMARY KEY NOT NULL,
	`recipient` text NOT NULL,
	`client` text NOT NULL,
	`sent_at` integer NOT NULL,
	`share` text DEFAULT 'SIGNED_IN' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `otp_sends_share` ON `otp_sends` (`share`,`sent_at`);--> statement-breakpoint
CREATE INDEX `otp_sends_to` ON `otp_sends` (`recipient`,`sent_at`);--> statement-breakpoint
CREATE INDEX `otp_sends_by` ON `otp_sends` (`client`,`sent_at`);--> statement-breakpoint
CREATE INDEX `otp_sends_age` ON `otp_sends` (`sent_at`);--> statement-breakpoint
CREATE TABLE `payee_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`payee_id` text NOT NULL,
	`user_id` text NOT NULL,
	`type` text NOT NULL,
	`identifier` text NOT NULL,
	`account_holder_name` text,
	`linked_user_id` text,
	`linked_user_tag` text,
	`transaction_count` integer DEFAULT 0 NOT NULL,
	`last_used_at` integer,
	`holder_changed_at` integer,
	`confirmed_at` integer,
	`verification` text NOT NULL,
	`resolved_name` text,
	`verified_at` integer,
	`lookup_attempts` integer DEFAULT 0 NOT NULL,
	`next_lookup_at` integer,
	`created_at` integer NOT NULL,
	CONSTRAINT "payee_accounts_pending" CHECK((verification = 'PENDING') = (next_lookup_at is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payee_accounts_once` ON `payee_accounts` (`payee_id`,`type`,`identifier`);--> statement-breakpoint
CREATE INDEX `payee_accounts_lookups` ON `payee_accounts` (`next_lookup_at`) WHERE next_lookup_at is not null;--> statement-breakpoint
CREATE TABLE `payee_quotas` (
	`user_id` text NOT NULL,
	`day` text NOT NULL,
	`payees` integer NOT NULL,
	`lookups` integer NOT NULL,
	PRIMARY KEY(`user_id`, `day`)
);
--> statement-breakpoint
CREATE INDEX `payee_quotas_age` ON `payee_quotas` (`day`);--> statement-breakpoint
CREATE TABLE `payees` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`label` text,
	`is_favorite` integer DEFAULT false NOT NULL,
	`is_blocked` integer DEFAULT false NOT NULL,
	`block_reasons` text NOT NULL,
	`block_details` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "payees_reasons" CHECK(is_blocked or block_reasons = '[]')
);
--> statement-breakpoint
CREATE INDEX `payees_list` ON `payees` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payees_blocked` ON `payees` (`user_id`) WHERE is_blocked;--> statement-breakpoint
CREATE TABLE `payment_connections` (
	`organization_id` text NOT NULL,
	`provider` text NOT NULL,
	`version` integer NOT NULL,
	`environment` text NOT NULL,
	`short_code` text NOT NULL,
	`facts` text DEFAULT '{}' NOT NULL,
	`payouts` integer NOT NULL,
	`has_passkey` integer NOT NULL,
	`has_initiator` integer NOT NULL,
	`address_version` integer DEFAULT 1 NOT NULL,
	`reject_unknown_accounts` integer DEFAULT false NOT NULL,
	`sealed` text NOT NULL,
	`status` text NOT NULL,
	`paused_reason` text,
	`paused_until` integer,
	`balances` text,
	`balances_at` integer,
	`check_id` text,
	`checked_at` integer,
	`check_outcome` text,
	`check_result` text,
	`next_balance_at` integer DEFAULT 0 NOT NULL,
	`pull` text,
	`next_pull_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `provider`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_connections_checked` ON `payment_connections` (`check_id`);--> statement-breakpoint
CREATE INDEX `payment_connections_balance` ON `payment_connections` (`next_balance_at`) WHERE provider = 'daraja' and payouts = 1 or check_outcome = 'WAITING';--> statement-breakpoint
CREATE INDEX `payment_connections_pull` ON `payment_connections` (`next_pull_at`) WHERE next_pull_at is not null;--> statement-breakpoint
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
CREATE INDEX `repayment_prompts_due` ON `repayment_prompts` (`next_step_at`) WHERE next_step_at is not null;--> statement-breakpoint
CREATE TABLE `daraja_confirmations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`transaction_id` text NOT NULL,
	`amount` integer NOT NULL,
	`sealed` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `daraja_confirmations_once` ON `daraja_confirmations` (`organization_id`,`transaction_id`,`amount`);--> statement-breakpoint
CREATE INDEX `daraja_confirmations_due` ON `daraja_confirmations` (`next_attempt_at`) WHERE status = 'WAITING';--> statement-breakpoint
CREATE INDEX `daraja_confirmations_over` ON `daraja_confirmations` (`created_at`) WHERE status <> 'WAITING';--> statement-breakpoint
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
CREATE INDEX `payment_returns_waiting` ON `payment_returns` (`created_at`,`id`) WHERE status not in ('RETURNED', 'GIVEN_UP');--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`mobile_money_transaction_id` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status` text NOT NULL,
	`account_id` text,
	`posted_as_id` text,
	`account_number` text,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`fee_amount` integer NOT NULL,
	`details` text NOT NULL,
	`unmatched_reason` text,
	`failure_reason` text,
	`transacted_at` integer NOT NULL,
	`confirmed_at` integer,
	`posted_at` integer,
	`failed_at` integer,
	`created_at` integer NOT NULL,
	CONSTRAINT "payments_amount" CHECK(amount > 0 and amount <= 9007199254740991),
	CONSTRAINT "payments_posted" CHECK((status = 'POSTED') = (posted_at is not null))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_once` ON `payments` (`organization_id`,`mobile_money_transaction_id`);--> statement-breakpoint
CREATE INDEX `payments_unmatched` ON `payments` (`created_at`,`id`) WHERE status = 'UNMATCHED';--> statement-breakpoint
CREATE INDEX `payments_posted_of` ON `payments` (`organization_id`,`created_at`,`id`) WHERE status = 'POSTED';--> statement-breakpoint
CREATE INDEX `payments_open_of` ON `payments` (`organization_id`,`status`,`created_at`,`id`) WHERE status <> 'POSTED';--> statement-breakpoint
CREATE INDEX `payments_to_post` ON `payments` (`account_id`,`transacted_at`,`id`) WHERE status = 'CONFIRMED';--> statement-breakpoint
CREATE INDEX `payments_failed` ON `payments` (`account_id`,`created_at`,`id`) WHERE status = 'FAILED';--> statement-breakpoint
CREATE TABLE `custom_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`used_at` integer,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `custom_tokens_expiry` ON `custom_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`replaced_at` integer,
	`successor_hash` text,
	`sealed_successor` text
);
--> statement-breakpoint
CREATE INDEX `refresh_tokens_expiry` ON `refresh_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`issuer` text,
	`issuer_kind` text,
	`caution_until` integer,
	`authenticated_at` integer,
	`within` text
);
--> statement-breakpoint
CREATE INDEX `sessions_of` ON `sessions` (`user_id`,`revoked_at`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `spent_tokens` (
	`issuer` text NOT NULL,
	`token_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `token_id`)
);
--> statement-breakpoint
CREATE INDEX `spent_tokens_expiry` ON `spent_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `trusted_issuers` (
	`id` text PRIMARY KEY NOT NULL,
	`issuer` text NOT NULL,
	`kind` text NOT NULL,
	`audience` text NOT NULL,
	`settings` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `trusted_issuers_once` ON `trusted_issuers` (`issuer`,`kind`);--> statement-breakpoint
CREATE UNIQUE INDEX `trusted_issuers_audience` ON `trusted_issuers` (`issuer`,`audience`);--> statement-breakpoint
CREATE INDEX `trusted_issuers_list` ON `trusted_issuers` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `incoming_transfers` (
	`transfer_id` text PRIMARY KEY NOT NULL,
	`account_id` text,
	`payee_user_id` text NOT NULL,
	`payer_user_id` text NOT NULL,
	`payer_name` text,
	`note` text,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`outcome` text NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "incoming_transfers_credited" CHECK((outcome = 'CREDITED') = (account_id is not null))
);
--> statement-breakpoint
CREATE TABLE `transfers` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`account_id` text NOT NULL,
	`organization_id` text,
	`payee_id` text NOT NULL,
	`payee_account_id` text NOT NULL,
	`destination` text NOT NULL,
	`payee_user_id` text,
	`payer_number` text,
	`payer_name` text,
	`snapshot` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`note` text,
	`status` text NOT NULL,
	`failure_reason` text,
	`challenge_id` text,
	`taken` integer DEFAULT false NOT NULL,
	`provider_reference` text,
	`reported_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	CONSTRAINT "transfers_amount" CHECK(amount > 0),
	CONSTRAINT "transfers_internal" CHECK((destination = 'INTERNAL') = (payee_user_id is not null)),
	CONSTRAINT "transfers_finished" CHECK((status in ('COMPLETED', 'FAILED')) = (completed_at is not null)),
	CONSTRAINT "transfers_failed" CHECK((status = 'FAILED') = (failure_reason is not null)),
	CONSTRAINT "transfers_work" CHECK((status in ('COMPLETED', 'FAILED') or taken) = (next_attempt_at is null))
);
--> statement-breakpoint
CREATE INDEX `transfers_list` ON `transfers` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `transfers_due` ON `transfers` (`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX `transfers_open` ON `transfers` (`payee_account_id`) WHERE status in ('AWAITING_OTP', 'PENDING');--> statement-breakpoint
CREATE INDEX `transfers_waiting` ON `transfers` (`created_at`,`id`) WHERE status = 'PENDING';--> statement-breakpoint
CREATE TABLE `mobile_number_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`status` text NOT NULL,
	`authorization_channel` text NOT NULL,
	`old_number` text,
	`new_number` text NOT NULL,
	`challenge_id` text NOT NULL,
	`provider` text NOT NULL,
	`failure_reason` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`authorized_at` integer,
	`completed_at` integer,
	`names_finished_at` integer,
	`not_before` integer,
	`due_at` integer,
	CONSTRAINT "mobile_number_changes_completed" CHECK((status = 'COMPLETED') = (completed_at is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mobile_number_changes_one_open` ON `mobile_number_changes` (`user_id`) WHERE status in ('INITIALIZING', 'AUTHORIZED');--> statement-breakpoint
CREATE INDEX `mobile_number_changes_expiring` ON `mobile_number_changes` (`expires_at`) WHERE status in ('INITIALIZING', 'AUTHORIZED');--> statement-breakpoint
CREATE INDEX `mobile_number_changes_unfinished` ON `mobile_number_changes` (`completed_at`) WHERE status = 'COMPLETED' and names_finished_at is null;--> statement-breakpoint
CREATE INDEX `mobile_number_changes_recent` ON `mobile_number_changes` (`user_id`,`completed_at`) WHERE status = 'COMPLETED';--> statement-breakpoint
CREATE INDEX `mobile_number_changes_due` ON `mobile_number_changes` (`due_at`) WHERE status = 'AUTHORIZED' and due_at is not null;--> statement-breakpoint
CREATE INDEX `mobile_number_changes_recoveries` ON `mobile_number_changes` (`user_id`,`created_at`) WHERE not_before is not null;--> statement-breakpoint
CREATE TABLE `identity_links` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `issuer`, `subject`)
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`blocked_at` integer,
	`tag` text NOT NULL,
	`mobile_number` text,
	`email` text,
	`display_name` text,
	`profile_version` integer DEFAULT 1 NOT NULL,
	`home_organization_id` text,
	`admitted_at` integer,
	`signed_out_at` integer,
	`signed_out_except` text,
	`last_seen_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `users_list` ON `users` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_by_status` ON `users` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_of` ON `users` (`home_organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_of_by_status` ON `users` (`home_organization_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_statistics` (
	`webhook_id` text NOT NULL,
	`slot_ms` integer NOT NULL,
	`start` integer NOT NULL,
	`attempts` integer NOT NULL,
	`delivered` integer NOT NULL,
	`failed` integer NOT NULL,
	`latencies` text NOT NULL,
	PRIMARY KEY(`webhook_id`, `slot_ms`, `start`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_statistics_by_age` ON `webhook_statistics` (`slot_ms`,`start`);--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`lane` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dead_letters_list` ON `dead_letters` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`delivery_id` text NOT NULL,
	`position` integer NOT NULL,
	`number` integer,
	`trigger` text NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer,
	`outcome` text,
	`error_class` text,
	`response_status` integer,
	`response_body` text,
	PRIMARY KEY(`delivery_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `webhook_receipts` (
	`organization_id` blob NOT NULL,
	`id` blob NOT NULL,
	`webhook_id` blob NOT NULL,
	`event_id` blob NOT NULL,
	`event_type` text NOT NULL,
	`created_at` integer NOT NULL,
	`delivered_at` integer NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer,
	`response_status` integer,
	`response_body` text,
	PRIMARY KEY(`organization_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_receipts_once` ON `webhook_receipts` (`event_id`,`webhook_id`);--> statement-breakpoint
CREATE INDEX `webhook_receipts_of` ON `webhook_receipts` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_receipts_by_type` ON `webhook_receipts` (`organization_id`,`event_type`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_recoveries` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`since` integer NOT NULL,
	`until` integer NOT NULL,
	`position` integer NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`retried` integer DEFAULT 0 NOT NULL,
	`remaining` integer DEFAULT 0 NOT NULL,
	`due_until` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_recoveries_of` ON `webhook_recoveries` (`webhook_id`);--> statement-breakpoint
CREATE TABLE `webhook_signing_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`masked_secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE INDEX `webhook_signing_keys_of` ON `webhook_signing_keys` (`webhook_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_signing_keys_expiring` ON `webhook_signing_keys` (`expires_at`) WHERE expires_at is not null and revoked_at is null;--> statement-breakpoint
CREATE INDEX `webhook_signing_keys_revoked` ON `webhook_signing_keys` (`revoked_at`) WHERE revoked_at is not null;--> statement-breakpoint
CREATE TABLE `crowded_organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `crowded_organizations_list` ON `crowded_organizations` (`since`,`id`);--> statement-breakpoint
CREATE TABLE `deleted_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`deleted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deleted_endpoints_of` ON `deleted_endpoints` (`organization_id`,`id`);--> statement-breakpoint
CREATE TABLE `delivery_holdings` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`held` integer DEFAULT 0 NOT NULL,
	`quota` integer,
	`checked_at` integer,
	`nearing_told_at` integer,
	`reached_told_at` integer,
	`archived_to` integer,
	`complete_from` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `event_purges` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`sequence` integer DEFAULT 0 NOT NULL,
	`created_at` integer DEFAULT 0 NOT NULL,
	`purged_to` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `storage_levels` (
	`id` integer PRIMARY KEY NOT NULL,
	`level` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event_type` text NOT NULL,
	`test_data` text,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`round` integer DEFAULT 1 NOT NULL,
	`round_attempts` integer DEFAULT 0 NOT NULL,
	`round_interrupted` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`claimed_until` integer,
	`claim` text,
	`last_error` text,
	`entity_id` text,
	`event_sequence` integer,
	`last_manual_retry_at` integer,
	`created_at` integer NOT NULL,
	`delivered_at` integer,
	`failed_at` integer,
	`attempt_position` integer DEFAULT 0 NOT NULL,
	`attempt_number` integer,
	`attempt_trigger` text,
	`attempt_started_at` integer,
	`attempt_duration_ms` integer,
	`attempt_outcome` text,
	`attempt_error_class` text,
	`response_status` integer,
	`response_body` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_once` ON `webhook_deliveries` (`event_id`,`webhook_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_status` ON `webhook_deliveries` (`organization_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_by_status` ON `webhook_deliveries` (`organization_id`,`webhook_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_type` ON `webhook_deliveries` (`organization_id`,`event_type`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_failed_by_type` ON `webhook_deliveries` (`organization_id`,`event_type`,`created_at`,`id`) WHERE status = 'FAILED';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_failed_by_type` ON `webhook_deliveries` (`organization_id`,`webhook_id`,`event_type`,`created_at`,`id`) WHERE status = 'FAILED';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_failed` ON `webhook_deliveries` (`failed_at`) WHERE status = 'FAILED';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`webhook_id`,`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_held` ON `webhook_deliveries` (`webhook_id`,`created_at`) WHERE status = 'PENDING' and next_attempt_at is null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_of_entity` ON `webhook_deliveries` (`webhook_id`,`entity_id`,`status`,`event_sequence`) WHERE entity_id is not null and status <> 'DELIVERED';--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`url` text NOT NULL,
	`status` text NOT NULL,
	`events` text NOT NULL,
	`timeout_ms` integer NOT NULL,
	`max_in_flight` integer DEFAULT 10 NOT NULL,
	`rate_limit` integer,
	`filter` text,
	`ordering` text DEFAULT 'NONE' NOT NULL,
	`batch_size` integer,
	`batch_wait_ms` integer DEFAULT 0 NOT NULL,
	`masked_headers` text DEFAULT '{}' NOT NULL,
	`sealed_headers` text,
	`failures_in_row` integer DEFAULT 0 NOT NULL,
	`slow` integer DEFAULT false NOT NULL,
	`rate_used_until` integer,
	`wakes_at` integer,
	`hinted_at` integer,
	`released_until` integer,
	`troubled_since` integer,
	`suspended_at` integer,
	`suspension_reason` text,
	`auto_recover` integer DEFAULT false NOT NULL,
	`probe_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_probed` ON `webhook_endpoints` (`probe_at`) WHERE probe_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_endpoints_name` ON `webhook_endpoints` (`organization_id`,`name`);--> statement-breakpoint
CREATE INDEX `webhook_endpoints_list` ON `webhook_endpoints` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_endpoints_troubled` ON `webhook_endpoints` (`troubled_since`,`id`) WHERE troubled_since is not null;--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`event_type` text NOT NULL,
	`category` text NOT NULL,
	`event_key` text NOT NULL,
	`payload_version` integer NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`archived_for` text,
	PRIMARY KEY(`organization_id`, `created_at`, `sequence`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_events_id` ON `webhook_events` (`id`);--> statement-breakpoint
CREATE INDEX `webhook_events_by_type` ON `webhook_events` (`organization_id`,`event_type`,`created_at`,`sequence`);--> statement-breakpoint
CREATE TABLE `sandbox_clock` (
	`id` integer PRIMARY KEY NOT NULL,
	`offset_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER `audit_rows_append_only` BEFORE UPDATE ON `audit_rows` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_rows_kept` BEFORE DELETE ON `audit_rows` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_rows_added` BEFORE INSERT ON `audit_rows` WHEN EXISTS (SELECT 1 FROM `audit_rows` r WHERE r.stream = NEW.stream AND r.sequence = NEW.sequence) BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_seals_append_only` BEFORE UPDATE ON `audit_seals` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_seals_kept` BEFORE DELETE ON `audit_seals` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_seals_added` BEFORE INSERT ON `audit_seals` WHEN EXISTS (SELECT 1 FROM `audit_seals` s WHERE s.stream = NEW.stream AND (s.through_sequence = NEW.through_sequence OR s.from_sequence = NEW.from_sequence)) OR EXISTS (SELECT 1 FROM `audit_seals` s WHERE s.rowid = NEW.rowid) BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `account_transactions_append_only` BEFORE UPDATE ON `account_transactions` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `account_transactions_kept` BEFORE DELETE ON `account_transactions` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `allocations_append_only` BEFORE UPDATE ON `allocations` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `allocations_kept` BEFORE DELETE ON `allocations` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `current_account_entries_append_only` BEFORE UPDATE ON `current_account_entries` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `current_account_entries_kept` BEFORE DELETE ON `current_account_entries` BEGIN SELECT RAISE(ABORT, 'append only'); END;
--> statement-breakpoint
CREATE TRIGGER `current_account_entries_chain` BEFORE INSERT ON `current_account_entries` WHEN NOT EXISTS (SELECT 1 FROM `current_accounts` a WHERE a.id = NEW.account_id AND a.position + 1 = NEW.position AND a.balance + NEW.amount = NEW.balance_after AND a.held + NEW.hold = NEW.held_after AND a.day <= NEW.day) BEGIN SELECT RAISE(ABORT, 'an entry must follow the last one'); END;
--> statement-breakpoint
CREATE TRIGGER `current_account_entries_apply` AFTER INSERT ON `current_account_entries` BEGIN UPDATE `current_accounts` SET position = NEW.position, balance = NEW.balance_after, held = NEW.held_after, out_total = iif(NEW.day > day, max(NEW.counted, 0), max(out_total + NEW.counted, 0)), uncoded = uncoded + NEW.uncoded, uncoded_today = iif(NEW.day > day, 0, uncoded_today) + NEW.uncoded, uncoded_new = iif(NEW.day > day, 0, uncoded_new) + NEW.uncoded_new, day = NEW.day, weighted = weighted + NEW.amount * NEW.rate_index + iif(NEW.type = 'INTEREST', NEW.amount * 3650000, 0), updated_at = max(updated_at, NEW.created_at) WHERE id = NEW.account_id; END;
--> statement-breakpoint
CREATE TRIGGER `current_accounts_by_entry` BEFORE UPDATE OF `position`, `balance`, `held`, `day`, `out_total`, `weighted` ON `current_accounts` WHEN NOT EXISTS (SELECT 1 FROM `current_account_entries` e WHERE e.account_id = NEW.id AND e.position = NEW.position AND NEW.position = OLD.position + 1 AND e.balance_after = NEW.balance AND e.held_after = NEW.held) BEGIN SELECT RAISE(ABORT, 'a balance moves by an entry only'); END;
--> statement-breakpoint
CREATE TRIGGER `current_accounts_uncoded` BEFORE UPDATE OF `uncoded`, `uncoded_today`, `uncoded_new` ON `current_accounts` WHEN NEW.position = OLD.position AND (NEW.uncoded <> 0 OR NEW.uncoded_today <> 0 OR NEW.uncoded_new <> 0) BEGIN SELECT RAISE(ABORT, 'what was ordered without a code moves by an entry, or is cleared by a code'); END;
--> statement-breakpoint
CREATE TRIGGER `current_accounts_open_empty` BEFORE INSERT ON `current_accounts` WHEN NEW.position <> 0 OR NEW.balance <> 0 OR NEW.held <> 0 OR NEW.out_total <> 0 OR NEW.uncoded <> 0 OR NEW.uncoded_today <> 0 OR NEW.uncoded_new <> 0 OR NEW.weighted <> 0 BEGIN SELECT RAISE(ABORT, 'an account opens empty'); END;
--> statement-breakpoint
CREATE TRIGGER `current_accounts_kept` BEFORE DELETE ON `current_accounts` BEGIN SELECT RAISE(ABORT, 'accounts are kept'); END;
--> statement-breakpoint
CREATE TRIGGER `disbursements_of_suspended` BEFORE INSERT ON `disbursements` WHEN NEW.kind <> 'REFUND' AND EXISTS (SELECT 1 FROM `organizations` o WHERE o.id = NEW.organization_id AND o.status = 'SUSPENDED') BEGIN SELECT RAISE(ABORT, 'The organization is suspended'); END;
--> statement-breakpoint
CREATE TRIGGER `organization_members_owner_stays` BEFORE UPDATE ON `organization_members` WHEN OLD.role = 'organization-owner' AND OLD.removed_at IS NULL AND (NEW.role <> OLD.role OR NEW.removed_at IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM `organization_members` m WHERE m.organization_id = OLD.organization_id AND m.role = 'organization-owner' AND m.removed_at IS NULL AND m.user_id <> OLD.user_id) BEGIN SELECT RAISE(ABORT, 'last owner'); END;
--> statement-breakpoint
CREATE TRIGGER `organization_members_owner_kept` BEFORE DELETE ON `organization_members` WHEN OLD.role = 'organization-owner' AND OLD.removed_at IS NULL AND NOT EXISTS (SELECT 1 FROM `organization_members` m WHERE m.organization_id = OLD.organization_id AND m.role = 'organization-owner' AND m.removed_at IS NULL AND m.user_id <> OLD.user_id) BEGIN SELECT RAISE(ABORT, 'last owner'); END;
--> statement-breakpoint
CREATE TRIGGER `incoming_transfers_final` BEFORE UPDATE ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
--> statement-breakpoint
CREATE TRIGGER `incoming_transfers_kept` BEFORE DELETE ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (0, '967e2b8e4e5baa54d886b6f17364463ac78f421126d1857c828522dc003d22b7');
