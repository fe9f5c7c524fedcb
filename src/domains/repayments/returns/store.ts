// Builds the statements on returns of money.

import { and, eq, inArray, lte, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm, Statement } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { insertOf } from "../../../db/prebuilt";
import { paymentConnections } from "../../connections/model/table";
import { INQUIRE_AFTER_MS } from "../../disbursements/model/lifecycle";
import { ORDERING_STATES } from "./lifecycle";
import { HAS_NOT_ENDED, paymentReturns, type ReturnRow } from "./table";

const paymentConnection = alias(paymentConnections, "payment_connection");
const paymentReturn = alias(paymentReturns, "payment_return");

const isOf = (id: string) => eq(paymentReturns.id, id);
const isBeingOrdered = inArray(paymentReturns.status, ORDERING_STATES);

export const findReturn = (orm: Orm, id: string) => orm.select().from(paymentReturns).where(isOf(id));

/** The returns of the payments that the subquery selects. */
export const findReturnsOf = (orm: Orm, payments: SQL) => orm.select().from(paymentReturns).where(sql`${paymentReturns.id} in ${payments}`);

/** To the present account of the connection: an account that it had before gives nothing back. */
const openBy = ({ organizationId, provider }: Pick<ReturnRow, "organizationId" | "provider">): SQL => sql`
	from ${paymentConnections} ${paymentConnection} join ${paymentReturns} ${paymentReturn} indexed by payment_returns_due
		on ${paymentReturn.nextAttemptAt} is not null and ${paymentReturn.organizationId} = ${paymentConnection.organizationId} and ${paymentReturn.provider} = ${paymentConnection.provider} and ${paymentReturn.shortCode} = ${paymentConnection.shortCode}
	where ${paymentConnection.organizationId} = ${organizationId} and ${paymentConnection.provider} = ${provider}`;

/** A return by the connection that is being ordered. */
export const findOpenReturnBy = (orm: Orm, connection: Parameters<typeof openBy>[0]) =>
	orm.all<{ id: string }>(sql`select ${paymentReturn.id} as "id" ${openBy(connection)} limit 1`);

/** As a condition of a commit: there is none. */
export const hasNoReturnOpenBy = (connection: Parameters<typeof openBy>[0]): SQL => sql`not exists (select 1 ${openBy(connection)})`;

export const insertReturn = insertOf(paymentReturns);

export const findDueReturns = (orm: Orm, now: number, limit: number) =>
	orm
		.select()
		.from(paymentReturns)
		.where(and(sql`${paymentReturns.nextAttemptAt} is not null`, lte(paymentReturns.nextAttemptAt, now)))
		.orderBy(paymentReturns.nextAttemptAt)
		.limit(limit);

/** The provider has it, and its result usually comes. */
export const markTaken = (orm: Orm, id: string, now: number): Statement =>
	orm
		.update(paymentReturns)
		.set({ status: "TAKEN", nextAttemptAt: now + INQUIRE_AFTER_MS })
		.where(and(isOf(id), eq(paymentReturns.status, "PENDING")));

/** Nothing of the last attempt has reached the provider. */
export const markHarmless = (orm: Orm, id: string): Statement =>
	orm
		.update(paymentReturns)
		.set({ harmlessAttempts: sql`${paymentReturns.harmlessAttempts} + 1` })
		.where(and(isOf(id), isBeingOrdered));

/** As a condition of a commit: nobody has ended it, or said that it failed. */
export const isStillBeingOrdered = (id: string): SQL =>
	sql`exists (select 1 from ${paymentReturns} ${paymentReturn} where ${paymentReturn.id} = ${id} and ${paymentReturn.status} in ('PENDING', 'TAKEN'))`;

/** The same, and no attempt but the last may have reached the provider. */
export const isOnlyAttempt = (id: string): SQL =>
	sql`exists (select 1 from ${paymentReturns} ${paymentReturn} where ${paymentReturn.id} = ${id} and ${paymentReturn.status} in ('PENDING', 'TAKEN')
		and ${paymentReturn.attempts} - ${paymentReturn.harmlessAttempts} = 1)`;

export const endFailed = (orm: Orm, id: string, failureReason: string, when: SQL): Statement =>
	orm
		.update(paymentReturns)
		.set({ status: "FAILED", failureReason, nextAttemptAt: null })
		.where(and(isOf(id), when));

/** As a condition of a commit: it is not known that the payer has the money. */
export const isNotReturned = (id: string): SQL =>
	sql`exists (select 1 from ${paymentReturns} ${paymentReturn} where ${paymentReturn.id} = ${id} and ${paymentReturn.status} <> 'RETURNED')`;

/** As a condition of a commit: it is given up, and the payer has not got the money after all. */
export const isGivenUp = (id: string): SQL =>
	sql`exists (select 1 from ${paymentReturns} ${paymentReturn} where ${paymentReturn.id} = ${id} and ${paymentReturn.status} = 'GIVEN_UP')`;

export const endReturned = (orm: Orm, id: string, transactionId: string | null, now: number): Statement =>
	orm
		.update(paymentReturns)
		.set({ status: "RETURNED", transactionId, failureReason: null, nextAttemptAt: null, endedAt: now })
		.where(and(isOf(id), ne(paymentReturns.status, "RETURNED")));

export const keepContradiction = (orm: Orm, id: string, contradiction: string): Statement =>
	orm.update(paymentReturns).set({ contradiction }).where(isOf(id));

/** Has the order sent at once, and a failed one again. Stale when it has ended meanwhile. */
export const retryReturn = (orm: Orm, id: string, now: number): Effect =>
	guarded(
		orm
			.update(paymentReturns)
			.set({
				status: sql`case when ${paymentReturns.status} = 'FAILED' then 'PENDING' else ${paymentReturns.status} end`,
				failureReason: null,
				nextAttemptAt: now,
			})
			.where(and(isOf(id), HAS_NOT_ENDED)),
	);

/** Stale when it has ended meanwhile. */
export const endGivenUp = (orm: Orm, id: string, givenUpReason: string, now: number): Effect =>
	guarded(
		orm
			.update(paymentReturns)
			.set({ status: "GIVEN_UP", givenUpReason, nextAttemptAt: null, endedAt: now })
			.where(and(isOf(id), HAS_NOT_ENDED)),
	);
