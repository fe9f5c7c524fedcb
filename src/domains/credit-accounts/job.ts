// What time brings to credit accounts: notices, overdue installments, penalties, roll-overs and default. Each account is one commit,
// which takes all the days that were missed in order.

import { asc, eq, lte } from "drizzle-orm";
import { type Orm, StaleWrite } from "../../db/database";
import type { JobServices } from "../../runtime/services";
import { HOUR_MS } from "../../shared/time";
import { accountsNamed, findLoaded, recordsOf } from "./ledger.store";
import { planPosting } from "./postings/plan";
import type { Loaded } from "./postings/rows.plan";
import { creditAccounts } from "./table";

/** Accounts of one portion. */
const BATCH = 20;

export const findDueAccounts = (orm: Orm, now: number) =>
	orm
		.select({ id: creditAccounts.id })
		.from(creditAccounts)
		.where(lte(creditAccounts.nextWorkAt, now))
		.orderBy(asc(creditAccounts.nextWorkAt))
		.limit(BATCH);

/** Takes one portion of the due accounts, the longest due first. Whether more may be due. */
export async function workOnAccounts(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const due = await db.read(findDueAccounts(db.orm, now));
	if (due.length === 0) return false;
	const named = accountsNamed(due.map(({ id }) => id));
	const { accounts, allocations, ...records } = await db.read(findLoaded(named));
	for (const account of accounts) await workOn(services, { ...recordsOf(account, records), allocations });
	return due.length === BATCH;
}

async function workOn(services: JobServices, loaded: Loaded): Promise<void> {
	try {
		await services.commit(planPosting(services, loaded, []).writes);
	} catch (error) {
		// Something was posted meanwhile, and that posting did this work too.
		if (error instanceof StaleWrite) return;
		services.log.error("work on a credit account failed", error);
		// Later, so that it does not keep the others waiting.
		const { id } = loaded.account;
		const nextWorkAt = services.now + HOUR_MS;
		await services.commit([services.db.orm.update(creditAccounts).set({ nextWorkAt }).where(eq(creditAccounts.id, id))]);
	}
}
