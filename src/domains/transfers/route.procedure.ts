// Finds the way of a transfer to its payee: to a user, here or in another home, or out through the payout provider.

import { first } from "../../db/reads";
import type { HandlerServices, Services } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { linkedUsers } from "../payees/linked-user.procedure";
import { findLinkedHere, wantedFor } from "../payees/linked-user.store";
import { isHolderUnseen } from "../payees/policy";
import { changeHolder } from "../payees/store";
import type { PayeeAccountRow } from "../payees/table";
import { isInSameDatabase, type Remittance, type Route, routeBy } from "./order.plan";
import { type Found, findReceiver } from "./store";

/**
 * The way to the payee. A mobile number is looked up again: the money goes to the current account of the user who has it, else to the
 * number itself. If the number has another holder by now, whom the payer has not seen, the order is refused.
 */
export async function routeTo(
	services: HandlerServices,
	payeeAccount: PayeeAccountRow,
	remittance: Remittance,
	/** What `findReceiverBehind` has found. */
	behind: Found,
): Promise<Route> {
	const { type, identifier } = payeeAccount;
	if (type === "INTERNAL")
		return isInSameDatabase(services, identifier) ? routeBy(identifier, behind, remittance) : internal(services, identifier, remittance);
	if (type !== "SEND_MONEY") return { destination: "PAYOUT" };
	const wanted = await wantedFor(services, [{ kind: "PHONE", handle: identifier }]);
	const here = await services.db.read(findLinkedHere(services.db.orm, wanted));
	const [found] = await linkedUsers(services, wanted, here);
	const holder = found?.userId === remittance.sender.userId ? undefined : found?.userId;
	await refuseChangedHolder(services, payeeAccount, holder ?? null);
	if (holder === undefined) return { destination: "PAYOUT" };
	const route = await internal(services, holder, remittance);
	return route.hasAccount ? route : { destination: "PAYOUT" };
}

/** Refuses a number whose holder has changed, until the payer has seen the new holder's name. */
async function refuseChangedHolder(services: HandlerServices, account: PayeeAccountRow, holder: string | null): Promise<void> {
	if (!isHolderUnseen(account)) {
		if (account.linkedUserId === holder) return;
		await services.commitRegardless(changeHolder(services.db.orm, account, services.now));
	}
	throw new ApiError("PAYEE_CHANGED");
}

async function internal(services: Services, userId: string, remittance: Remittance) {
	const { db } = services.at(userId);
	const account = await db.read(first(findReceiver(userId, remittance.sender)));
	return routeBy(userId, account, remittance);
}
