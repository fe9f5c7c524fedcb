// Builds the statements of entries. Each entry is one INSERT … SELECT from its account, which takes the next position and carries its
// condition, so that entries that do not compete for money never make each other stale.
// D1 binds numbers as reals, so that arithmetic needs `cast(? as integer)`.

import { and, eq, getTableColumns, inArray, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bare, bareList, qualified } from "../../../db/columns";
import type { Effect, Orm, Statement } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { ALWAYS, prebuilt } from "../../../db/prebuilt";
import { MAX_BALANCE } from "../../../runtime/current-account-terms";
import type { Services } from "../../../runtime/services";
import { addDays, type CalendarDate, localDate } from "../../../shared/time";
import { type AccountStatus, OPEN_STATES, RECEIVING_STATES, SPENDING_STATES } from "../lifecycle";
import { type CurrentAccountRow, currentAccountEntries, currentAccounts, HAS_A_SOURCE_OF_OURS } from "../table";
import { BASIS_POINT_DAYS_IN_UNIT, localDayOf, rateIndex } from "./interest.policy";

const currentAccount = alias(currentAccounts, "current_account");
const eachEntry = alias(currentAccountEntries, "entry");

/** All but `weighted`, which a JavaScript number cannot hold. */
const { weighted: _, ...accountColumns } = getTableColumns(currentAccounts);

export { accountColumns };

export const selectAccounts = (orm: Orm) => orm.select(accountColumns).from(currentAccounts);

/** What entries need of an account, and their events. Of this only the payday changes, and once the organization. */
export type LedgerAccount = Pick<
	CurrentAccountRow,
	"id" | "createdAt" | "timeZone" | "interestDueOn" | "userId" | "organizationId" | "currency"
>;

const { placeholder } = sql;
const int = (value: number | Placeholder): SQL => sql`cast(${value} as integer)`;
const texts = (values: readonly string[]): SQL => sql.raw(values.map((value) => `'${value}'`).join(", "));

const { accountId, position, id, type, phase, amount, hold, counted, uncoded, uncodedNew, balanceAfter, heldAfter, day } =
	currentAccountEntries;
const { rateIndex: index, sourceId, contra, createdAt } = currentAccountEntries;
/** The columns of an entry, in the order in which the inserts select them. */
const entryColumns = bareList(
	...[accountId, position, id, type, phase, amount, hold, counted, uncoded, uncodedNew],
	...[balanceAfter, heldAfter, day, index, sourceId, contra, createdAt],
);

/**
 * The insert of an entry. `figures` selects `amount`, `hold`, `counted`, `uncoded`, `uncoded_new` and `contra`, in no row when there is nothing
 * to post. The account's interest must be paid up to the day, and no later day have begun for it: a clock that runs behind posts nothing.
 */
const insertWith = (figures: SQL, statuses: readonly AccountStatus[]) =>
	prebuilt((orm) =>
		orm.run(sql`insert into ${currentAccountEntries} (${entryColumns})
			select ${currentAccount.id}, ${currentAccount.position} + 1, ${placeholder("id")}, ${placeholder("type")}, ${placeholder("phase")}, n.amount, n.hold, n.counted,
				n.uncoded, n.uncoded_new, ${currentAccount.balance} + n.amount, ${currentAccount.held} + n.hold, ${placeholder("day")}, ${int(placeholder("rateIndex"))}, ${placeholder("sourceId")},
				n.contra, ${int(placeholder("now"))}
			from ${currentAccounts} ${currentAccount}, ${figures} n
			where ${currentAccount.id} = ${placeholder("accountId")} and ${currentAccount.status} in (${texts(statuses)})
				and ${currentAccount.day} <= ${placeholder("day")}
				and ${currentAccount.interestDueOn} > ${placeholder("day")} and ${currentAccount.interestDueOn} <= ${placeholder("weekLater")}
				and ${currentAccount.held} + n.hold >= 0 and ${currentAccount.balance} + n.amount >= ${currentAccount.held} + n.hold
				and (n.amount <= 0 or ${currentAccount.balance} + n.amount <= ${int(MAX_BALANCE)})
				and (${placeholder("dailyLimit")} is null
					or case when ${currentAccount.day} = ${placeholder("day")} then ${currentAccount.outTotal} else 0 end + n.counted <= ${int(placeholder("dailyLimit"))})
				and (${placeholder("mostSinceCode")} is null or (${currentAccount.uncoded} + n.uncoded <= ${int(placeholder("mostSinceCode"))}
					and case when ${currentAccount.day} = ${placeholder("day")} then ${currentAccount.uncodedToday} else 0 end + n.uncoded <= ${int(placeholder("mostToday"))}
					and (n.uncoded_new = 0 or case when ${currentAccount.day} = ${placeholder("day")} then ${currentAccount.uncodedNew} else 0 end + n.uncoded_new
						<= ${int(placeholder("mostToNew"))})))`),
	);

const fixed = sql`(select ${int(placeholder("amount"))} as amount, ${int(placeholder("hold"))} as hold,
	${int(placeholder("counted"))} as counted, ${int(placeholder("uncoded"))} as uncoded, ${int(placeholder("uncodedNew"))} as uncoded_new,
	${placeholder("contra")} as contra)`;
const held = sql`from ${currentAccountEntries} ${eachEntry}
	where ${eachEntry.sourceId} = ${placeholder("sourceId")} and ${eachEntry.accountId} = ${placeholder("accountId")} and ${eachEntry.phase} = 'HOLD'
		and ${HAS_A_SOURCE_OF_OURS}`;

/** The insert of an entry, by what its account must allow, and by where its figures are from. */
export const entryInserts = {
	spend: insertWith(fixed, SPENDING_STATES),
	receive: insertWith(fixed, RECEIVING_STATES),
	settle: insertWith(
		sql`(select -${eachEntry.hold} as amount, -${eachEntry.hold} as hold, 0 as counted, 0 as uncoded, 0 as uncoded_new, ${eachEntry.contra} as contra ${held})`,
		OPEN_STATES,
	),
	release: insertWith(
		sql`(select 0 as amount, -${eachEntry.hold} as hold,
			case when ${eachEntry.day} = ${placeholder("day")} then -${eachEntry.counted} else 0 end as counted,
			0 as uncoded, 0 as uncoded_new, ${eachEntry.contra} as contra ${held})`,
		OPEN_STATES,
	),
};

/** The rate index of the account's day. */
export const indexOf = ({ config }: Pick<Services, "config">, account: LedgerAccount, today: CalendarDate): number =>
	rateIndex(config.CURRENT_ACCOUNTS.interest_rates, localDate(account.createdAt, account.timeZone), today);

/** Whole units that the account of alias `current_account` has earned by the day and not been paid. */
const accrued = (services: Services, account: LedgerAccount, today: CalendarDate): SQL =>
	sql`(${currentAccount.balance} * ${int(indexOf(services, account, today))} - ${currentAccount.weighted}) / ${int(BASIS_POINT_DAYS_IN_UNIT)}`;

const lastEntry = (account: string, of: SQL): SQL =>
	sql`from ${currentAccounts} ${currentAccount} join ${currentAccountEntries} ${eachEntry} on ${eachEntry.accountId} = ${currentAccount.id} and ${eachEntry.position} = ${currentAccount.position}
		where ${currentAccount.id} = ${account} and ${of}`;

/** What the entry that was posted last to the account has moved, and the balance after it. */
export const lastAmount = (account: string): SQL<number> => sql`(select ${eachEntry.amount} ${lastEntry(account, ALWAYS)})`;
export const balanceNow = (account: string): SQL<number> =>
	sql`(select ${currentAccount.balance} from ${currentAccounts} ${currentAccount} where ${currentAccount.id} = ${account})`;
/** The entry was posted last to the account. */
export const isLast = (account: string, entry: string): SQL =>
	sql`exists (select 1 ${lastEntry(account, sql`${eachEntry.id} = ${entry}`)})`;

/** Pays what has accrued by the day, if it is a whole unit. Interest that exceeds the most that an account may hold stays accrued. */
export const payAccrued = (services: Services, account: LedgerAccount, today: CalendarDate, entry: string): SQL =>
	sql`insert into ${currentAccountEntries} (${entryColumns})
		select ${bare(currentAccount.id)}, ${bare(currentAccount.position)} + 1, ${entry}, 'INTEREST', 'END', interest, 0, 0, 0, 0,
			${bare(currentAccount.balance)} + interest, ${bare(currentAccount.held)},
			${today}, ${int(indexOf(services, account, today))}, ${today}, 'INTEREST', ${int(services.now)}
		from (select ${currentAccount.id}, ${currentAccount.position}, ${currentAccount.balance}, ${currentAccount.held},
				min(${accrued(services, account, today)}, ${int(MAX_BALANCE)} - ${currentAccount.balance}) as interest
			from ${currentAccounts} ${currentAccount} where ${currentAccount.id} = ${account.id} and ${currentAccount.status} in (${texts(OPEN_STATES)}) and ${currentAccount.day} <= ${today})
		where interest > 0`;

/** Moves the account on to the payday after this one. */
export const passPayday = (orm: Orm, { id }: Pick<LedgerAccount, "id">, payday: CalendarDate): Effect =>
	guarded(
		orm
			.update(currentAccounts)
			.set({ interestDueOn: addDays(payday, 7) })
			.where(and(eq(currentAccounts.id, id), eq(currentAccounts.interestDueOn, payday), inArray(currentAccounts.status, [...OPEN_STATES]))),
	);

/** The owner has given a one-time password, so that nothing is counted any more as ordered without one. */
export const clearUncoded = (orm: Orm, owned: string): Statement =>
	orm.update(currentAccounts).set({ uncoded: 0, uncodedToday: 0, uncodedNew: 0 }).where(eq(currentAccounts.id, owned));

/** Nothing is in the account and not even a whole unit of interest has accrued. */
export function isEmpty(services: Services, account: LedgerAccount): SQL {
	const today = localDayOf(account, services.now);
	return sql`exists (select 1 from ${currentAccounts} ${currentAccount} where ${currentAccount.id} = ${account.id} and ${currentAccount.balance} = 0 and ${currentAccount.held} = 0
		and ${accrued(services, account, today)} < 1 and ${currentAccount.day} <= ${today})`;
}

/** The interest that has accrued by today. */
export const findAccrued = (services: Services, account: LedgerAccount) =>
	services.db.orm
		.select({ accrued: qualified(sql<number>`${accrued(services, account, localDayOf(account, services.now))}`).as("accrued") })
		.from(currentAccount)
		.where(eq(currentAccount.id, account.id));
