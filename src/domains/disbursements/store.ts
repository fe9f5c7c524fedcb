// Orders payouts, and records what became of them.

import { and, eq, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm, Statement, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import type { Services } from "../../runtime/services";
import { HOUR_MS, SECOND_MS } from "../../shared/time";
import { OPEN_STATES } from "./lifecycle";
import { type DisbursementRow, disbursements } from "./table";

const d = alias(disbursements, "d");

const FIRST_DELAY_MS = 15 * SECOND_MS;
const MAX_DELAY_MS = HOUR_MS;

const delayAfter = (attempts: number): number => Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 16));

type Payout = Pick<DisbursementRow, "id" | "amount" | "currency"> &
	({ kind: "LOAN" | "DRAW" | "REFUND"; accountId: string } | { kind: "INVOICE"; invoiceId: string });

/** The write that orders a disbursement. It counts the first attempt, which the caller makes after the commit. */
export const orderDisbursement = ({ db, now }: Services, order: Payout): Statement =>
	db.orm.insert(disbursements).values({
		...order,
		status: "PENDING",
		attempts: 1,
		nextAttemptAt: now + delayAfter(1),
		createdAt: now,
	});

/** The write that records what the embedded disburser has paid at once. */
export const recordPaid = ({ db, now }: Services, payout: Payout, mobileMoneyTransactionId: string): Statement =>
	db.orm.insert(disbursements).values({
		...payout,
		status: "SUCCEEDED",
		attempts: 0,
		nextAttemptAt: now,
		mobileMoneyTransactionId,
		occurredAt: now,
		createdAt: now,
	});

/** Payouts of the account that are on their way. */
export const findPending = (orm: Orm, accountId: string) =>
	orm
		.select({ id: disbursements.id })
		.from(disbursements)
		.where(and(eq(disbursements.accountId, accountId), sql`${disbursements.status} in ('PENDING', 'ACCEPTED')`));

/** The account of a disbursement, as a subquery. */
export const accountOfDisbursement = (id: string) => sql`(select ${d.accountId} from ${disbursements} ${d} where ${d.id} = ${id})`;

export const findDisbursement = (orm: Orm, id: string) => orm.select().from(disbursements).where(eq(disbursements.id, id));

/** Counts the attempt that follows the commit. Stale when another sweep has counted it, or the report has arrived. */
export const countAttempt = (orm: Orm, { reference, attempts }: { reference: string; attempts: number }, now: number): Write =>
	guarded(
		orm
			.update(disbursements)
			.set({ attempts: attempts + 1, nextAttemptAt: now + delayAfter(attempts + 1) })
			.where(and(eq(disbursements.id, reference), eq(disbursements.status, "PENDING"), eq(disbursements.attempts, attempts))),
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
