// Whether the money from which payouts are paid lasts: for those that wait, and for as much again as was paid out within a day.

/** In minor units; less than nothing where charges are owed. */
export type Balance = { readonly account: string; readonly currency: string; readonly available: number };

/** Of M-Pesa's accounts, the one from which payouts are paid. */
export const FLOAT_ACCOUNT = "Utility Account";

/** What waits to be paid out, and what was paid out within the last day, in minor units. */
export type Need = { readonly waiting: number; readonly paidLastDay: number };

/** `since`: when that was seen first. `at`: when the provider reported what is available. */
export type LowFloat = Need & { readonly since: number; readonly at: number; readonly available: number; readonly currency: string };

/** null while it lasts, and while nobody knows what is there. `before`: what was seen the last time. */
export function lowFloatOf(balances: readonly Balance[], need: Need, before: LowFloat | null, now: number): LowFloat | null {
	const float = balances.find(({ account }) => account === FLOAT_ACCOUNT);
	if (!float || float.available >= need.waiting + need.paidLastDay) return null;
	return { ...need, since: before?.since ?? now, at: now, available: float.available, currency: float.currency };
}
