// Builds the statements on payees and their accounts. Every change of a payee or of its accounts raises the payee's version, and is
// refused as stale when the version has moved since it was read, or when an account was used: that only raises the account's count, because
// it is part of every transfer.

import { and, eq, getTableColumns, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../db/columns";
import type { Effect, Orm, Write } from "../../db/database";
import { guarded, orStaleUnless } from "../../db/guards";
import { prebuilt } from "../../db/prebuilt";
import { type Expired, expired } from "../../db/purge";
import { first } from "../../db/reads";
import { MOST_CONNECTIONS } from "../../runtime/connections";
import type { Services } from "../../runtime/services";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../shared/time";
import { MAX_PAYEES, utcDateOf } from "./policy";
import { type PayeeAccountRow, type PayeeRow, payeeAccounts, payeeQuotas, payees } from "./table";

const eachPayee = alias(payees, "payee");
const payeeAccount = alias(payeeAccounts, "payee_account");

/** The payee and its accounts, if it is the user's. */
export const findPayee = (orm: Orm, id: string, userId: string) => ({
	payee: first(
		orm
			.select()
			.from(payees)
			.where(and(eq(payees.id, id), eq(payees.userId, userId))),
	),
	accounts: orm
		.select()
		.from(payeeAccounts)
		.where(and(eq(payeeAccounts.payeeId, id), eq(payeeAccounts.userId, userId))),
});

export const countPayees = (orm: Orm, userId: string) =>
	orm
		.select({ count: sql<number>`count(*)`.as("count") })
		.from(payees)
		.where(eq(payees.userId, userId));

/** Stale when a concurrent request has reached the limit. Belongs after the insert of the payee. */
export const orTooManyPayees = (userId: string) =>
	orStaleUnless(sql`(select count(*) from ${payees} where ${payees.userId} = ${userId}) <= ${MAX_PAYEES}`);

export const findQuota = (orm: Orm, userId: string, now: number) =>
	orm
		.select()
		.from(payeeQuotas)
		.where(and(eq(payeeQuotas.userId, userId), eq(payeeQuotas.day, utcDateOf(now))));

export const expiredQuotas = (orm: Orm, now: number): Expired =>
	expired(orm, payeeQuotas, { key: [payeeQuotas.userId, payeeQuotas.day], by: payeeQuotas.day, before: utcDateOf(now - 2 * DAY_MS) });

type Change = Partial<Pick<PayeeRow, "label" | "isFavorite" | "isBlocked" | "blockReasons" | "blockDetails">>;

/** The changed payee, and the write that stores it. */
export function changePayee(
	{ db, now }: Pick<Services, "db" | "now">,
	seen: PayeeRow,
	accounts: readonly PayeeAccountRow[],
	change: Change = {},
): { payee: PayeeRow; write: Effect } {
	const payee = { ...seen, ...change, version: seen.version + 1, updatedAt: now };
	return {
		payee,
		write: guarded(
			db.orm
				.update(payees)
				.set({ ...change, version: payee.version, updatedAt: now })
				.where(and(unchanged(seen), unused(seen, accounts))),
		),
	};
}

export const unchanged = ({ id, version }: PayeeRow) => and(eq(payees.id, id), eq(payees.version, version));

/** Nothing was paid to these accounts, which are all of the payee's, since they were read. */
export const unused = ({ id }: PayeeRow, accounts: readonly PayeeAccountRow[]): SQL => sql`(
	select coalesce(sum(${payeeAccount.transactionCount}), 0) from ${payeeAccounts} ${payeeAccount} where ${payeeAccount.payeeId} = ${id})
	= ${accounts.reduce((sum, { transactionCount }) => sum + transactionCount, 0)}`;

const { placeholder } = sql;

const accountOfUser = prebuilt((orm) =>
	orm
		.select({
			...getTableColumns(payeeAccounts),
			payeeIsBlocked: qualified(
				sql<number>`(select ${eachPayee.isBlocked} from ${payees} ${eachPayee} where ${eachPayee.id} = ${payeeAccounts.payeeId})`,
			).as("payee_is_blocked"),
		})
		.from(payeeAccounts)
		.where(and(eq(payeeAccounts.id, placeholder("accountId")), eq(payeeAccounts.userId, placeholder("userId")))),
);

/** An account of one of the user's payees, and whether the user has blocked that payee. */
export const findPayeeAccount = (accountId: string, userId: string) => accountOfUser({ accountId, userId });

type Text = string | Placeholder | SQL;

/** Whether the user has blocked a payee that is linked to the sender, or that has the sender's number. */
export const blocksSender = (userId: Text, senderId: Text, senderNumber: Text | null): SQL =>
	sql`exists (select 1 from ${payees} ${eachPayee} join ${payeeAccounts} ${payeeAccount} on ${payeeAccount.payeeId} = ${eachPayee.id} where ${eachPayee.userId} = ${userId} and ${eachPayee.isBlocked}
		and (${payeeAccount.linkedUserId} = ${senderId} or (${payeeAccount.type} = 'SEND_MONEY' and ${payeeAccount.identifier} = ${senderNumber})))`;

export const addUse = prebuilt((orm) =>
	orm
		.update(payeeAccounts)
		.set({ transactionCount: sql`${payeeAccounts.transactionCount} + 1`, lastUsedAt: sql`${placeholder("now")}` })
		.where(eq(payeeAccounts.id, placeholder("accountId"))),
);

const touchPayee = prebuilt((orm) =>
	orm
		.update(payees)
		.set({ version: sql`${payees.version} + 1` })
		.where(
			sql`${payees.id} = (select ${payeeAccount.payeeId} from ${payeeAccounts} ${payeeAccount} where ${payeeAccount.id} = ${placeholder("accountId")})`,
		),
);

/** Raises the version of an account's payee. Belongs to every change of the account. */
export const touchPayeeOf = (accountId: string): Write => touchPayee({ accountId });

/** The delays between attempts; after the last attempt the account stays unverified. */
export const DELAYS_MS = [15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS] as const;

/** Finds a row if a look-up is due. */
export const anyLookupDue = (orm: Orm, now: number) =>
	orm.all(
		sql`select 1 from ${payeeAccounts} ${payeeAccount} where ${payeeAccount.nextLookupAt} <= ${now} order by ${payeeAccount.nextLookupAt} limit 1`,
	);

/** Claims due look-ups, of one payee or of all. Moving `nextLookupAt` into the future keeps others from claiming them. */
export const claimLookups = (orm: Orm, now: number, payeeId?: string) =>
	orm
		.update(payeeAccounts)
		.set({
			lookupAttempts: sql`${payeeAccounts.lookupAttempts} + 1`,
			nextLookupAt: sql`${now} + case ${payeeAccounts.lookupAttempts} when 0 then ${DELAYS_MS[0]} when 1 then ${DELAYS_MS[1]} else ${DELAYS_MS[2]} end`,
		})
		.where(
			sql`${payeeAccounts.id} in (select ${payeeAccount.id} from ${payeeAccounts} ${payeeAccount} where ${payeeAccount.nextLookupAt} <= ${now}
				${payeeId === undefined ? sql`` : sql`and ${payeeAccount.payeeId} = ${payeeId}`} order by ${payeeAccount.nextLookupAt} limit ${MOST_CONNECTIONS})`,
		)
		.returning();

/**
 * A one-time password has confirmed a transfer that was ordered at the time, unless the account's number has changed hands since then.
 * Nothing is decided on it that may not be stale, so the payee keeps its version: at worst another one-time password is asked.
 */
export const confirmAccount = (orm: Orm, accountId: string, orderedAt: number, now: number): Write =>
	orm
		.update(payeeAccounts)
		.set({ confirmedAt: now, holderChangedAt: null })
		.where(and(eq(payeeAccounts.id, accountId), sql`coalesce(${payeeAccounts.holderChangedAt}, 0) <= ${orderedAt}`));

/** The account's number has another holder than the linked user: nothing that was found of that user counts any more. */
export const changeHolder = (orm: Orm, { id, linkedUserId }: PayeeAccountRow, now: number): Write[] => [
	orm
		.update(payeeAccounts)
		.set({
			verification: "UNVERIFIED",
			resolvedName: null,
			verifiedAt: null,
			lookupAttempts: 0,
			nextLookupAt: null,
			linkedUserId: null,
			linkedUserTag: null,
			holderChangedAt: now,
			confirmedAt: null,
		})
		.where(and(eq(payeeAccounts.id, id), sql`${payeeAccounts.linkedUserId} is ${linkedUserId}`)),
	touchPayeeOf(id),
];
