// Finds payees, and builds the writes that change them. Every change of a payee or of its accounts raises the payee's version, and is
// refused as stale when the version has moved since it was read.

import { and, eq, getTableColumns, inArray, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Effect, Orm, Write } from "../../db/database";
import { guarded, orStaleUnless } from "../../db/guards";
import { prebuilt } from "../../db/prebuilt";
import { type Expired, expired } from "../../db/purge";
import type { Services } from "../../runtime/services";
import { tooManyRequests } from "../../shared/errors";
import { DAY_MS } from "../../shared/time";
import { type Combination, DAILY_QUOTA, dayOf, MAX_PAYEES, type Use, waitForQuota } from "./policy";
import { type PayeeAccountRow, type PayeeRow, payeeAccounts, payeeQuotas, payees } from "./table";

/** One statement each for the payee and its accounts, if it is the user's. */
export const findPayee = (orm: Orm, id: string, userId: string) =>
	[
		orm
			.select()
			.from(payees)
			.where(and(eq(payees.id, id), eq(payees.userId, userId))),
		orm
			.select()
			.from(payeeAccounts)
			.where(and(eq(payeeAccounts.payeeId, id), eq(payeeAccounts.userId, userId))),
	] as const;

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
		.where(and(eq(payeeQuotas.userId, userId), eq(payeeQuotas.day, dayOf(now))));

/** The write that counts a use of today's quota. Throws TOO_MANY_REQUESTS when the quota does not allow it. */
export function countUse({ db, now, config }: Services, userId: string, used: Use | undefined, use: Use): Write[] {
	if (config.RATE_LIMITS === "off") return [];
	const waitMs = waitForQuota(used ?? { payees: 0, lookups: 0 }, use, now);
	if (waitMs > 0) throw tooManyRequests(waitMs / 1000);
	return [
		guarded(
			db.orm
				.insert(payeeQuotas)
				.values({ userId, day: dayOf(now), ...use })
				.onConflictDoUpdate({
					target: [payeeQuotas.userId, payeeQuotas.day],
					set: { payees: sql`payees + ${use.payees}`, lookups: sql`lookups + ${use.lookups}` },
					setWhere: sql`payees + ${use.payees} <= ${DAILY_QUOTA.payees} and lookups + ${use.lookups} <= ${DAILY_QUOTA.lookups}`,
				}),
		),
	];
}

export const expiredQuotas = (orm: Orm, now: number): Expired =>
	expired(orm, payeeQuotas, { key: [payeeQuotas.userId, payeeQuotas.day], by: payeeQuotas.day, before: dayOf(now - 2 * DAY_MS) });

type Change = Partial<Pick<PayeeRow, "label" | "isFavorite" | "isBlocked" | "blockReasons" | "blockDetails">>;

/** The changed payee, and the write that stores it. */
export function changePayee(
	{ db, now }: Pick<Services, "db" | "now">,
	seen: PayeeRow,
	change: Change = {},
): { payee: PayeeRow; write: Effect } {
	const payee = { ...seen, ...change, version: seen.version + 1, updatedAt: now };
	return {
		payee,
		write: guarded(
			db.orm
				.update(payees)
				.set({ ...change, version: payee.version, updatedAt: now })
				.where(unchanged(seen)),
		),
	};
}

const unchanged = ({ id, version }: PayeeRow) => and(eq(payees.id, id), eq(payees.version, version));

export const removePayee = ({ db }: Services, seen: PayeeRow): Write[] => [
	guarded(db.orm.delete(payees).where(unchanged(seen))),
	db.orm.delete(payeeAccounts).where(eq(payeeAccounts.payeeId, seen.id)),
];

/** Moves the source's accounts to the target and deletes the source. */
export function combineInto(
	services: Services,
	source: PayeeRow,
	target: PayeeRow,
	{ payee, joined }: Combination<PayeeRow, PayeeAccountRow>,
): { payee: PayeeRow; writes: Write[] } {
	const { db } = services;
	const { isFavorite, isBlocked, blockReasons, blockDetails } = payee;
	const changed = changePayee(services, target, { isFavorite, isBlocked, blockReasons, blockDetails });
	const doubles = joined.map(({ double }) => double.id);
	return {
		payee: changed.payee,
		writes: [
			changed.write,
			guarded(db.orm.delete(payees).where(unchanged(source))),
			...joined.map(({ kept: { id, ...columns } }) => guarded(db.orm.update(payeeAccounts).set(columns).where(eq(payeeAccounts.id, id)))),
			...(doubles.length > 0 ? [db.orm.delete(payeeAccounts).where(inArray(payeeAccounts.id, doubles))] : []),
			db.orm.update(payeeAccounts).set({ payeeId: target.id }).where(eq(payeeAccounts.payeeId, source.id)),
		],
	};
}

const { placeholder } = sql;

const accountOfUser = prebuilt((orm) =>
	orm
		.select({
			...getTableColumns(payeeAccounts),
			payeeIsBlocked: sql<number>`(select p.is_blocked from ${payees} p where p.id = payee_accounts.payee_id)`.as("payee_is_blocked"),
		})
		.from(payeeAccounts)
		.where(and(eq(payeeAccounts.id, placeholder("accountId")), eq(payeeAccounts.userId, placeholder("userId")))),
);

/** An account of one of the user's payees, and whether the user has blocked that payee. */
export const findPayeeAccount = (accountId: string, userId: string) => accountOfUser({ accountId, userId });

type Text = string | Placeholder | SQL;

/** Whether the user has blocked a payee that is linked to the sender, or that has the sender's number. */
export const blocksSender = (userId: Text, senderId: Text, senderNumber: Text | null): SQL =>
	sql`exists (select 1 from ${payees} p join ${payeeAccounts} a on a.payee_id = p.id where p.user_id = ${userId} and p.is_blocked
		and (a.linked_user_id = ${senderId} or (a.type = 'SEND_MONEY' and a.identifier = ${senderNumber})))`;

const addUse = prebuilt((orm) =>
	orm
		.update(payeeAccounts)
		.set({ transactionCount: sql`transaction_count + 1`, lastUsedAt: sql`${placeholder("now")}` })
		.where(eq(payeeAccounts.id, placeholder("accountId"))),
);
const touchPayee = prebuilt((orm) =>
	orm
		.update(payees)
		.set({ version: sql`version + 1` })
		.where(sql`${payees.id} = (select a.payee_id from ${payeeAccounts} a where a.id = ${placeholder("accountId")})`),
);

/** Counts a transfer to the account, if it still exists. */
export const countUseOf = (accountId: string, now: number): Write[] => [addUse({ accountId, now }), touchPayeeOf(accountId)];

/** Raises the version of an account's payee. Belongs to every change of the account. */
export const touchPayeeOf = (accountId: string): Write => touchPayee({ accountId });
