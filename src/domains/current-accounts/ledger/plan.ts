// Plans what is posted to current accounts. Interest that is due is paid in the same commit, before anything else.

import type { SQL } from "drizzle-orm";
import type { Effect, Write } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { raise } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import { addDays, type CalendarDate } from "../../../shared/time";
import { type ContraSide, type EntryType, transactionTypeOf } from "../entries.policy";
import { currentAccountTransactionPosted } from "../events";
import { localDayOf, paydaysUpTo } from "./interest.policy";
import type { CodeLimits } from "./limits.policy";
import { balanceNow, entryInserts, indexOf, isLast, type LedgerAccount, lastAmount, passPayday, payAccrued } from "./store";

/** What an entry does, before its account and day are known. */
export type Change = {
	readonly type: EntryType;
	/** The movement, transfer, payday or payment behind it: each has one hold and one end in an account. */
	readonly sourceId: string;
	readonly insert: keyof typeof entryInserts;
	/** Where the hold that it ends does not say them. */
	readonly figures?: {
		readonly amount?: number;
		readonly hold?: number;
		readonly counted?: number;
		readonly uncoded?: number;
		readonly uncodedNew?: number;
		readonly contra: ContraSide;
	};
	/** The most that may be ordered on one day, this entry included. */
	readonly dailyLimit?: number;
	/** The most that may be ordered without a one-time password, this entry included. */
	readonly codeLimits?: CodeLimits;
};

const CREDITS = {
	MOVEMENT: "CUSTODY",
	TRANSFER_IN: "TRANSFER",
	LOAN_REFUND: "LOAN",
	LOAN_DISBURSEMENT: "LOAN",
} as const satisfies Partial<Record<EntryType, ContraSide>>;
const DEBITS = { MOVEMENT: "CUSTODY", LOAN_REPAYMENT: "LOAN" } as const satisfies Partial<Record<EntryType, ContraSide>>;

/** Money that comes in. A loan is not paid to an account from which its borrower may spend nothing. */
export const credit = (type: keyof typeof CREDITS, sourceId: string, amount: number): Change => ({
	type,
	sourceId,
	insert: type === "LOAN_DISBURSEMENT" ? "spend" : "receive",
	figures: { amount, contra: CREDITS[type] },
});

/** Money that goes out and counts towards no limit. Money that the custodian reports has moved already, also when the owner may do nothing. */
export const debit = (type: keyof typeof DEBITS, sourceId: string, amount: number): Change => ({
	type,
	sourceId,
	insert: type === "MOVEMENT" ? "receive" : "spend",
	figures: { amount: -amount, contra: DEBITS[type] },
});

type Order = {
	readonly sourceId: string;
	readonly amount: number;
	readonly contra: "TRANSFER" | "PAYOUT";
	readonly dailyLimit: number;
	/** Ordered without a one-time password. */
	readonly withoutCode?: { readonly toNewPayee: boolean; readonly limits: CodeLimits };
};

/** What an order counts towards, and the most of it. */
const counts = ({ amount, dailyLimit, withoutCode }: Order) => ({
	figures: { counted: amount, ...(withoutCode && { uncoded: amount, uncodedNew: withoutCode.toNewPayee ? amount : 0 }) },
	limits: { dailyLimit, ...(withoutCode && { codeLimits: withoutCode.limits }) },
});

/** An ordered transfer that is carried out at once. */
export function transferOut(order: Order): Change {
	const { sourceId, amount, contra } = order;
	const { figures, limits } = counts(order);
	return { type: "TRANSFER_OUT", sourceId, insert: "spend", figures: { amount: -amount, contra, ...figures }, ...limits };
}

/** An ordered transfer whose end is open: the money stays in the account, and cannot be spent otherwise. */
export function hold(order: Order): Change {
	const { sourceId, amount, contra } = order;
	const { figures, limits } = counts(order);
	return { type: "HOLD", sourceId, insert: "spend", figures: { hold: amount, contra, ...figures }, ...limits };
}

/** The held money leaves the account. */
export const settle = (sourceId: string): Change => ({ type: "SETTLE", sourceId, insert: "settle" });

/**
 * The held money can be spent again; towards the daily limit it counts no more if it was ordered on the same day. Towards what may be
 * ordered without a one-time password it still counts.
 */
export const release = (sourceId: string): Change => ({ type: "RELEASE", sourceId, insert: "release" });

/**
 * The writes that post the changes to the account, and the interest that is due before them. Post everything that a commit does to an
 * account with one call. The commit is stale when a condition does not hold: read the account again to know which.
 */
export function post(services: Services, account: LedgerAccount, ...changes: readonly Change[]): Write[] {
	const day = localDayOf(account, services.now);
	return [...payInterest(services, account, day), ...changes.flatMap((change) => entry(services, account, change, day))];
}

function entry(services: Services, account: LedgerAccount, change: Change, day: CalendarDate): Write[] {
	const id = services.newId();
	const { type, sourceId, figures } = change;
	const posted = { id, type, sourceId, amount: figures?.amount ?? lastAmount(account.id) };
	return [insertEntry(services, account, change, { id, day }), ...raisePosted(services, account, posted)];
}

function insertEntry(
	services: Services,
	account: LedgerAccount,
	change: Change,
	{ id, day }: { readonly id: string; readonly day: CalendarDate },
): Effect {
	const { type, sourceId, insert, figures, dailyLimit = null, codeLimits } = change;
	return guarded(
		entryInserts[insert]({
			...{ type, sourceId, dailyLimit, day, amount: 0, hold: 0, counted: 0, uncoded: 0, uncodedNew: 0 },
			mostSinceCode: codeLimits?.sinceCode ?? null,
			mostToday: codeLimits?.today ?? null,
			mostToNew: codeLimits?.toNewPayees ?? null,
			...figures,
			id,
			phase: type === "HOLD" ? "HOLD" : "END",
			rateIndex: indexOf(services, account, day),
			now: services.now,
			accountId: account.id,
			weekLater: addDays(day, 7),
		}),
	);
}

type Posted = Pick<Change, "type" | "sourceId"> & { readonly id: string; readonly amount: number | SQL<number>; readonly when?: SQL };

/** The event of an entry that moves the balance. It follows the entry at once, because only the commit knows the balance. */
function raisePosted(services: Services, account: LedgerAccount, { id, type, sourceId, amount, when }: Posted): Write[] {
	const { id: account_id, userId: user_id, currency, organizationId } = account;
	const shown = transactionTypeOf(type);
	if (!shown) return [];
	const moved = { account_id, user_id, transaction_id: id, type: shown, amount, balance: balanceNow(account_id), currency };
	const data = shown === "TRANSFER_IN" || shown === "TRANSFER_OUT" ? { ...moved, transfer_id: sourceId } : moved;
	return [raise(services, currentAccountTransactionPosted, { organizationId, entityId: id, data, ...(when && { when }) })];
}

/** Pays what has accrued by the payday, if it is a whole unit. */
function payOne(services: Services, account: LedgerAccount, payday: CalendarDate): Write[] {
	const id = services.newId();
	const paid = { id, type: "INTEREST" as const, sourceId: payday, amount: lastAmount(account.id), when: isLast(account.id, id) };
	return [payAccrued(services, account, payday, id), ...raisePosted(services, account, paid)];
}

/** Pays the interest of every payday up to the day. A late payment pays what a punctual one would have paid. */
export function payInterest(services: Services, account: LedgerAccount, day: CalendarDate): Write[] {
	return paydaysUpTo(account.interestDueOn, day).flatMap((payday) => [
		...payOne(services, account, payday),
		passPayday(services.db.orm, account, payday),
	]);
}

/**
 * Pays what has accrued before its payday, so that an account can become empty. Its source is the day, and on one day nothing more
 * accrues after it.
 */
export function payInterestEarly(services: Services, account: LedgerAccount): Write[] {
	const day = localDayOf(account, services.now);
	return [...payInterest(services, account, day), ...payOne(services, account, day)];
}
