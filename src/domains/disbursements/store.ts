// Instructions to an outside disburser. The commit that orders a payout writes the row; the instruction is sent afterwards, and
// again until the disburser accepts it. Each attempt is counted and the next one scheduled before it is made, so that a crash only
// delays an instruction and never loses it.

import { and, eq, sql } from "drizzle-orm";
import type { Orm, Statement, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import type { Instruction } from "../../runtime/ports";
import type { JobServices, Services } from "../../runtime/services";
import { HOUR_MS, SECOND_MS } from "../../shared/time";
import { type DisbursementRow, disbursements } from "./table";

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
		.where(and(eq(disbursements.accountId, accountId), sql`status in ('PENDING', 'ACCEPTED')`));

/** The account of a disbursement, as a subquery. */
export const accountOfDisbursement = (id: string) => sql`(select d.account_id from ${disbursements} d where d.id = ${id})`;

export const findDisbursement = (orm: Orm, id: string) => orm.select().from(disbursements).where(eq(disbursements.id, id));

/** Sends an instruction whose attempt is counted already. Whatever the answer, only the disburser's report ends the matter. */
export async function instruct(services: JobServices, instruction: Instruction): Promise<void> {
	const { disburser } = services.providers;
	if (disburser?.kind !== "remote") return;
	if ((await disburser.instruct(instruction, services.realNow)) !== "ACCEPTED") return;
	const { db } = services;
	await services.commit([
		db.orm
			.update(disbursements)
			.set({ status: "ACCEPTED" })
			.where(and(eq(disbursements.id, instruction.reference), eq(disbursements.status, "PENDING"))),
	]);
}

/** Counts the attempt that follows the commit. Stale when another sweep has counted it, or the report has arrived. */
export const countAttempt = (orm: Orm, { reference, attempts }: { reference: string; attempts: number }, now: number): Write =>
	guarded(
		orm
			.update(disbursements)
			.set({ attempts: attempts + 1, nextAttemptAt: now + delayAfter(attempts + 1) })
			.where(and(eq(disbursements.id, reference), eq(disbursements.status, "PENDING"), eq(disbursements.attempts, attempts))),
	);
