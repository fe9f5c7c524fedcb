// Sends the instructions to an outside disburser again that it has not accepted yet, with whom each is for: a borrower or a merchant.

import { and, eq, lte, sql } from "drizzle-orm";
import { type Orm, StaleWrite } from "../../../db/database";
import type { Instruction } from "../../../runtime/ports";
import type { JobServices } from "../../../runtime/services";
import { creditAccounts } from "../../credit-accounts/table";
import { instruct } from "../../disbursements/procedure";
import { countAttempt } from "../../disbursements/store";
import { disbursements } from "../../disbursements/table";
import { invoices } from "../../invoices/table";
import { users } from "../../users/table";

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
	try {
		await services.commit([countAttempt(db.orm, due, now)]);
	} catch (error) {
		// Another sweep is sending it, or its report has arrived.
		if (error instanceof StaleWrite) return;
		throw error;
	}
	await instruct(services, instructionOf(due));
}
