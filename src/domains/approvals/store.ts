// Builds the statements on requests for approval.

import { and, asc, eq, getTableColumns, getTableName, lte, type SQL, Subquery, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isOneOf, qualified } from "../../db/columns";
import type { Effect, Orm } from "../../db/database";
import { guarded } from "../../db/guards";
import { indexedBy } from "../../db/indexed-by";
import { accountTransactions, creditAccounts } from "../credit-accounts/table";
import { currentAccounts } from "../current-accounts/table";
import { calledBy } from "../organizations/members/display.store";
import { APPROVAL_STATES, type ApprovalState } from "./lifecycle";
import { type ApprovalRow, type ApprovalType, approvals } from "./table";
import type { AccountAsked } from "./wire";

/** The request, if it is the organization's; null finds those of all. */
export const findApproval = (orm: Orm, id: string, organizationId: string | null) =>
	orm.select().from(approvals).where(isIt(id, organizationId));

const isIt = (id: string, organizationId: string | null): SQL | undefined =>
	and(eq(approvals.id, id), organizationId === null ? undefined : eq(approvals.organizationId, organizationId));

export const findShown = (orm: Orm, id: string, organizationId: string | null) => selectShown(orm).where(isIt(id, organizationId));

export const findShownAmong = (orm: Orm, ids: readonly string[], organizationId: string | null) =>
	selectShown(orm).where(
		and(isOneOf(approvals.id, ids), organizationId === null ? undefined : sql`+${approvals.organizationId} = ${organizationId}`),
	);

const transaction = alias(accountTransactions, "account_transaction");
const creditAccount = alias(creditAccounts, "credit_account");
const currentAccount = alias(currentAccounts, "current_account");

/** The subject of a request is in the same database. A held call names it in its path. */
const transactionId = sql`case ${approvals.entityType}
	when 'TRANSACTION' then ${approvals.entityId}
	when 'OPERATION' then coalesce(${approvals.payload} ->> '$.path.transactionId', ${approvals.payload} ->> '$.path.id') end`;
const accountId = sql`coalesce(
	case ${approvals.entityType} when 'ACCOUNT' then ${approvals.entityId} when 'OPERATION' then ${approvals.payload} ->> '$.path.accountId' end,
	(select ${transaction.accountId} from ${accountTransactions} ${transaction} where ${transaction.id} = ${transactionId}))`;

const accountOf = (table: typeof creditAccounts | typeof currentAccounts, account: typeof creditAccount | typeof currentAccount) =>
	qualified(
		sql`(select json_object('id', ${account.id}, 'number', ${account.accountNumber}, 'currency', ${account.currency}, 'userId', ${account.userId})
			from ${table} ${account} where ${account.id} = ${accountId})`,
	).mapWith((text: string) => JSON.parse(text) as AccountAsked);

/** The columns of a request that is shown, with what those who asked and decided are called, and what it is about. */
const shownColumns = {
	...getTableColumns(approvals),
	creditAccount: accountOf(creditAccounts, creditAccount).as("credit_account_asked"),
	currentAccount: accountOf(currentAccounts, currentAccount).as("current_account_asked"),
	transactionAmount: qualified(
		sql<
			number | null
		>`(select ${transaction.amount} from ${accountTransactions} ${transaction} where ${transaction.id} = ${transactionId})`,
	).as("transaction_amount"),
	userCurrency: qualified(
		sql<string | null>`(select ${creditAccount.currency} from ${creditAccounts} ${creditAccount}
			where ${creditAccount.userId} = case ${approvals.entityType} when 'USER' then ${approvals.entityId} end limit 1)`,
	).as("user_currency"),
	askerCalled: qualified(calledBy(approvals.organizationId, approvals.requestedBy)).as("asker_called"),
	deciderCalled: qualified(calledBy(approvals.organizationId, approvals.decidedBy)).as("decider_called"),
};

type Filter = {
	readonly entityId?: string | undefined;
	readonly type?: ApprovalType | undefined;
	readonly status?: ApprovalState | undefined;
};

/** Those that concern one entity are found by it, with any other filters. The indexes of types go by status too. */
export function selectShown(orm: Orm, { entityId, type, status }: Filter = {}) {
	const ofEntity = entityId === undefined ? undefined : indexedBy(approvals, "approvals_of_entity");
	const ofType = type !== undefined && status === undefined ? ofEachState : undefined;
	return orm.select(shownColumns).from(ofEntity ?? ofType ?? approvals);
}

/** SQLite merges the states in the order of the list. */
const ofEachState = new Subquery(
	sql.join(
		APPROVAL_STATES.map((status) => sql`select * from ${approvals} where ${approvals.status} = ${sql.raw(`'${status}'`)}`),
		sql` union all `,
	),
	{},
	getTableName(approvals),
);

/** The pending request of this type for the entity; there is at most one. */
export const findWaiting = (orm: Orm, approvalType: ApprovalType, entityId: string) =>
	orm
		.select()
		.from(approvals)
		.where(and(eq(approvals.entityId, entityId), eq(approvals.approvalType, approvalType), sql`${approvals.status} = 'PENDING'`));

export const findOverdue = (orm: Orm, now: number, limit: number) =>
	orm
		.select(getTableColumns(approvals))
		// Otherwise SQLite takes an index that goes by status, and sorts.
		.from(indexedBy(approvals, "approvals_expiry"))
		.where(and(sql`${approvals.status} = 'PENDING'`, lte(approvals.expiresAt, now)))
		.orderBy(asc(approvals.expiresAt))
		.limit(limit);

/** Ends a request once: not if it has been decided or has expired since it was read. */
export const end = (orm: Orm, { id }: ApprovalRow, change: Partial<ApprovalRow>, inTime: SQL): Effect =>
	guarded(
		orm
			.update(approvals)
			.set(change)
			.where(and(eq(approvals.id, id), sql`${approvals.status} = 'PENDING'`, inTime)),
	);
