// Pays the interest of accounts to which nothing is posted on their payday. A posting pays it too; the first of the two does.

import { and, asc, lte, sql } from "drizzle-orm";
import { type Orm, StaleWrite } from "../../../db/database";
import type { JobServices } from "../../../runtime/services";
import { type CalendarDate, localDate } from "../../../shared/time";
import { type CurrentAccountRow, currentAccounts } from "../table";
import { localDayOf } from "./interest.policy";
import { payInterest } from "./plan";
import { selectAccounts } from "./store";

/** Accounts of one portion. */
const PORTION = 200;
/** Accounts of one commit. */
const BATCH = 25;

export const findPayable = (orm: Orm, today: CalendarDate) =>
	selectAccounts(orm)
		.where(and(lte(currentAccounts.interestDueOn, today), sql`${currentAccounts.status} <> 'CLOSED'`))
		.orderBy(asc(currentAccounts.interestDueOn))
		.limit(PORTION);

/** Pays a portion. Whether more may be due. */
export async function payDueInterest(services: JobServices): Promise<boolean> {
	const { db, now, config } = services;
	const found = await db.read(findPayable(db.orm, localDate(now, config.CURRENT_ACCOUNTS.time_zone)));
	// Accounts that were opened under another time zone keep it.
	const due = found.filter((account) => account.interestDueOn <= localDayOf(account, now));
	for (let start = 0; start < due.length; start += BATCH) await payAll(services, due.slice(start, start + BATCH));
	return found.length === PORTION && due.length > 0;
}

async function payAll(services: JobServices, accounts: readonly CurrentAccountRow[]): Promise<void> {
	try {
		await services.commit(accounts.flatMap((account) => payInterest(services, account, localDayOf(account, services.now))));
	} catch (error) {
		// A posting has paid one of them meanwhile, or one fails: each alone, so that it does not block the others.
		if (accounts.length > 1) for (const account of accounts) await payAll(services, [account]);
		else if (!(error instanceof StaleWrite)) services.log.error("interest could not be paid", error, { account_id: accounts[0]?.id });
	}
}
