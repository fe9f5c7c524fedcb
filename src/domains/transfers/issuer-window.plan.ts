// What the users of one issuer together transfer in a day without one-time passwords is bounded: with the issuer's stolen key somebody
// has the tokens of all of them.

import type { AmountWindow } from "../../http/amount-windows";
import type { UserCaller } from "../../http/callers/access";

/** The window that the amount counts in unless a one-time password confirms it; undefined for the users of no other issuer. */
export function issuerWindow({ through }: Pick<UserCaller, "through">, amount: number): AmountWindow | undefined {
	return through && { name: "issuer-uncoded-amount", credential: through.issuer, amount, quota: through.uncodedPerDay };
}

/** Whether the amount fits into what is left of the day. */
export const isWithin = ({ amount, quota }: AmountWindow, spent: number): boolean => spent + amount <= quota;
