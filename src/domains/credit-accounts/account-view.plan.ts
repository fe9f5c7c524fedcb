// A credit account as it stands today, computed from its records.

import { toBigInt } from "../../shared/money";
import type { CalendarDate } from "../../shared/time";
import { limitOf, limitRulesOf, rateFor } from "../loan-products/limits.policy";
import type { creditProfiles, LoanProductRow } from "../loan-products/table";
import { balanceOf, limitsOf } from "./book/balance.policy";
import { replay } from "./book/book.policy";
import { canTransact, standingOf } from "./book/standing.policy";
import { type BookRecords, bookOf, type FactRow, type PlaceRow, recordsOf } from "./ledger.store";
import { todayOf } from "./postings/plan";
import { statusBy } from "./postings/policy";
import type { CreditAccountRow, CreditCycleRow } from "./table";
import type { AccountView } from "./wire";

export type LimitSources = {
	readonly products: readonly LoanProductRow[];
	readonly profiles: readonly (typeof creditProfiles.$inferSelect)[];
};

export function viewOf(records: BookRecords, { products, profiles }: LimitSources, now: number): AccountView {
	const { account, cycles } = records;
	const today: CalendarDate = todayOf(account, now);
	const ledger = replay(bookOf(records), today);
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
		// A blocked user cannot call.
		mayTransact: canTransact(status, standing, false),
		paidAt: balance.totalOutstanding > 0n ? null : (newest?.paidAt ?? null),
		nextCycle: account.nextTenure && interestRate ? { tenure: account.nextTenure, interestRate } : null,
	};
}

/** The view of the first account found, if any. */
export function readView(
	[products, profiles, accounts, transactions, cycles, installments]: readonly [
		LimitSources["products"],
		LimitSources["profiles"],
		readonly CreditAccountRow[],
		readonly FactRow[],
		readonly CreditCycleRow[],
		readonly PlaceRow[],
	],
	now: number,
): AccountView | undefined {
	const [account] = accounts;
	return account && viewOf(recordsOf(account, transactions, cycles, installments), { products, profiles }, now);
}
