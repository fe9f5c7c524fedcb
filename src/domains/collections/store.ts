// The statements on follow-ups, on who looks after what, and on the call list.

import { and, asc, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm } from "../../db/database";
import { guarded } from "../../db/guards";
import { type Expired, expired } from "../../db/purge";
import { DAY_MS } from "../../shared/time";
import { LOOKED } from "../accounts/store";
import { accountTransactions, creditAccounts } from "../credit-accounts/table";
import { organizationMembers } from "../organizations/table";
import { users } from "../users/model/table";
import { ENDS, type FollowUpRow, followUps, workOwners } from "./table";

const latest = alias(followUps, "latest");
const owner = alias(workOwners, "owner");
const eachMember = alias(organizationMembers, "each_member");
const payment = alias(accountTransactions, "payment");
const reversal = alias(accountTransactions, "reversal");
const creditAccount = alias(creditAccounts, "credit_account");

/** The loan, if it is the organization's and was ever paid out. */
export const findLoan = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select({
			id: creditAccounts.id,
			userId: creditAccounts.userId,
			currency: creditAccounts.currency,
			status: creditAccounts.status,
			lastPosition: creditAccounts.lastPosition,
			earliestDue: creditAccounts.earliestDue,
			terms: creditAccounts.terms,
		})
		.from(creditAccounts)
		.where(
			and(
				eq(creditAccounts.id, id),
				sql`+${creditAccounts.organizationId} = ${organizationId}`,
				sql`${creditAccounts.status} <> 'PENDING'`,
			),
		);

export const findCustomer = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select({ id: users.id })
		.from(users)
		.where(and(eq(users.id, id), sql`+${users.homeOrganizationId} = ${organizationId}`));

export const findFollowUp = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select()
		.from(followUps)
		.where(and(eq(followUps.id, id), sql`+${followUps.organizationId} = ${organizationId}`));

/** Of a loan there is at most one: another replaces it. */
export const withdrawOpen = (orm: Orm, accountId: string): Effect => ({
	statements: [
		orm
			.update(followUps)
			.set({ status: "WITHDRAWN", checkAt: null })
			.where(and(eq(followUps.accountId, accountId), eq(followUps.status, "OPEN"))),
	],
});

export const withdraw = (orm: Orm, { id }: FollowUpRow): Effect =>
	guarded(
		orm
			.update(followUps)
			.set({ status: "WITHDRAWN", checkAt: null })
			.where(and(eq(followUps.id, id), eq(followUps.status, "OPEN"))),
	);

export const findEndedPromises = (orm: Orm, now: number, most: number) =>
	orm
		.select({ id: followUps.id })
		.from(followUps)
		.where(and(isNotNull(followUps.checkAt), lte(followUps.checkAt, now)))
		.orderBy(asc(followUps.checkAt))
		.limit(most);

/** What was paid on the account after the promise and by its day, without what was reversed. */
const paid: SQL = sql`coalesce((
		select sum(${payment.amount}) from ${accountTransactions} ${payment}
		where ${payment.accountId} = ${followUps.accountId} and ${payment.position} > ${followUps.position} and ${payment.kind} = 'REPAYMENT' and ${payment.valueDate} <= ${followUps.day}
	), 0) - coalesce((
		select sum(${reversal.amount}) from ${accountTransactions} ${reversal} cross join ${accountTransactions} ${payment} on ${payment.id} = ${reversal.reversesId}
		where ${reversal.accountId} = ${followUps.accountId} and ${reversal.position} > ${followUps.position} and ${reversal.kind} = 'REVERSAL'
			and ${payment.position} > ${followUps.position} and ${payment.kind} = 'REPAYMENT' and ${payment.valueDate} <= ${followUps.day}
	), 0)`;

/** Nothing is left to be paid. */
const isRepaid: SQL = sql`exists (
	select 1 from ${creditAccounts} ${creditAccount}
	where ${creditAccount.id} = ${followUps.accountId} and ${creditAccount.principalOutstanding} = 0 and ${creditAccount.earliestDue} is null)`;

/** Each that is still open is kept or broken. */
export const settlePromises = (orm: Orm, ids: readonly string[]) =>
	orm
		.update(followUps)
		.set({ status: sql`case when ${paid} >= ${followUps.amount} or ${isRepaid} then 'KEPT' else 'BROKEN' end`, checkAt: null })
		.where(and(sql`${followUps.id} in (select value from json_each(${JSON.stringify(ids)}))`, eq(followUps.status, "OPEN")));

export const findOwner = (orm: Orm, organizationId: string, subjectId: string) =>
	orm
		.select({ ownerId: workOwners.ownerId })
		.from(workOwners)
		.where(and(eq(workOwners.organizationId, organizationId), eq(workOwners.subjectId, subjectId)));

/** Who looks after which of these, and after no other. Who is no member any more looks after nothing. */
export const findOwners = (orm: Orm, organizationId: string, subjectIds: readonly string[]) =>
	orm.all<Pick<typeof workOwners.$inferSelect, "subjectId" | "kind" | "ownerId">>(sql`
		select ${owner.subjectId} as "subjectId", ${owner.kind} as "kind", ${owner.ownerId} as "ownerId"
		from json_each(${JSON.stringify(subjectIds)}) named
			cross join ${workOwners} ${owner} on ${owner.organizationId} = ${organizationId} and ${owner.subjectId} = named.value
		where exists (select 1 from ${organizationMembers} ${eachMember} where ${eachMember.organizationId} = ${organizationId}
			and ${eachMember.userId} = ${owner.ownerId} and ${eachMember.removedAt} is null)`);

/** By then it has ended, or is not looked after any more. */
const KEPT_MS = 90 * DAY_MS;

export const expiredOwners = (orm: Orm, now: number): Expired =>
	expired(orm, workOwners, {
		key: [workOwners.organizationId, workOwners.subjectId],
		by: workOwners.assignedAt,
		before: now - KEPT_MS,
		only: ENDS,
	});

export const assignTo = (orm: Orm, row: typeof workOwners.$inferInsert) =>
	orm
		.insert(workOwners)
		.values(row)
		.onConflictDoUpdate({
			target: [workOwners.organizationId, workOwners.subjectId],
			set: { ownerId: row.ownerId, assignedAt: row.assignedAt },
		});

export const assignToNobody = (orm: Orm, organizationId: string, subjectId: string) =>
	orm.delete(workOwners).where(and(eq(workOwners.organizationId, organizationId), eq(workOwners.subjectId, subjectId)));

/** Of the account that is looked at. */
const latestPromise = (column: SQL): SQL =>
	sql`(select ${column} from ${followUps} ${latest} where ${latest.accountId} = ${LOOKED.id} and ${latest.type} = 'PROMISE' order by ${latest.createdAt} desc, ${latest.id} desc limit 1)`;
const ownerOf = (organizationId: string): SQL =>
	sql`(select ${owner.ownerId} from ${workOwners} ${owner} where ${owner.organizationId} = ${organizationId} and ${owner.subjectId} = ${LOOKED.id})`;

export type CallRow = {
	readonly id: string;
	/** The day on which the oldest installment was due that is not paid. */
	readonly at: string;
	readonly accountNumber: string;
	readonly userId: string;
	readonly currency: string;
	readonly principalOutstanding: number;
	readonly ownerId: string | null;
	/** The latest promise. */
	readonly amount: number | null;
	readonly day: string | null;
	readonly status: FollowUpRow["status"];
	readonly contactAt: number | null;
};

/** The columns of the call list, without those of its order. */
export const callColumns = (organizationId: string): SQL => sql`${LOOKED.accountNumber} as "accountNumber", ${LOOKED.userId} as "userId",
	${LOOKED.currency} as "currency", ${LOOKED.principalOutstanding} as "principalOutstanding", ${ownerOf(organizationId)} as "ownerId",
	${latestPromise(sql`${latest.amount}`)} as "amount", ${latestPromise(sql`${latest.day}`)} as "day", ${latestPromise(sql`${latest.status}`)} as "status",
	(select ${latest.createdAt} from ${followUps} ${latest} where ${latest.accountId} = ${LOOKED.id}
		order by ${latest.createdAt} desc limit 1) as "contactAt"`;

export type CallFilter = { readonly owner: string | undefined; readonly promise: "NONE" | "OPEN" | "BROKEN" | undefined };

export const callConditions = (organizationId: string, { owner: wanted, promise }: CallFilter): readonly SQL[] => [
	...(wanted === undefined
		? []
		: [wanted === "NONE" ? sql`${ownerOf(organizationId)} is null` : sql`${ownerOf(organizationId)} = ${wanted}`]),
	...(promise === undefined
		? []
		: [
				promise === "NONE"
					? sql`${latestPromise(sql`${latest.status}`)} is not 'OPEN'`
					: sql`${latestPromise(sql`${latest.status}`)} = ${promise}`,
			]),
];
