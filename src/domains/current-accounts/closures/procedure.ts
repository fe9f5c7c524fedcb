// What starting, confirming and deciding a closure demand alike: that nothing is left in the account.

import type { Elsewhere } from "../../../runtime/services";
import { ApiError } from "../../../shared/errors";
import { payInterestEarly } from "../ledger/plan";
import type { CurrentAccountRow } from "../table";

/**
 * Throws ACCOUNT_HAS_NON_ZERO_BALANCE while something is left in the account. If that is interest alone it is paid at once, so that
 * the owner can withdraw it: otherwise nobody could close an account before its payday.
 */
export async function demandEmpty(services: Elsewhere, account: CurrentAccountRow, accrued: number): Promise<void> {
	if (account.balance === 0 && account.held === 0 && accrued < 1) return;
	if (account.balance === 0 && account.held === 0) await services.commitRegardless(payInterestEarly(services, account));
	throw new ApiError("ACCOUNT_HAS_NON_ZERO_BALANCE");
}
