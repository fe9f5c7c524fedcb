// Builds entries. Each is one INSERT … SELECT from its account, which takes the next position and carries its condition, so that
// entries that do not compete for money never make each other stale. Interest that is due is paid in the same commit, before them.
// D1 binds numbers as reals, so that arithmetic needs `cast(? as integer)`.

import { getTableColumns, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Effect, Orm, Write } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { prebuilt } from "../../../db/prebuilt";
import { MAX_BALANCE } from "../../../runtime/current-account-terms";
import type { Services } from "../../../runtime/services";
import { addDays, type CalendarDate, localDate } from "../../../shared/time";
import type { ContraSide, EntryType } from "../entries.policy";
import { type AccountStatus, OPEN_STATES, RECEIVING_STATES, SPENDING_STATES } from "../lifecycle";
import { type CurrentAccountRow, currentAccountEntries, currentAccounts } from "../table";
import { BASIS_POINT_DAYS_IN_UNIT, paydaysUpTo, rateIndex } from "./interest.policy";

/** All but `weighted`, which a JavaScript number cannot hold. */
const { weighted: _, ...accountColumns } = getTableColumns(currentAccounts);

export { accountColumns };

export const selectAccounts = (orm: Orm) => orm.select(accountColumns).from(currentAccounts);

/** What entries need of an account. All but the payday never changes. */
export type LedgerAccount = Pick<CurrentAccountRow, "id" | "createdAt" | "timeZone" | "interestDueOn">;

const { placeholder } = sql;
const int = (value: number | Placeholder): SQL => sql`cast(${value} as integer)`;
const texts = (values: readonly string[]): SQL => sql.raw(values.map((value) => `'${value}'`).join(", "));

/**
 * The insert of an entry. `figures` selects `amount`, `hold`, `counted` and `contra`, in no row when there is nothing to post. The
 * account's interest must be paid up to the day, and no later day have begun for it: a clock that runs behind posts nothing.
 */
const insertWith = (figures: SQL, statuses: readonly AccountStatus[]) =>
	prebuilt((orm) =>
		orm.run(sql`insert into ${currentAccountEntries}
			(account_id, position, id, type, phase, amount, hold, counted, balance_after, held_after, day, rate_index, source_id, contra, created_at)
			select a.id, a.position + 1, ${placeholder("id")}, ${placeholder("type")}, ${placeholder("phase")}, n.amount, n.hold, n.counted,
				a.balance + n.amount, a.held + n.hold, ${placeholder("day")}, ${int(placeholder("rateIndex"))}, ${placeholder("sourceId")},
				n.contra, ${int(placeholder("now"))}
			from ${currentAccounts} a, ${figures} n
			where a.id = ${placeholder("accountId")} and a.status in (${texts(statuses)})
				and a.day <= ${placeholder("day")} and a.interest_due_on > ${placeholder("day")} and a.interest_due_on <= ${placeholder("weekLater")}
				and a.held + n.hold >= 0 and a.balance + n.amount >= a.held + n.hold
				and (n.amount <= 0 or a.balance + n.amount <= ${int(MAX_BALANCE)})
				and (${placeholder("dailyLimit")} is null
					or case when a.day = ${placeholder("day")} then a.out_total else 0 end + n.counted <= ${int(placeholder("dailyLimit"))})`),
	);

const fixed = sql`(select ${int(placeholder("amount"))} as amount, ${int(placeholder("hold"))} as hold,
	${int(placeholder("counted"))} as counted, ${placeholder("contra")} as contra)`;
const held = sql`from ${currentAccountEntries} h
	where h.source_id = ${placeholder("sourceId")} and h.account_id = ${placeholder("accountId")} and h.phase = 'HOLD'`;

const inserts = {
	spend: insertWith(fixed, SPENDING_STATES),
	receive: insertWith(fixed, RECEIVING_STATES),
	settle: insertWith(sql`(select -h.hold as amount, -h.hold as hold, 0 as counted, h.contra ${held})`, OPEN_STATES),
	release: insertWith(
		sql`(select 0 as amount, -h.hold as hold, case when h.day = ${placeholder("day")} then -h.counted else 0 end as counted, h.contra ${held})`,
		OPEN_STATES,
	),
};

/** What an entry does, before its account and day are known. */
export type Change = {
	readonly type: EntryType;
	/** The movement, transfer, payday or payment behind it: each has one hold and one end in an account. */
	readonly sourceId: string;
	readonly insert: keyof typeof inserts;
	/** Where the hold that it ends does not tell them. */
	readonly figures?: { readonly amount?: number; readonly hold?: number; readonly counted?: number; readonly contra: ContraSide };
	/** The most that may be ordered on one day, this entry included. */
	readonly dailyLimit?: number;
};

const CREDITS = { MOVEMENT: "CUSTODY", TRANSFER_IN: "TRANSFER", LOAN_REFUND: "LOAN" } as const satisfies Partial<
	Record<EntryType, ContraSide>
>;
const DEBITS = { MOVEMENT: "CUSTODY", LOAN_REPAYMENT: "LOAN" } as const satisfies Partial<Record<EntryType, ContraSide>>;

/** Money that comes in. */
export const credit = (type: keyof typeof CREDITS, sourceId: string, amount: number): Change => ({
	type,
	sourceId,
	insert: "receive",
	figures: { amount, contra: CREDITS[type] },
});

/** Money that goes out and counts towards no limit. What the custodian reports has moved already, whatever the owner may still do. */
export const debit = (type: keyof typeof DEBITS, sourceId: string, amount: number): Change => ({
	type,
	sourceId,
	insert: type === "MOVEMENT" ? "receive" : "spend",
	figures: { amount: -amount, contra: DEBITS[type] },
});

type Order = { sourceId: string; amount: number; contra: "TRANSFER" | "PAYOUT"; dailyLimit: number };

/** An ordered transfer that is carried out at once. */
export const transferOut = ({ sourceId, amount, contra, dailyLimit }: Order): Change => ({
	type: "TRANSFER_OUT",
	sourceId,
	insert: "spend",
	figures: { amount: -amount, counted: amount, contra },
	dailyLimit,
});

/** An ordered transfer whose end is open: the money stays in the account, and cannot be spent otherwise. */
export const hold = ({ sourceId, amount, contra, dailyLimit }: Order): Change => ({
	type: "HOLD",
	sourceId,
	insert: "spend",
	figures: { hold: amount, counted: amount, contra },
	dailyLimit,
});

/** The held money leaves the account. */
export const settle = (sourceId: string): Change => ({ type: "SETTLE", sourceId, insert: "settle" });

/** The held money can be spent again; towards the daily limit it counts no more if it was ordered on the same day. */
export const release = (sourceId: string): Change => ({ type: "RELEASE", sourceId, insert: "release" });

/** Today in the account's calendar. */
export const todayOf = ({ timeZone }: Pick<LedgerAccount, "timeZone">, now: number): CalendarDate => localDate(now, timeZone);

const indexOf = ({ config }: Pick<Services, "config">, { createdAt, timeZone }: LedgerAccount, day: CalendarDate): number =>
	rateIndex(config.CURRENT_ACCOUNTS.interest_rates, localDate(createdAt, timeZone), day);

/**
 * The writes that post the changes to the account, and the interest that is due before them. Post everything that a commit does to an
 * account with one call. The commit is stale when a condition does not hold: read the account again to tell which.
 */
export function post(services: Services, account: LedgerAccount, ...changes: readonly Change[]): Write[] {
	const day = todayOf(account, services.now);
	return [...payInterest(services, account, day), ...changes.map((change) => entry(services, account, change, day))];
}

function entry(services: Services, account: LedgerAccount, change: Change, day: CalendarDate): Effect {
	const { type, sourceId, insert, figures, dailyLimit = null } = change;
	return guarded(
		inserts[insert]({
			...{ type, sourceId, dailyLimit, day, amount: 0, hold: 0, counted: 0 },
			...figures,
			id: services.newId(),
			phase: type === "HOLD" ? "HOLD" : "END",
			rateIndex: indexOf(services, account, day),
			now: services.now,
			accountId: account.id,
			weekLater: addDays(day, 7),
		}),
	);
}

/** Whole units that the account has earned by the day and not been paid, for the account of alias `a`. */
const accrued = (services: Services, account: LedgerAccount, day: CalendarDate): SQL =>
	sql`(a.balance * ${int(indexOf(services, account, day))} - a.weighted) / ${int(BASIS_POINT_DAYS_IN_UNIT)}`;

/** Pays what has accrued by the day, if it is a whole unit. What exceeds the most that an account may hold stays accrued. */
const payAccrued = (services: Services, account: LedgerAccount, day: CalendarDate): SQL =>
	sql`insert into ${currentAccountEntries}
		(account_id, position, id, type, phase, amount, hold, counted, balance_after, held_after, day, rate_index, source_id, contra, created_at)
		select id, position + 1, ${services.newId()}, 'INTEREST', 'END', interest, 0, 0, balance + interest, held,
			${day}, ${int(indexOf(services, account, day))}, ${day}, 'INTEREST', ${int(services.now)}
		from (select a.id, a.position, a.balance, a.held, min(${accrued(services, account, day)}, ${int(MAX_BALANCE)} - a.balance) as interest
			from ${currentAccounts} a where a.id = ${account.id} and a.status in (${texts(OPEN_STATES)}) and a.day <= ${day})
		where interest > 0`;

/** Pays the interest of every payday up to the day. A late payment pays what a punctual one would have paid. */
export function payInterest(services: Services, account: LedgerAccount, day: CalendarDate): Write[] {
	return paydaysUpTo(account.interestDueOn, day).flatMap((payday) => [
		payAccrued(services, account, payday),
		guarded(
			services.db.orm.run(sql`update ${currentAccounts} set interest_due_on = ${addDays(payday, 7)}
				where id = ${account.id} and interest_due_on = ${payday} and status in (${texts(OPEN_STATES)})`),
		),
	]);
}

/**
 * Pays what has accrued before its payday, so that an account can become empty. Its source is the day, and on one day nothing more
 * accrues after it.
 */
export function payInterestEarly(services: Services, account: LedgerAccount): Write[] {
	const day = todayOf(account, services.now);
	return [...payInterest(services, account, day), payAccrued(services, account, day)];
}

/** Nothing is in the account and not even a whole unit of interest has accrued; `a` is the account's table or alias. */
export function isEmpty(services: Services, account: LedgerAccount): SQL {
	const day = todayOf(account, services.now);
	return sql`exists (select 1 from ${currentAccounts} a where a.id = ${account.id} and a.balance = 0 and a.held = 0
		and ${accrued(services, account, day)} < 1 and a.day <= ${day})`;
}

/** The same as a column of a read, with the interest in it. */
export const findAccrued = (services: Services, account: LedgerAccount) =>
	services.db.orm
		.select({ accrued: sql<number>`${accrued(services, account, todayOf(account, services.now))}`.as("accrued") })
		.from(sql`${currentAccounts} a`)
		.where(sql`a.id = ${account.id}`);
