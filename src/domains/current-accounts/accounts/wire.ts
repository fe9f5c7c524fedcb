// Current accounts and their transactions on the wire.

import * as z from "zod";
import { resourceId } from "../../../shared/ids";
import { type CalendarDate, toTimestamp } from "../../../shared/time";
import { type TransactionType, transactionTypeOf } from "../entries.policy";
import { type DatedRate, rateOn } from "../ledger/interest.policy";
import { availableIn, type Limits } from "../ledger/limits.policy";
import { ACCOUNT_STATES, isActivatable, ONBOARDING_STATES, onboardingStatusOf, WALLET_STATES } from "../lifecycle";
import type { CurrentAccountEntryRow, CurrentAccountRow } from "../table";

/** An amount in minor units. */
const amount = z.int();

export const CurrentAccount = z
	.object({
		id: z.uuid(),
		resource_id: z.string(),
		account_number: z.string(),
		user_id: z.uuid(),
		external_account_number: z.string().nullable(),
		external_account_id: z.string().nullable(),
		external_provider: z.string(),
		wallet_onboarding_status: z.enum(WALLET_STATES),
		wallet_onboarding_rejection_reasons: z.array(z.string()),
		onboarding_status: z.enum(ONBOARDING_STATES),
		onboarding_rejection_reasons: z.array(z.string()),
		activatable: z.boolean().meta({ description: "Whether an activation can be started" }),
		type: z.literal("CURRENT"),
		account_id: z.uuid(),
		available_balance: amount,
		balance: z.object({ total_balance: amount, hold_amount: amount, available_balance: amount }),
		currency: z.string(),
		status: z.enum(ACCOUNT_STATES),
		limits: z.object({ minimum_transfer_amount: amount, maximum_transfer_amount: amount, daily_transfer_limit: amount }),
		interest: z.object({ deposit: z.object({ annual_rate_basis_points: z.int(), payout_frequency: z.literal("WEEKLY") }) }),
		created_at: z.iso.datetime(),
		updated_at: z.iso.datetime(),
	})
	.meta({ id: "CurrentAccount" });

export type AccountTerms = { readonly limits: Limits; readonly interest_rates: readonly DatedRate[] };

export function toCurrentAccount(row: CurrentAccountRow, terms: AccountTerms, today: CalendarDate): z.input<typeof CurrentAccount> {
	const available = availableIn(row);
	const reasons = row.walletOnboardingStatus === "REJECTED" ? [...row.rejectionReasons] : [];
	return {
		id: row.id,
		resource_id: resourceId("acc", row.id),
		account_number: row.accountNumber,
		user_id: row.userId,
		external_account_number: row.externalAccountNumber,
		external_account_id: row.externalAccountId,
		external_provider: row.externalProvider,
		wallet_onboarding_status: row.walletOnboardingStatus,
		wallet_onboarding_rejection_reasons: reasons,
		onboarding_status: onboardingStatusOf(row.status, row.walletOnboardingStatus),
		onboarding_rejection_reasons: reasons,
		activatable: isActivatable(row.status, row.walletOnboardingStatus),
		type: "CURRENT",
		account_id: row.id,
		available_balance: available,
		balance: { total_balance: row.balance, hold_amount: row.held, available_balance: available },
		currency: row.currency,
		status: row.status,
		limits: {
			minimum_transfer_amount: terms.limits.minimumTransferAmount,
			maximum_transfer_amount: terms.limits.maximumTransferAmount,
			daily_transfer_limit: terms.limits.dailyTransferLimit,
		},
		interest: { deposit: { annual_rate_basis_points: rateOn(terms.interest_rates, today), payout_frequency: "WEEKLY" } },
		created_at: toTimestamp(row.createdAt),
		updated_at: toTimestamp(row.updatedAt),
	};
}

/** The type of a transaction, of an entry that is one. */
export function shownAs({ type, id }: Pick<CurrentAccountEntryRow, "type" | "id">): TransactionType {
	const shown = transactionTypeOf(type);
	if (!shown) throw new Error(`the entry ${id} moves no balance`);
	return shown;
}
