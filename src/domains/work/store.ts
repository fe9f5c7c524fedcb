// Where the work of each kind is, and the statements that count and show it. Each kind has an index whose condition is the kind's own, in
// the order of the list, so that neither what is done nor the other kinds cost anything.

import { eq, type SQL, type Subquery, sql } from "drizzle-orm";
import { alias, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import { SharedSelect } from "../../db/keyset";
import { crowdedOrganizations, webhookEndpoints } from "../../events/table";
import { HOUR_MS, MINUTE_MS } from "../../shared/time";
import { approvals } from "../approvals/table";
import { creditAccounts } from "../credit-accounts/table";
import { activations } from "../current-accounts/activations/table";
import { closures } from "../current-accounts/closures/table";
import { custodianInstructions } from "../current-accounts/custodian/table";
import { currentAccounts } from "../current-accounts/table";
import { disbursements, HAS_NOT_ENDED, HAS_SECOND_RECEIPT, IS_CONTRADICTED } from "../disbursements/model/table";
import { authorizationSyncs } from "../organizations/authorization/table";
import { IS_NO_COLLEAGUE } from "../organizations/members/store";
import { portfolios } from "../portfolio/model/table";
import { IS_OPEN as IS_OPEN_BREAK, statementBreaks } from "../reconciliation/table";
import { darajaConfirmations, NEEDS_SOMEBODY } from "../repayments/recording/confirmations.table";
import { HAS_NOT_ENDED as HAS_NOT_RETURNED, paymentReturns } from "../repayments/returns/table";
import { OPERATORS } from "../repayments/store";
import { payments } from "../repayments/table";
import { transfers } from "../transfers/table";
import { users } from "../users/model/table";
import { deadLetters } from "../webhooks/table";
import type { WorkKind } from "./kinds.policy";
import { type Counted, MOST_COUNTED, type WorkRow } from "./wire";

/** Work that usually ends by itself is looked at once it has not ended for so long. */
const USUALLY_ENDED_MS = 10 * MINUTE_MS;

/** What a request for approval is about. */
const subject = alias(creditAccounts, "subject");
type Columns = { readonly [member in Exclude<keyof WorkRow, "id" | "since">]?: SQLiteColumn | SQL };

const made = (table: SQLiteTable | Subquery, id: SQLiteColumn, since: SQLiteColumn, more: Columns) => (orm: Orm) => {
	// D1 answers rows as objects, so each column has a name of its own.
	const of = <T>(member: keyof Columns) => sql<T>`${more[member] ?? sql`null`}`.as(member);
	return orm
		.select({
			id: sql<string>`${id}`.as("id"),
			since: sql<number>`${since}`.as("since"),
			organizationId: of<string | null>("organizationId"),
			userId: of<string | null>("userId"),
			accountId: of<string | null>("accountId"),
			amount: of<number | null>("amount"),
			currency: of<string | null>("currency"),
			state: of<string>("state"),
			reason: of<string | null>("reason"),
			reference: of<string | null>("reference"),
			attempts: of<number | null>("attempts"),
			nextAttemptAt: of<number | null>("nextAttemptAt"),
		})
		.from(table)
		.$dynamic();
};

type Where = {
	readonly id: SQLiteColumn;
	readonly since: SQLiteColumn;
	/** As in the kind's index. */
	readonly where: SQL;
	/** How long it may wait before it counts. */
	readonly afterMs?: number;
};

function source(table: SQLiteTable, { columns, afterMs = 0, ...where }: Where & { readonly columns: Columns }) {
	const rows = (from: SQLiteTable | Subquery) => made(from, where.id, where.since, columns);
	return { ...where, table, afterMs, rows, select: new SharedSelect(rows(table)) };
}
type Source = ReturnType<typeof source>;

const isOfPayout = {
	organizationId: disbursements.organizationId,
	userId: sql`${disbursements.destination} ->> 'userId'`,
	accountId: disbursements.accountId,
	amount: disbursements.amount,
	currency: disbursements.currency,
	state: disbursements.status,
};

export const SOURCES: { readonly [kind in WorkKind]: Source } = {
	WAITING_USER: source(users, {
		id: users.id,
		since: users.createdAt,
		where: sql`${users.status} = 'WAITING_LIST' and ${IS_NO_COLLEAGUE}`,
		columns: { organizationId: users.homeOrganizationId, userId: users.id, state: users.status },
	}),
	PAYMENT: source(payments, {
		id: payments.id,
		since: payments.createdAt,
		where: sql`${payments.status} = 'UNMATCHED'`,
		columns: {
			organizationId: sql`nullif(${payments.organizationId}, ${OPERATORS})`,
			amount: payments.amount,
			currency: payments.currency,
			state: payments.status,
			reason: payments.unmatchedReason,
			reference: payments.mobileMoneyTransactionId,
		},
	}),
	CONFIRMATION: source(darajaConfirmations, {
		id: darajaConfirmations.id,
		since: darajaConfirmations.createdAt,
		where: NEEDS_SOMEBODY,
		afterMs: HOUR_MS,
		columns: {
			organizationId: darajaConfirmations.organizationId,
			amount: sql`nullif(${darajaConfirmations.amount}, 0)`,
			currency: sql`'KES'`,
			state: sql`case when ${darajaConfirmations.contradictedAt} is not null then 'CONTRADICTED' else ${darajaConfirmations.status} end`,
			reason: darajaConfirmations.transactionId,
			attempts: darajaConfirmations.attempts,
			nextAttemptAt: sql`case when ${darajaConfirmations.status} = 'WAITING' then ${darajaConfirmations.nextAttemptAt} end`,
		},
	}),
	DISBURSEMENT: source(disbursements, {
		id: disbursements.id,
		since: disbursements.createdAt,
		where: HAS_NOT_ENDED,
		afterMs: USUALLY_ENDED_MS,
		columns: {
			...isOfPayout,
			attempts: disbursements.attempts,
			nextAttemptAt: sql`case when ${disbursements.status} = 'PENDING' or ${disbursements.provider} is not null then ${disbursements.nextAttemptAt} end`,
		},
	}),
	CONTRADICTION: source(disbursements, {
		id: disbursements.id,
		since: disbursements.contradictedAt,
		where: IS_CONTRADICTED,
		afterMs: USUALLY_ENDED_MS,
		columns: {
			...isOfPayout,
			reason: sql`coalesce(${disbursements.failureReason}, 'NOT_POSTED')`,
			nextAttemptAt: disbursements.bookAt,
		},
	}),
	SECOND_RECEIPT: source(disbursements, {
		id: disbursements.id,
		since: disbursements.secondReceiptAt,
		where: HAS_SECOND_RECEIPT,
		columns: { ...isOfPayout, reason: sql`${disbursements.secondReceipts} ->> '$[#-1].transaction'` },
	}),
	STATEMENT_BREAK: source(statementBreaks, {
		id: statementBreaks.id,
		since: statementBreaks.createdAt,
		where: IS_OPEN_BREAK,
		columns: {
			organizationId: statementBreaks.organizationId,
			amount: sql`abs(${statementBreaks.difference})`,
			currency: statementBreaks.currency,
			state: statementBreaks.kind,
			reason: statementBreaks.receipt,
			reference: sql`coalesce(${statementBreaks.receipt}, ${statementBreaks.reference})`,
		},
	}),
	TRANSFER: source(transfers, {
		id: transfers.id,
		since: transfers.createdAt,
		where: sql`${transfers.status} = 'PENDING'`,
		afterMs: USUALLY_ENDED_MS,
		columns: {
			organizationId: transfers.organizationId,
			userId: transfers.userId,
			accountId: transfers.accountId,
			amount: transfers.amount,
			currency: transfers.currency,
			state: sql`case when ${transfers.taken} then 'TAKEN' else ${transfers.status} end`,
			attempts: transfers.attempts,
			nextAttemptAt: transfers.nextAttemptAt,
		},
	}),
	RETURN: source(paymentReturns, {
		id: paymentReturns.id,
		since: paymentReturns.createdAt,
		where: HAS_NOT_RETURNED,
		afterMs: USUALLY_ENDED_MS,
		columns: {
			organizationId: paymentReturns.organizationId,
			accountId: paymentReturns.accountId,
			amount: paymentReturns.amount,
			currency: paymentReturns.currency,
			state: paymentReturns.status,
			reason: paymentReturns.failureReason,
			attempts: paymentReturns.attempts,
			nextAttemptAt: paymentReturns.nextAttemptAt,
		},
	}),
	ONBOARDING: source(currentAccounts, {
		id: currentAccounts.id,
		// An account that was refused and is submitted again waits again; nothing else changes a waiting account.
		since: currentAccounts.updatedAt,
		where: sql`${currentAccounts.walletOnboardingStatus} = 'SUBMITTED' and ${currentAccounts.status} <> 'CLOSED'`,
		columns: {
			organizationId: currentAccounts.organizationId,
			userId: currentAccounts.userId,
			accountId: currentAccounts.id,
			state: currentAccounts.walletOnboardingStatus,
		},
	}),
	ACTIVATION: source(activations, {
		id: activations.id,
		since: activations.otpConfirmedAt,
		where: sql`${activations.status} = 'OTP_CONFIRMED' and ${activations.completedAt} is null`,
		columns: { userId: activations.userId, accountId: activations.accountId, state: activations.status },
	}),
	CLOSURE: source(closures, {
		id: closures.id,
		since: closures.otpConfirmedAt,
		where: sql`${closures.status} = 'OTP_CONFIRMED'`,
		columns: { userId: closures.userId, accountId: closures.accountId, state: closures.status },
	}),
	CUSTODIAN: source(custodianInstructions, {
		id: custodianInstructions.id,
		since: custodianInstructions.createdAt,
		where: sql`${custodianInstructions.status} = 'PENDING'`,
		afterMs: USUALLY_ENDED_MS,
		columns: {
			state: custodianInstructions.status,
			reason: custodianInstructions.kind,
			attempts: custodianInstructions.attempts,
			nextAttemptAt: custodianInstructions.nextAttemptAt,
		},
	}),
	AUTHORIZATION_SYNC: source(authorizationSyncs, {
		id: authorizationSyncs.id,
		since: authorizationSyncs.createdAt,
		where: sql`${authorizationSyncs.reachedAt} is null`,
		afterMs: USUALLY_ENDED_MS,
		columns: {
			organizationId: authorizationSyncs.organizationId,
			userId: authorizationSyncs.userId,
			state: sql`iif(${authorizationSyncs.failure} is null, 'UNDER_WAY', 'FAILED')`,
			reason: authorizationSyncs.failure,
			attempts: authorizationSyncs.attempts,
			nextAttemptAt: sql`iif(${authorizationSyncs.failure} is null, null, ${authorizationSyncs.nextAttemptAt})`,
		},
	}),
	APPROVAL: source(approvals, {
		id: approvals.id,
		since: approvals.createdAt,
		where: sql`${approvals.status} = 'PENDING'`,
		columns: {
			organizationId: approvals.organizationId,
			userId: sql`coalesce((select ${subject.userId} from ${creditAccounts} ${subject} where ${subject.id} = ${approvals.entityId}), iif(+${approvals.entityType} = 'USER', ${approvals.entityId}, null))`,
			accountId: sql`iif(+${approvals.entityType} = 'ACCOUNT', ${approvals.entityId}, null)`,
			state: approvals.status,
			reason: approvals.approvalType,
		},
	}),
	ENDPOINT: source(webhookEndpoints, {
		id: webhookEndpoints.id,
		since: webhookEndpoints.troubledSince,
		where: sql`${webhookEndpoints.troubledSince} is not null`,
		columns: {
			organizationId: webhookEndpoints.organizationId,
			state: sql`case when ${webhookEndpoints.status} = 'SUSPENDED' then 'SUSPENDED' else 'FAILING' end`,
			reason: webhookEndpoints.suspensionReason,
			attempts: webhookEndpoints.failuresInRow,
		},
	}),
	PORTFOLIO: source(portfolios, {
		id: portfolios.id,
		since: portfolios.faultedAt,
		where: sql`${portfolios.fault} is not null`,
		columns: { organizationId: portfolios.organizationId, state: sql`'FAULT'`, reason: portfolios.fault },
	}),
	DEAD_LETTER: source(deadLetters, {
		id: deadLetters.id,
		since: deadLetters.createdAt,
		where: sql`true`,
		columns: { organizationId: deadLetters.organizationId, state: deadLetters.lane },
	}),
	QUOTA: source(crowdedOrganizations, {
		id: crowdedOrganizations.id,
		since: crowdedOrganizations.since,
		where: sql`true`,
		columns: { organizationId: crowdedOrganizations.id, state: crowdedOrganizations.state },
	}),
};

/** Until when work of the kind must have begun to wait. */
export const waitsSince = (kind: WorkKind, now: number): number => now - SOURCES[kind].afterMs;

/** How much of the kind waits, up to one more than is counted, and since when the oldest does. */
export function countWork(orm: Orm, kind: WorkKind, now: number) {
	const { table, id, since, where } = SOURCES[kind];
	return orm.all<Counted>(sql`
		select count(*) as "count", min(since) as "oldest" from (
			select ${since} as since from ${table} where ${where} and ${since} <= ${waitsSince(kind, now)} order by ${since}, ${id} limit ${MOST_COUNTED + 1})`);
}

/** One piece of work. */
export const findWork = (kind: WorkKind, workId: string, now: number) => {
	const { id, since, where, select } = SOURCES[kind];
	return select.page({ at: since, id }, false, sql`${where} and ${since} <= ${waitsSince(kind, now)} and ${eq(id, workId)}`, 1);
};
