// A new session borrows nothing in the name of a user who has had an account before it, unless the mobile operator says that the number
// is still on the SIM card on which it has long been.

import type { Services } from "../../../runtime/services";
import { cautionUntil, tooNew } from "../../current-accounts/caution.policy";

/** Throws while the session is new. `signedInAt` as of the caller; `number`: the borrower's. */
export async function refuseNewSession(services: Services, signedInAt: number | undefined, number: string | null): Promise<void> {
	const until = cautionUntil({ signedInAt }, services);
	if (until === undefined) return;
	const swapped = number === null ? undefined : await services.providers.simSwap?.wasSwapped(number);
	if (swapped !== false) throw tooNew(until);
}
