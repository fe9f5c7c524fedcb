// Marks financed invoices as overdue from the day after their due date.

import { StaleWrite } from "../../db/database";
import type { JobServices } from "../../runtime/services";
import { localDate } from "../../shared/time";
import { markOverdue } from "./plan";
import { findPastDue } from "./store";
import type { InvoiceRow } from "./table";

/** Invoices for each commit: few enough for one D1 batch, with an event each. */
const BATCH = 20;

/** Marks one batch. Returns whether more may be waiting. */
export async function markOverdueInvoices(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const [due] = await db.read(findPastDue(db.orm, localDate(now), BATCH));
	await markAll(services, due);
	return due.length === BATCH;
}

async function markAll(services: JobServices, due: readonly InvoiceRow[]): Promise<void> {
	try {
		await services.commit(due.flatMap((invoice) => markOverdue(services, invoice)));
	} catch (error) {
		if (!(error instanceof StaleWrite)) throw error;
		// One of them was repaid meanwhile. Mark each on its own, so that it does not block the others.
		if (due.length > 1) for (const invoice of due) await markAll(services, [invoice]);
	}
}
