// How long what must be kept of a person is kept, and what stands in the way of an erasure.

import { DAY_MS, toTimestamp } from "../../shared/time";

/** The kinds of data that a law demands to be kept after the last of them has ended. */
export const KEPT = ["LOANS", "CURRENT_ACCOUNTS"] as const;
export type Kept = (typeof KEPT)[number];

/** `law`: why. */
export type Period = { readonly days: number; readonly law: string };
export type Periods = { readonly [K in Kept]: Period };

/** What is under way for a person, and when what has ended did so; in ms. */
export type Ties = {
	readonly openLoans: number;
	readonly payouts: number;
	readonly openAccounts: number;
	readonly memberships: number;
	readonly numberChanges: number;
	readonly lastLoan: number | null;
	readonly lastAccount: number | null;
};

export type Obstacle = { readonly reason: "MONEY_OPEN" | "IN_USE" | "RETENTION"; readonly description: string; readonly until?: number };

/** Why the person cannot be erased now: all that is open, and each period that runs. Empty when nothing stands in the way. */
export function obstaclesTo(ties: Ties, periods: Periods, now: number): readonly Obstacle[] {
	const open: readonly (readonly [number, Obstacle["reason"], string])[] = [
		[ties.openLoans, "MONEY_OPEN", "a loan account is open or overpaid"],
		[ties.payouts, "MONEY_OPEN", "a payout is under way"],
		[ties.openAccounts, "MONEY_OPEN", "a current account is open"],
		[ties.memberships, "IN_USE", "they are a member of an organization"],
		[ties.numberChanges, "IN_USE", "their mobile number is being changed"],
	];
	const ends: readonly (readonly [Kept, number | null])[] = [
		["LOANS", ties.lastLoan],
		["CURRENT_ACCOUNTS", ties.lastAccount],
	];
	return [
		...open.flatMap(([count, reason, description]) => (count > 0 ? [{ reason, description }] : [])),
		...ends.flatMap(([kind, last]): Obstacle[] => {
			const { days, law } = periods[kind];
			const until = last === null ? now : last + days * DAY_MS;
			return until > now ? [{ reason: "RETENTION", until, description: `${kind} are kept until ${toTimestamp(until)} (${law})` }] : [];
		}),
	];
}
