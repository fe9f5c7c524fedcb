// Whether a payee can take the money of a transfer, and on which side of it they are.

import { MAX_BALANCE } from "../../runtime/current-account-terms";
import type { Services } from "../../runtime/services";
import { RECEIVING_STATES } from "../current-accounts/lifecycle";
import type { CurrentAccountRow } from "../current-accounts/table";
import type { Found, Sender } from "./receiver.store";

/** An amount, and who sends it. */
export type Remittance = { readonly sender: Sender; readonly amount: number; readonly currency: string };

/** Whether the payee's account is in the same database, so that one commit can hold both sides. */
export const isBeside = (services: Services, userId: string): boolean => services.at(userId).db === services.db;

/** The account that takes the money, if one does. */
export function receiverOf(account: Found, { amount, currency }: Remittance): CurrentAccountRow | undefined {
	if (account?.blocksSender !== 0 || account.currency !== currency) return undefined;
	const receives = RECEIVING_STATES.some((status) => status === account.status) && account.balance + amount <= MAX_BALANCE;
	return receives ? account : undefined;
}

export type Route =
	/** `receiver` undefined: the payee takes no money from this sender. */
	| { readonly destination: "INTERNAL"; readonly userId: string; readonly receiver: CurrentAccountRow | undefined }
	| { readonly destination: "PAYOUT" };

export function routeBy(userId: string, account: Found, remittance: Remittance) {
	const hasAccount = account?.currency === remittance.currency && account.status !== "PENDING";
	return { destination: "INTERNAL", userId, receiver: receiverOf(account, remittance), hasAccount } as const;
}
