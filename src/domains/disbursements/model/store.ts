// Builds the statements on payouts.

import { and, eq, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { countAttempt } from "../../../db/attempts";
import type { Effect, Orm, Statement, Write } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { delayAfter } from "../../../shared/backoff";
import type { PaymentProvider } from "../../../shared/payment-providers";
import { paymentConnections } from "../../connections/model/table";
import { OPEN_STATES } from "./lifecycle";
import { type DisbursementRow, disbursements, IS_ASKED, IS_OPEN, type SecondReceipt } from "./table";

const disbursement = alias(disbursements, "disbursement");

/** Payouts of the account that are on their way. */
export const findPending = (orm: Orm, accountId: string) =>
	orm
		.select({ id: disbursements.id })
		.from(disbursements)
		.where(and(eq(disbursements.accountId, accountId), sql`${disbursements.status} in ('PENDING', 'ACCEPTED')`));

/** The account of a disbursement, as a subquery. */
export const accountOfDisbursement = (id: string) =>
	sql`(select ${disbursement.accountId} from ${disbursements} ${disbursement} where ${disbursement.id} = ${id})`;

export const findDisbursement = (orm: Orm, id: string) => orm.select().from(disbursements).where(eq(disbursements.id, id));

/** Claims the attempt that follows the commit. Stale when another sweep has counted it, or the report has arrived. */
export const claimAttempt = (
	orm: Orm,
	{ reference, attempts }: { readonly reference: string; readonly attempts: number },
	now: number,
): Effect =>
	countAttempt(
		orm,
		disbursements,
		{ id: reference, attempts },
		{
			next: now + delayAfter(attempts + 1),
			open: eq(disbursements.status, "PENDING"),
			// A payout that is harmless so far may be paid from now on.
			also: {
				toldAt: sql`case when ${disbursements.harmlessAttempts} = ${disbursements.attempts} then ${now} else ${disbursements.toldAt} end`,
			},
		},
	);

const isPending = (id: string) => and(eq(disbursements.id, id), eq(disbursements.status, "PENDING"));

/** The disburser has it. `next`: when it is asked for the first time, where a connection pays. */
export const markTaken = (orm: Orm, id: string, next: number): Statement =>
	orm
		.update(disbursements)
		.set({
			status: "ACCEPTED",
			nextAttemptAt: sql`case when ${disbursements.provider} is null then ${disbursements.nextAttemptAt} else ${next} end`,
		})
		.where(isPending(id));

/** Nothing of the last attempt has reached the provider. */
export const markHarmless = (orm: Orm, id: string): Statement =>
	orm
		.update(disbursements)
		.set({ harmlessAttempts: sql`${disbursements.harmlessAttempts} + 1` })
		.where(isPending(id));

/** The provider will never pay the last attempt. That ends the payout if no other attempt may have been paid. */
export const markRefused = (orm: Orm, id: string, refusal: string, now: number): Statement =>
	orm
		.update(disbursements)
		.set({ refusal, nextAttemptAt: now })
		.where(and(isPending(id), sql`${disbursements.attempts} - ${disbursements.harmlessAttempts} = 1`));

/** Makes a payout due that a provider has: its result has decided nothing. */
export const askSoon = (orm: Orm, id: string, now: number): Statement =>
	orm
		.update(disbursements)
		.set({ status: "ACCEPTED", nextAttemptAt: now })
		.where(and(eq(disbursements.id, id), inArray(disbursements.status, OPEN_STATES)));

type Asked = { readonly reference: string; readonly status: "PENDING" | "ACCEPTED" | "FAILED"; readonly nextAttemptAt: number };

/** Claims the inquiry that follows the commit. Stale when another sweep makes it, or the report has arrived. */
export const claimInquiry = (orm: Orm, { reference, status, nextAttemptAt }: Asked, next: number): Write =>
	guarded(
		orm
			.update(disbursements)
			.set({ nextAttemptAt: next })
			.where(and(eq(disbursements.id, reference), eq(disbursements.status, status), eq(disbursements.nextAttemptAt, nextAttemptAt))),
	);

type Connection = { readonly organizationId: string; readonly provider: PaymentProvider };
const isOpenBy = ({ organizationId, provider }: Connection) =>
	and(IS_OPEN, eq(disbursements.organizationId, organizationId), eq(disbursements.provider, provider));

/** Whether payouts by the connection of the row around it are open. */
export const hasOpenBy: SQL<number> = sql`exists (select 1 from ${disbursements} where ${IS_OPEN}
	and ${disbursements.organizationId} = ${paymentConnections.organizationId} and ${disbursements.provider} = ${paymentConnections.provider})`;

/** A payout by the connection that has not ended. */
export const findOpenBy = (orm: Orm, connection: Connection) =>
	orm.select({ id: disbursements.id }).from(disbursements).where(isOpenBy(connection)).limit(1);

/** As a condition of a commit: no payout by the connection is open. */
export const hasNoneOpenBy = (connection: Connection): SQL =>
	sql`not exists (select 1 from ${disbursements} where ${isOpenBy(connection)})`;

/** Makes the next attempt due: the instruction is sent again, or the provider that has it is asked. Stale when the payout has ended meanwhile. */
export const sendSoon = (orm: Orm, id: string, now: number): Effect =>
	guarded(
		orm
			.update(disbursements)
			.set({ nextAttemptAt: now })
			.where(and(eq(disbursements.id, id), or(eq(disbursements.status, "PENDING"), IS_ASKED))),
	);

/** Keeps the first failure that a provider reports by itself, and makes the question due that decides: until then it counts for nothing. */
export const keepFailure = (orm: Orm, id: string, reason: string, now: number): Statement =>
	orm
		.update(disbursements)
		.set({
			status: "ACCEPTED",
			nextAttemptAt: now,
			failureTold: sql`coalesce(${disbursements.failureTold}, ${reason})`,
		})
		.where(and(eq(disbursements.id, id), inArray(disbursements.status, OPEN_STATES)));

/** Keeps that the provider has answered a question about a payment since it has reported a failure, for the first time. */
export const keepAnswer = (orm: Orm, id: string, now: number): Statement =>
	orm
		.update(disbursements)
		.set({ failureToldAt: now })
		.where(
			and(
				eq(disbursements.id, id),
				eq(disbursements.status, "ACCEPTED"),
				sql`${disbursements.failureTold} is not null and ${disbursements.failureToldAt} is null`,
			),
		);

/** Keeps a payment that was made and is in no book, the first of them. */
export const keepPaid = (
	orm: Orm,
	id: string,
	{ transaction, at }: { readonly transaction: string; readonly at: number },
	now: number,
): Statement =>
	orm
		.update(disbursements)
		.set({ contradictedAt: now, paidTransaction: transaction, paidAt: at, bookAt: now, changedAt: now })
		.where(
			and(
				eq(disbursements.id, id),
				inArray(disbursements.status, [...OPEN_STATES, "FAILED"]),
				sql`${disbursements.contradictedAt} is null`,
			),
		);

/** A payout that is reported as paid so often is work for people in any case. */
const MOST_RECEIPTS = 50;

/** Keeps a receipt that is neither in the books nor going to be booked: somebody decides what it means. */
export const keepSecondReceipt = (orm: Orm, id: string, receipt: SecondReceipt, now: number): Statement => {
	const { secondReceipts, mobileMoneyTransactionId, paidTransaction } = disbursements;
	const known = sql`coalesce(${secondReceipts}, '[]')`;
	return orm
		.update(disbursements)
		.set({ secondReceiptAt: now, secondReceipts: sql`json_insert(${known}, '$[#]', json(${JSON.stringify(receipt)}))` })
		.where(
			and(
				eq(disbursements.id, id),
				sql`coalesce(${mobileMoneyTransactionId}, ${paidTransaction}) <> ${receipt.transaction}`,
				sql`json_array_length(${known}) < ${MOST_RECEIPTS}`,
				sql`not exists (select 1 from json_each(${known}) where value ->> 'transaction' = ${receipt.transaction})`,
			),
		);
};

/** Somebody has decided what the reported receipts mean. Stale if another one is reported meanwhile. */
export const dismissSecondReceipt = (orm: Orm, { id, secondReceiptAt }: Pick<DisbursementRow, "id" | "secondReceiptAt">): Effect =>
	guarded(
		orm
			.update(disbursements)
			.set({ secondReceiptAt: null })
			.where(and(eq(disbursements.id, id), sql`${disbursements.secondReceiptAt} = ${secondReceiptAt}`)),
	);

/** Payments that were made, are in no book, and whose turn it is. */
export const findToBook = (orm: Orm, now: number, limit: number) =>
	orm
		.select({ id: disbursements.id, bookAt: sql<number>`${disbursements.bookAt}`.as("book_at") })
		.from(disbursements)
		.where(and(sql`${disbursements.bookAt} is not null`, lte(disbursements.bookAt, now)))
		.orderBy(disbursements.bookAt)
		.limit(limit);

/** Claims the booking that follows the commit. Stale when another sweep does it, or it is booked. */
export const claimBooking = (orm: Orm, { id, bookAt }: { readonly id: string; readonly bookAt: number }, next: number): Effect =>
	guarded(
		orm
			.update(disbursements)
			.set({ bookAt: next })
			.where(and(eq(disbursements.id, id), eq(disbursements.bookAt, bookAt))),
	);

/** Makes the next booking due. Stale when it is booked. */
export const bookSoon = (orm: Orm, id: string, now: number): Effect =>
	guarded(
		orm
			.update(disbursements)
			.set({ bookAt: now })
			.where(and(eq(disbursements.id, id), sql`${disbursements.bookAt} is not null`)),
	);

/** Records that the money of a payout came back. Stale unless it is paid out. */
export const recordReturned = (
	orm: Orm,
	id: string,
	returned: Pick<DisbursementRow, "returnTransaction" | "returnTransactionSent" | "returnedAt" | "changedAt">,
): Effect =>
	guarded(
		orm
			.update(disbursements)
			.set({ ...returned, status: "RETURNED" })
			.where(and(eq(disbursements.id, id), eq(disbursements.status, "SUCCEEDED"))),
	);

/** Records what the disburser reports. Stale when the disbursement has ended, unless it has failed and was paid after all. */
export const recordReport = (
	orm: Orm,
	id: string,
	report: Pick<DisbursementRow, "status" | "mobileMoneyTransactionId" | "failureReason" | "occurredAt">,
	now: number,
): Effect =>
	guarded(
		orm
			.update(disbursements)
			.set({ ...report, contradictedAt: null, paidTransaction: null, paidAt: null, bookAt: null, changedAt: now })
			.where(
				and(
					eq(disbursements.id, id),
					report.status === "FAILED"
						? and(inArray(disbursements.status, OPEN_STATES), sql`${disbursements.contradictedAt} is null`)
						: or(
								inArray(disbursements.status, OPEN_STATES),
								and(eq(disbursements.status, "FAILED"), sql`${disbursements.contradictedAt} is not null`),
							),
				),
			),
	);
