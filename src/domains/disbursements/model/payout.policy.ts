// Whether a borrower can be paid at a place, and which one is taken when they name none.

import { isSameName } from "../../payees/policy";
import type { Destination, DestinationType } from "./destination.policy";

/** A place that the borrower names. `payeeAccountId`: of PAYEE_ACCOUNT, else null. */
export type RequestedPlace = { readonly type: DestinationType; readonly payeeAccountId: string | null };

export type Places = {
	readonly userId: string;
	readonly mobileNumber: string | null;
	/** Changed within a day; a first one only counts so after the first draw. */
	readonly numberIsNew: boolean;
	/** The borrower's open current account. */
	readonly wallet:
		| { readonly accountNumber: string; readonly status: string; readonly currency: string; readonly room: number }
		| undefined;
	/** The payee's account that they have named. */
	readonly payee:
		| {
				readonly type: string;
				readonly identifier: string;
				readonly isVerified: boolean;
				readonly isBlocked: boolean;
				readonly resolvedName: string | null;
		  }
		| undefined;
	/** In whose name the borrower's own number is; undefined if nobody knows. */
	readonly ownName: string | null | undefined;
};

export type Sum = { readonly amount: number; readonly currency: string };

export type Judged = { readonly destination: Destination } | { readonly fault: string };

/** Whether the sum can be paid there. */
export function judge(type: DestinationType, places: Places, { amount, currency }: Sum): Judged {
	const { userId, mobileNumber, numberIsNew, wallet, payee, ownName } = places;
	const to = { type, userId, mobileNumber };
	if (type === "OWN_NUMBER") {
		if (mobileNumber === null) return { fault: "needs a verified mobile number" };
		return numberIsNew ? { fault: "needs a mobile number that has not changed for 24 hours" } : { destination: to };
	}
	if (type === "CURRENT_ACCOUNT") {
		if (wallet?.status !== "ACTIVE" || wallet.currency !== currency) return { fault: `needs an active current account in ${currency}` };
		if (wallet.room < amount) return { fault: "is more than the current account may hold" };
		return { destination: { ...to, account: { type, identifier: wallet.accountNumber, name: null } } };
	}
	if (!payee?.isVerified || payee.isBlocked || payee.type === "INTERNAL") {
		return { fault: "needs a verified account of a payee who is not blocked, outside the service" };
	}
	// The name of the number, because anybody who has the phone can say what they are called.
	if (!payee.resolvedName || !ownName || !isSameName(payee.resolvedName, ownName))
		return { fault: "needs an account in the borrower's own name" };
	return { destination: { ...to, account: { type: payee.type, identifier: payee.identifier, name: payee.resolvedName } } };
}

/** The first of the types at which the sum can be paid. */
export function firstFit(types: readonly DestinationType[], places: Places, sum: Sum): Destination | undefined {
	for (const type of types) {
		const judged = judge(type, places, sum);
		if ("destination" in judged) return judged.destination;
	}
	return undefined;
}
