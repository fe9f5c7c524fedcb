// Instructions to an outside disburser. The commit that orders a payout writes the row; the instruction is sent afterwards, and
// again until the disburser accepts it. Each attempt is counted and the next one scheduled before it is made, so that a crash only
// delays an instruction and never loses it.

import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import { type Orm, StaleWrite, type Statement } from "../../../db/database";
import { guarded } from "../../../db/guards";
import type { Instruction } from "../../../runtime/ports";
import type { JobServices, Services } from "../../../runtime/services";
import { HOUR_MS, SECOND_MS } from "../../../shared/time";
import { creditAccounts } from "../../credit-accounts/table";
import { invoices } from "../../invoices/table";
import { users } from "../../users/table";
import { type DisbursementRow, disbursements } from "../table";

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

/** To whom an account's payouts go. */
export const findRecipient = (orm: Orm, accounts: SQL) =>
	orm
		.select({ userId: users.id, mobileNumber: users.mobileNumber })
		.from(users)
		.where(sql`${users.id} in (select a.user_id from ${creditAccounts} a where a.id in ${accounts})`);

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

/** Sends the first of the due instructions again. Whether more may be waiting. */
export async function sendDueInstructions(services: JobServices): Promise<boolean> {
	if (services.providers.disburser?.kind !== "remote") return false;
	const { db, now } = services;
	const [due] = await db.read(findDueInstructions(db.orm, now));
	await Promise.all(due.map((row) => sendOnce(services, row)));
	return due.length === BATCH;
}

/** The number of connections that a Worker may have open at a time. */
const BATCH = 6;

export const findDueInstructions = (orm: Orm, now: number) =>
	orm
		.select({
			reference: sql<string>`${disbursements.id}`.as("reference"),
			attempts: sql<number>`${disbursements.attempts}`.as("attempts"),
			accountId: sql<string | null>`${disbursements.accountId}`.as("accountId"),
			value: sql<number>`${disbursements.amount}`.as("value"),
			currency: sql<string>`${disbursements.currency}`.as("currency"),
			userId: sql<string | null>`${users.id}`.as("userId"),
			mobileNumber: sql<string | null>`${users.mobileNumber}`.as("mobileNumber"),
			invoiceId: sql<string | null>`${invoices.id}`.as("invoiceId"),
			organizationId: sql<string | null>`${invoices.organizationId}`.as("organizationId"),
			merchantId: sql<string | null>`${invoices.merchantId}`.as("merchantId"),
		})
		.from(disbursements)
		.leftJoin(creditAccounts, eq(creditAccounts.id, disbursements.accountId))
		.leftJoin(users, eq(users.id, creditAccounts.userId))
		.leftJoin(invoices, eq(invoices.id, disbursements.invoiceId))
		.where(and(eq(disbursements.status, "PENDING"), lte(disbursements.nextAttemptAt, now)))
		.orderBy(disbursements.nextAttemptAt)
		.limit(BATCH);

type Due = Awaited<ReturnType<typeof findDueInstructions>>[number];

function instructionOf({ reference, value, currency, ...to }: Due): Instruction {
	const about = { reference, amount: { value, currency } };
	const { accountId, userId, mobileNumber, invoiceId, organizationId, merchantId } = to;
	if (accountId !== null && userId !== null) return { ...about, accountId, recipient: { userId, mobileNumber } };
	if (invoiceId !== null && organizationId !== null && merchantId !== null) {
		return { ...about, invoiceId, recipient: { organizationId, merchantId } };
	}
	throw new Error("a disbursement is for a borrower or for a merchant");
}

async function sendOnce(services: JobServices, due: Due): Promise<void> {
	const { db, now } = services;
	const { reference, attempts } = due;
	try {
		await services.commit([
			guarded(
				db.orm
					.update(disbursements)
					.set({ attempts: attempts + 1, nextAttemptAt: now + delayAfter(attempts + 1) })
					.where(and(eq(disbursements.id, reference), eq(disbursements.status, "PENDING"), eq(disbursements.attempts, attempts))),
			),
		]);
	} catch (error) {
		// Another sweep is sending it, or its report has arrived.
		if (error instanceof StaleWrite) return;
		throw error;
	}
	await instruct(services, instructionOf(due));
}
