// Marks financed invoices as overdue from the day after their due date.

import { togetherOrEach } from "../../db/stale";
import type { JobServices } from "../../runtime/services";
import { localDate } from "../../shared/time";
import { markOverdue } from "./plan";
import { findPastDue } from "./store";

/** Invoices for each commit: few enough for one D1 batch, with an event each. */
const BATCH = 20;

/** Marks one batch. Returns whether more may be waiting. */
export async function markOverdueInvoices(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const due = await db.read(findPastDue(db.orm, localDate(now), BATCH));
	// But for those that were repaid meanwhile.
	await togetherOrEach(due, (some) => services.commit(some.flatMap((invoice) => markOverdue(services, invoice))));
	return due.length === BATCH;
}
