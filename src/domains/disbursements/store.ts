// Builds the statements on payouts.

import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm, Statement, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import { delayAfter } from "../../shared/backoff";
import type { PaymentProvider } from "../../shared/payment-providers";
import { paymentConnections } from "../payment-connections/table";
import { OPEN_STATES } from "./lifecycle";
import { type DisbursementRow, disbursements, IS_OPEN } from "./table";

const d = alias(disbursements, "d");

/** Payouts of the account that are on their way. */
export const findPending = (orm: Orm, accountId: string) =>
	orm
		.select({ id: disbursements.id })
		.from(disbursements)
		.where(and(eq(disbursements.accountId, accountId), sql`${disbursements.status} in ('PENDING', 'ACCEPTED')`));

/** The account of a disbursement, as a subquery. */
export const accountOfDisbursement = (id: string) => sql`(select ${d.accountId} from ${disbursements} ${d} where ${d.id} = ${id})`;

export const findDisbursement = (orm: Orm, id: string) => orm.select().from(disbursements).where(eq(disbursements.id, id));

type Counted = { readonly reference: string; readonly attempts: number };

/** Counts the attempt that follows the commit. Stale when another sweep has counted it, or the report has arrived. */
export const countAttempt = (orm: Orm, { reference, attempts }: Counted, now: number): Write =>
	guarded(
		orm
			.update(disbursements)
			.set({
				attempts: attempts + 1,
				nextAttemptAt: now + delayAfter(attempts + 1),
				// What is harmless so far may be paid from now on.
				toldAt: sql`case when ${disbursements.harmlessAttempts} = ${disbursements.attempts} then ${now} else ${disbursements.toldAt} end`,
			})
			.where(and(eq(disbursements.id, reference), eq(disbursements.status, "PENDING"), eq(disbursements.attempts, attempts))),
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

/** Makes a payout due that a provider has: its result has told nothing. */
export const askSoon = (orm: Orm, id: string, now: number): Statement =>
	orm
		.update(disbursements)
		.set({ status: "ACCEPTED", nextAttemptAt: now })
		.where(and(eq(disbursements.id, id), inArray(disbursements.status, OPEN_STATES)));

type Asked = { readonly reference: string; readonly status: "PENDING" | "ACCEPTED"; readonly nextAttemptAt: number };

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

/** Makes the next attempt due. Stale when the disburser has the instruction meanwhile. */
export const sendSoon = (orm: Orm, id: string, now: number): Effect =>
	guarded(
		orm
			.update(disbursements)
			.set({ nextAttemptAt: now })
			.where(and(eq(disbursements.id, id), eq(disbursements.status, "PENDING"))),
	);

/** Records what the disburser reports. Stale when the disbursement has ended. */
export const recordReport = (
	orm: Orm,
	id: string,
	report: Pick<DisbursementRow, "status" | "mobileMoneyTransactionId" | "failureReason" | "occurredAt">,
): Effect =>
	guarded(
		orm
			.update(disbursements)
			.set(report)
			.where(and(eq(disbursements.id, id), inArray(disbursements.status, OPEN_STATES))),
	);
