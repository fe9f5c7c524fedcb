// Builds the statements on payouts.

import { and, eq, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import { delayAfter } from "../../shared/backoff";
import { OPEN_STATES } from "./lifecycle";
import { type DisbursementRow, disbursements } from "./table";

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

type Counted = { readonly reference: string; readonly attempts: number; readonly body: string };

/** Counts the attempt that follows the commit. Stale when another sweep has counted it, or the report has arrived. */
export const countAttempt = (orm: Orm, { reference, attempts, body }: Counted, now: number): Write =>
	guarded(
		orm
			.update(disbursements)
			.set({ attempts: attempts + 1, nextAttemptAt: now + delayAfter(attempts + 1), instruction: body })
			.where(and(eq(disbursements.id, reference), eq(disbursements.status, "PENDING"), eq(disbursements.attempts, attempts))),
	);

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
