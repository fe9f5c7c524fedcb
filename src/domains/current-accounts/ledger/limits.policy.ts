// Whether an account can spend an amount, decided on the row that was read. The commit demands the same again.

import type { CalendarDate } from "../../../shared/time";
import type { AccountStatus } from "../lifecycle";

export type Limits = {
	readonly minimumTransferAmount: number;
	readonly maximumTransferAmount: number;
	/** The most that may be ordered on one day of the account's calendar. */
	readonly dailyTransferLimit: number;
};

export type Funds = {
	readonly status: AccountStatus;
	readonly balance: number;
	readonly held: number;
	/** The day of the last entry, and what was ordered on it. */
	readonly day: CalendarDate;
	readonly outTotal: number;
};

export type SpendingFault = "NOT_ACTIVE" | "INSUFFICIENT_FUNDS" | "DAILY_LIMIT";

export const availableIn = ({ balance, held }: Pick<Funds, "balance" | "held">): number => balance - held;

export const isWithinLimits = (amount: number, { minimumTransferAmount, maximumTransferAmount }: Limits): boolean =>
	amount >= minimumTransferAmount && amount <= maximumTransferAmount;

/** Why the amount cannot be transferred today, or undefined when it can. */
export function transferFault(
	funds: Funds,
	amount: number,
	{ dailyTransferLimit }: Limits,
	today: CalendarDate,
): SpendingFault | undefined {
	const fault = spendingFault(funds, amount);
	if (fault) return fault;
	const ordered = funds.day === today ? funds.outTotal : 0;
	return ordered + amount > dailyTransferLimit ? "DAILY_LIMIT" : undefined;
}

/** The same for what counts towards no limit, such as a loan's repayment. */
export function spendingFault(funds: Funds, amount: number): Exclude<SpendingFault, "DAILY_LIMIT"> | undefined {
	if (funds.status !== "ACTIVE") return "NOT_ACTIVE";
	return availableIn(funds) < amount ? "INSUFFICIENT_FUNDS" : undefined;
}
