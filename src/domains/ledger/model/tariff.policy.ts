// What a provider charges for a payment by the tariff that a lender keeps: a fee for amounts up to a bound, and so on.

/** A charge is for money that leaves, or for money that comes in. */
export const DIRECTIONS = ["PAYOUT", "RECEIPT"] as const;
/** The channels of statements. */
export const TARIFF_CHANNELS = ["MPESA", "MOMO", "BANK"] as const;

/** M-Pesa's own tariff has some fifteen. */
export const MOST_BANDS = 40;

/** `upTo`: the largest amount of the band; null for the last one. Amounts are in minor units. */
export type Band = { readonly upTo: number | null; readonly fee: number };

/** Each band begins above the one before, and the last one alone has no bound. */
export const ascend = (bounds: readonly (number | null)[]): boolean =>
	bounds.every((bound, index) => {
		const isLast = index === bounds.length - 1;
		return bound === null ? isLast : !isLast && bound > (bounds[index - 1] ?? 0);
	});
