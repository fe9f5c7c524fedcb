// Posts the payments whose posting was interrupted: they are recorded, and nobody has posted them since.

import { StaleWrite } from "../../db/database";
import type { JobServices } from "../../runtime/services";
import { MINUTE_MS } from "../../shared/time";
import { findAllocations, findRecords, recordsOf, theAccount } from "../credit-accounts/ledger.store";
import { findAccountsWaiting, findWaiting, postPayments } from "./store";

/** Accounts of one portion. */
const BATCH = 50;
/** Requests that still post their own payments are left alone. */
const LEFT_ALONE_MS = MINUTE_MS;

/** Takes one portion of the accounts with waiting payments. Whether more may be waiting. */
export async function postWaitingPayments(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const [accounts] = await db.read(findAccountsWaiting(db.orm, now - LEFT_ALONE_MS, BATCH));
	for (const { accountId } of accounts) await postWaiting(services, accountId);
	return accounts.length === BATCH;
}

async function postWaiting(services: JobServices, accountId: string): Promise<void> {
	const { db } = services;
	const id = theAccount(accountId);
	const [waiting, allocations, [account], ...rest] = await db.read(
		findWaiting(db.orm, id),
		findAllocations(db.orm, id, "BOOK"),
		...findRecords(db.orm, id, "BOOK"),
	);
	if (!account || waiting.length === 0) return;
	try {
		await services.commit(postPayments(services, { ...recordsOf(account, ...rest), allocations }, waiting).writes);
	} catch (error) {
		// A request has posted to the account meanwhile, and these payments with it.
		if (!(error instanceof StaleWrite)) services.log.error("posting payments failed", error);
	}
}
