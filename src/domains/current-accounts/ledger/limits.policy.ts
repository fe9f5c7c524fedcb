// Whether an account can spend an amount, and whether its owner must confirm that with a one-time password, decided on the row that
// was read. The commit demands the same again.

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

/** What was ordered without a one-time password, as an account counts it. */
export type Uncoded = Pick<Funds, "day"> & {
	/** Since the owner's last one-time password. */
	readonly uncoded: number;
	/** Of that on the day of the last entry, and of that to payees that no one-time password has confirmed. */
	readonly uncodedToday: number;
	readonly uncodedNew: number;
};

/** The most that may be ordered without a one-time password. */
export type CodeLimits = { readonly sinceCode: number; readonly today: number; readonly toNewPayees: number };

/** How many days' amounts may be ordered before the owner must confirm one of them. */
const DAYS_SINCE_CODE = 3;

type Thresholds = { readonly TRANSFER_OTP_ABOVE: number; readonly NEW_PAYEE_OTP_ABOVE: number };

export const codeLimitsOf = ({ TRANSFER_OTP_ABOVE, NEW_PAYEE_OTP_ABOVE }: Thresholds): CodeLimits => ({
	sinceCode: DAYS_SINCE_CODE * TRANSFER_OTP_ABOVE,
	today: TRANSFER_OTP_ABOVE,
	toNewPayees: NEW_PAYEE_OTP_ABOVE,
});

/** Whether the amount needs a one-time password. `toNewPayee`: no one-time password has confirmed the payee's account. */
export function needsCode(
	{ day, uncoded, uncodedToday, uncodedNew }: Uncoded,
	{ amount, toNewPayee }: { readonly amount: number; readonly toNewPayee: boolean },
	{ sinceCode, today: mostToday, toNewPayees }: CodeLimits,
	today: CalendarDate,
): boolean {
	const sameDay = day === today;
	if (uncoded + amount > sinceCode || (sameDay ? uncodedToday : 0) + amount > mostToday) return true;
	return toNewPayee && (sameDay ? uncodedNew : 0) + amount > toNewPayees;
}
