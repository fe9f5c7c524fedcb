// Posts the payments whose posting was interrupted: they are recorded, and nobody has posted them since.

import { StaleWrite } from "../../../db/database";
import type { JobServices } from "../../../runtime/services";
import { MINUTE_MS } from "../../../shared/time";
import { findLoaded, loadedOf, theAccount } from "../../credit-accounts/ledger.store";
import { postPayments } from "../plan";
import { findAccountsWaiting, findWaiting, MAX_POSTED } from "../store";

/** Accounts of one portion. */
const BATCH = 50;
/** Requests that still post their own payments are left alone. */
const LEFT_ALONE_MS = MINUTE_MS;

/** Takes one portion of the accounts with waiting payments. Whether more may be waiting. */
export async function postWaitingPayments(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const accounts = await db.read(findAccountsWaiting(db.orm, now - LEFT_ALONE_MS, BATCH));
	let isMore = accounts.length === BATCH;
	for (const { accountId } of accounts) isMore = (await postWaiting(services, accountId)) || isMore;
	return isMore;
}

/** Whether more payments of the account wait. */
async function postWaiting(services: JobServices, accountId: string): Promise<boolean> {
	const { db } = services;
	const id = theAccount(accountId);
	const { waiting, records } = await db.read({ waiting: findWaiting(id), records: findLoaded(id) });
	const loaded = loadedOf(records);
	if (!loaded || waiting.length === 0) return false;
	try {
		await services.commit((await postPayments(services, loaded, waiting)).writes);
		return waiting.length === MAX_POSTED;
	} catch (error) {
		// A request has posted to the account meanwhile, and these payments with it.
		if (!(error instanceof StaleWrite)) services.log.error("posting payments failed", error);
		return false;
	}
}
