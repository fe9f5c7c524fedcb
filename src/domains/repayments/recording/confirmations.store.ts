// Builds the statements on confirmations that wait to be verified.

import { and, eq, getTableColumns, inArray, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { countAttempt } from "../../../db/attempts";
import { assign, bareList, excluded, isOneOf } from "../../../db/columns";
import type { Effect, Orm, Statement } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { insertOnceOf, prebuilt } from "../../../db/prebuilt";
import { type Expired, expired } from "../../../db/purge";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../shared/time";
import { paymentConnections } from "../../connections/model/table";
import { COUNTS, payments } from "../table";
import { type ConfirmationRow, darajaConfirmations, IS_OVER } from "./confirmations.table";

const darajaConfirmation = alias(darajaConfirmations, "daraja_confirmation");
const payment = alias(payments, "payment");

const { placeholder } = sql;

const IS_WAITING = sql`${darajaConfirmations.status} = 'WAITING'`;

/** After the first question, the second and the third; later ones come hourly. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
export const askedAgainAfter = (attempts: number): number => DELAYS_MS[attempts - 1] ?? HOUR_MS;

const KEPT_MS = 30 * DAY_MS;

type Claim = Pick<ConfirmationRow, "organizationId" | "transactionId" | "amount">;

export const findConfirmationOf = (claim: Claim) => confirmationOf(claim);
const confirmationOf = prebuilt((orm) =>
	orm
		.select()
		.from(darajaConfirmations)
		.where(
			and(
				eq(darajaConfirmations.organizationId, placeholder("organizationId")),
				eq(darajaConfirmations.transactionId, placeholder("transactionId")),
				eq(darajaConfirmations.amount, placeholder("amount")),
			),
		),
);

/** What is known of the transactions: what is claimed of each, and the payment that is recorded. */
export const findKnownOf = (orm: Orm, organizationId: string, transactionIds: readonly string[]) => ({
	told: orm
		.select()
		.from(darajaConfirmations)
		.where(and(eq(darajaConfirmations.organizationId, organizationId), isOneOf(darajaConfirmations.transactionId, transactionIds))),
	recorded: orm
		.select()
		.from(payments)
		.where(and(eq(payments.organizationId, organizationId), isOneOf(payments.mobileMoneyTransactionId, transactionIds), COUNTS)),
});

export const findConfirmation = (id: string) => confirmationById({ id });
const BY_ID = eq(darajaConfirmations.id, placeholder("id"));
const confirmationById = prebuilt((orm) => orm.select().from(darajaConfirmations).where(BY_ID));

/** The organization that received it, as a subquery. */
export const organizationOfConfirmation = (id: string): SQL =>
	sql`(select ${darajaConfirmation.organizationId} from ${darajaConfirmations} ${darajaConfirmation} where ${darajaConfirmation.id} = ${id})`;

/** Each with the state of its connection; nulls where that is gone. */
export const findDueConfirmations = (orm: Orm, now: number, limit: number) =>
	orm
		.select({
			...getTableColumns(darajaConfirmations),
			connectionStatus: sql<"ACTIVE" | "PAUSED" | null>`${paymentConnections.status}`.as("connection_status"),
			pausedReason: paymentConnections.pausedReason,
			pausedUntil: paymentConnections.pausedUntil,
			connectionUpdatedAt: paymentConnections.updatedAt,
		})
		.from(darajaConfirmations)
		.leftJoin(
			paymentConnections,
			and(eq(paymentConnections.organizationId, darajaConfirmations.organizationId), eq(paymentConnections.provider, "daraja")),
		)
		.where(and(IS_WAITING, lte(darajaConfirmations.nextAttemptAt, now)))
		.orderBy(darajaConfirmations.nextAttemptAt)
		.limit(limit);

export type DueConfirmation = Awaited<ReturnType<typeof findDueConfirmations>>[number];

/** Keeps it unless the transaction is known. */
export const keep = insertOnceOf(darajaConfirmations);

/** Keeps the hints whose confirmation and payment are both unknown, in any number. */
export const keepUnknown = (orm: Orm, rows: readonly ConfirmationRow[]): Statement =>
	orm.run(sql`insert into ${darajaConfirmations} (${bareList(
		darajaConfirmations.id,
		darajaConfirmations.organizationId,
		darajaConfirmations.transactionId,
		darajaConfirmations.amount,
		darajaConfirmations.sealed,
		darajaConfirmations.status,
		darajaConfirmations.attempts,
		darajaConfirmations.nextAttemptAt,
		darajaConfirmations.createdAt,
		darajaConfirmations.cause,
	)})
		select value ->> 'id', value ->> 'organizationId', value ->> 'transactionId', value ->> 'amount', value ->> 'sealed', value ->> 'status',
			value ->> 'attempts', value ->> 'nextAttemptAt', value ->> 'createdAt', value ->> 'cause'
		from json_each(${JSON.stringify(rows)})
		where not exists (select 1 from ${payments} ${payment}
			where ${payment.organizationId} = value ->> 'organizationId' and ${payment.mobileMoneyTransactionId} = value ->> 'transactionId'
				and ${payment.movedAsId} is null)
		on conflict (${bareList(darajaConfirmations.organizationId, darajaConfirmations.transactionId, darajaConfirmations.amount)}) do update
			set ${assign(darajaConfirmations, {
				status: "WAITING",
				askedSince: excluded(darajaConfirmations.createdAt),
				nextAttemptAt: excluded(darajaConfirmations.nextAttemptAt),
			})} where ${darajaConfirmations.status} = 'LAPSED'`);

/** Asks again about a confirmation that has ended without a payment. */
export const askAgain = (orm: Orm, id: string, now: number): Effect =>
	guarded(
		orm
			.update(darajaConfirmations)
			.set({ status: "WAITING", askedSince: now, nextAttemptAt: now })
			.where(and(eq(darajaConfirmations.id, id), inArray(darajaConfirmations.status, ["WAITING", "LAPSED", "REFUTED", "OTHER_SHORTCODE"]))),
	);

/** Keeps that something else is known of the same transaction. */
export const contradict = (id: string, now: number): Statement => contradicted({ id, now });
const contradicted = prebuilt((orm) =>
	orm
		.update(darajaConfirmations)
		.set({ contradictedAt: sql`coalesce(${darajaConfirmations.contradictedAt}, ${placeholder("now")})` })
		.where(BY_ID),
);

/** Somebody has seen to it. Stale if it has changed since. */
export const dismiss = (orm: Orm, { id, status }: ConfirmationRow): Effect =>
	guarded(
		orm
			.update(darajaConfirmations)
			.set({ status: "DISMISSED", contradictedAt: null })
			.where(and(eq(darajaConfirmations.id, id), eq(darajaConfirmations.status, status))),
	);

/** Counts the question that follows the commit. Stale when somebody else asks, or it has ended. */
export const countQuestion = (orm: Orm, row: ConfirmationRow, now: number): Effect =>
	countAttempt(orm, darajaConfirmations, row, {
		next: now + askedAgainAfter(row.attempts + 1),
		open: eq(darajaConfirmations.status, "WAITING"),
	});

export const endConfirmation = (id: string, status: Exclude<ConfirmationRow["status"], "WAITING">): Statement => ended({ id, status });
const ended = prebuilt((orm) =>
	orm
		.update(darajaConfirmations)
		.set({ status: sql`${placeholder("status")}` })
		.where(and(BY_ID, eq(darajaConfirmations.status, "WAITING"))),
);

/** Those that have ended and that nobody needs to look at; their payments are recorded elsewhere. */
export const expiredConfirmations = (orm: Orm, now: number): Expired =>
	expired(orm, darajaConfirmations, {
		key: [darajaConfirmations.id],
		by: darajaConfirmations.createdAt,
		before: now - KEPT_MS,
		only: IS_OVER,
	});
