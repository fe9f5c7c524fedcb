// A new session borrows nothing in the name of a user who has had an account before it, unless the mobile operator says that the number
// has not moved to another SIM card lately.

import type { Services } from "../../runtime/services";
import { cautionUntil, type Session, tooNew } from "../current-accounts/caution.policy";

/** Throws while the session is new. `number`: the borrower's. */
export async function refuseNewSession(services: Services, session: Session, number: string | null): Promise<void> {
	const until = cautionUntil(session, services);
	if (until === undefined) return;
	const swapped = number === null ? undefined : await services.providers.simSwap?.wasSwapped(number);
	if (swapped !== false) throw tooNew(until);
}
