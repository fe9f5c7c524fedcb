// Where the money of a payout goes. It is decided once, with the order.

/** CURRENT_ACCOUNT is the borrower's own; PAYEE_ACCOUNT is outside, and in the borrower's own name. */
export const DESTINATION_TYPES = ["OWN_NUMBER", "CURRENT_ACCOUNT", "PAYEE_ACCOUNT"] as const;
export type DestinationType = (typeof DESTINATION_TYPES)[number];

/** What products pay to unless they say otherwise. */
export const DEFAULT_DESTINATIONS = ["OWN_NUMBER", "CURRENT_ACCOUNT"] as const satisfies readonly DestinationType[];

/** A borrower, and where they are paid. */
export type Destination = {
	readonly type: DestinationType;
	readonly userId: string;
	/** The borrower's own when the payout was ordered. */
	readonly mobileNumber: string | null;
	/** Of all types but OWN_NUMBER. */
	readonly account?: { readonly type: string; readonly identifier: string; readonly name: string | null };
};

/** The number of mobile money that gets the payout; null where it goes elsewhere. */
export function payableNumber({ type, mobileNumber, account }: Destination): string | null {
	if (type === "OWN_NUMBER") return mobileNumber;
	return type === "PAYEE_ACCOUNT" && account?.type === "SEND_MONEY" ? account.identifier : null;
}
