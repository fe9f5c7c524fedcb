// Sends the instructions to an outside disburser again that it has not accepted yet.

import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../../db/columns";
import { type Orm, StaleWrite } from "../../../db/database";
import type { JobServices } from "../../../runtime/services";
import { creditAccounts } from "../../credit-accounts/table";
import { instruct } from "../../disbursements/procedure";
import { countAttempt } from "../../disbursements/store";
import { disbursements } from "../../disbursements/table";
import { invoices } from "../../invoices/table";
import { users } from "../../users/table";

const d = alias(disbursements, "d");
const a = alias(creditAccounts, "a");
const u = alias(users, "u");
const i = alias(invoices, "i");

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

/** What an order of a version without `instruction` sends, as that version wrote it. */
const formerly = (payee: SQL): SQL =>
	sql`json_object('disbursement_id', ${d.id}, 'reference', ${d.id}, 'amount', json_object('value', ${d.amount}, 'currency', ${d.currency}), ${payee})`;
const body = sql<string>`coalesce(${d.instruction},
	(select ${formerly(sql`'account_id', ${d.accountId}, 'recipient', json_object('user_id', ${u.id}, 'mobile_number', ${u.mobileNumber})`)}
		from ${creditAccounts} ${a} join ${users} ${u} on ${u.id} = ${a.userId} where ${a.id} = ${d.accountId}),
	(select ${formerly(sql`'invoice_id', ${i.id}, 'recipient', json_object('organization_id', ${i.organizationId}, 'merchant_id', ${i.merchantId})`)}
		from ${invoices} ${i} where ${i.id} = ${d.invoiceId}))`;

export const findDueInstructions = (orm: Orm, now: number) =>
	orm
		.select({ reference: d.id, attempts: d.attempts, body: qualified(body).as("body") })
		.from(d)
		.where(and(eq(d.status, "PENDING"), lte(d.nextAttemptAt, now)))
		.orderBy(d.nextAttemptAt)
		.limit(BATCH);

type Due = Awaited<ReturnType<typeof findDueInstructions>>[number];

async function sendOnce(services: JobServices, due: Due): Promise<void> {
	const { db, now } = services;
	try {
		await services.commit([countAttempt(db.orm, due, now)]);
	} catch (error) {
		// Another sweep is sending it, or its report has arrived.
		if (error instanceof StaleWrite) return;
		throw error;
	}
	await instruct(services, due);
}
