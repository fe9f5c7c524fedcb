// A credit account as it stands today or stood on a day, computed from its records.

import { badInput } from "../../shared/errors";
import { toBigInt } from "../../shared/money";
import { addDays, type CalendarDate, startOfDay } from "../../shared/time";
import { limitOf, limitRulesOf, rateFor } from "../loan-products/model/limits.policy";
import type { creditProfiles, LoanProductRow } from "../loan-products/model/table";
import { balanceOf, limitsOf } from "./book/balance.policy";
import { replay } from "./book/book.policy";
import { canTransact, standingOf } from "./book/standing.policy";
import { type BookRecords, bookOf, knownOn, recordsOf } from "./ledger.store";
import { todayOf } from "./postings/plan";
import { statusBy } from "./postings/policy";
import type { CreditAccountRow, CreditCycleRow } from "./table";
import type { AccountView } from "./wire";

export type LimitSources = {
	readonly products: readonly LoanProductRow[];
	readonly profiles: readonly (typeof creditProfiles.$inferSelect)[];
	/** The users who are blocked. */
	readonly blocked: readonly { readonly id: string }[];
};

/** Of which day, with the facts that were known at the end of which day. */
export type Times = { readonly as_of?: CalendarDate | undefined; readonly known_at?: CalendarDate | undefined };

/** Throws InvalidInput for days to come. The day on which something was known is the day asked for unless another is named. */
export function asOf({ as_of, known_at }: Times, today: CalendarDate): CalendarDate {
	if (known_at !== undefined && known_at > today) throw badInput("query.known_at", "is in the future", "OUT_OF_RANGE");
	if (as_of !== undefined && as_of > today) throw badInput("query.as_of", "is in the future", "OUT_OF_RANGE");
	return as_of ?? known_at ?? today;
}

/** `times` takes all of the account's history. Its terms and limit are those of today. */
export function viewOf(found: BookRecords, { products, profiles, blocked }: LimitSources, now: number, times: Times = {}): AccountView {
	const { account } = found;
	const day = asOf(times, todayOf(account, now));
	const records = times.known_at === undefined ? found : knownOn(found, times.known_at);
	const known = new Set(records.transactions.map(({ cycleId }) => cycleId));
	const cycles = records.cycles.filter(({ id, startDate }) => known.has(id) && startDate <= day);
	const ledger = replay(bookOf(records), day);
	const balance = balanceOf(ledger);
	const product = products.find(({ id }) => id === account.loanProductId);
	const limitOverride = profiles.find(({ userId }) => userId === account.userId)?.limitOverride ?? null;
	const limit = product ? limitOf(limitRulesOf(product), { limitOverride, loansRepaidOnTime: account.loansRepaidOnTime }) : 0;
	const standing = standingOf(ledger);
	const status = statusBy(account.status, standing, cycles.length > 0);
	const newest = cycles.reduce<CreditCycleRow | undefined>((last, cycle) => (last && last.number > cycle.number ? last : cycle), undefined);
	const interestRate = account.nextTenure && rateFor(account.rateSchedule, account.nextTenure);
	return {
		account,
		balance,
		settlement: ledger.settlement,
		limit,
		limits: limitsOf(toBigInt(limit), balance),
		standing,
		status,
		mayTransact: canTransact(
			status,
			standing,
			blocked.some(({ id }) => id === account.userId),
		),
		paidAt: balance.totalOutstanding > 0n ? null : paidBy(newest, times, account),
		nextCycle: account.nextTenure && interestRate ? { tenure: account.nextTenure, interestRate } : null,
	};
}

/** When the cycle was repaid, as it was known by the end of the days asked for. */
function paidBy(newest: CreditCycleRow | undefined, { as_of, known_at }: Times, { terms }: CreditAccountRow): number | null {
	const paidAt = newest?.paidAt ?? null;
	const [last] = [as_of, known_at].filter((day) => day !== undefined).sort();
	return paidAt !== null && last !== undefined && paidAt >= startOfDay(addDays(last, 1), terms.timeZone) ? null : paidAt;
}

/** The view of the first account found, if any. */
export function readView(
	{ accounts: [account], ...found }: LimitSources & Omit<BookRecords, "account"> & { readonly accounts: readonly CreditAccountRow[] },
	now: number,
	times: Times = {},
): AccountView | undefined {
	return account && viewOf(recordsOf(account, found), found, now, times);
}
