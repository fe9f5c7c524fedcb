// Asks each hour for the balances of the accounts by which payouts are open or whose float is low, and once more what nobody has answered
// within a minute.

import { unlessStale } from "../../db/stale";
import { MOST_CONNECTIONS } from "../../runtime/connections";
import { attempt, portion } from "../../runtime/outbox";
import type { JobServices } from "../../runtime/services";
import { isBalanceOfUse } from "../disbursements/model/float.store";
import { checks } from "./balances.procedure";
import { beginCheck, endCheck, findDueBalances, nextCheckAt, putOffBalance } from "./model/checks.store";
import { isPaused } from "./model/lifecycle";

/** Takes one portion of the connections that are due. Whether more may be waiting. */
export async function askDueBalances(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const due = await db.read(findDueBalances(db.orm, isBalanceOfUse(now), now, MOST_CONNECTIONS));
	if (due.length === 0) return false;
	const isEarly = (row: (typeof due)[number]) => nextCheckAt(row) > now;
	// Nobody has answered, perhaps because the question was recorded and never asked: it is asked once more.
	const again = due.flatMap((row) => (isEarly(row) && row.checkOutcome === "WAITING" && row.checkId ? [{ ...row, id: row.checkId }] : []));
	// A wrong password that is sent on and on is locked.
	const asked = due.filter((row) => !isEarly(row) && row.isOfUse === 1 && !(isPaused(row, now) && row.pausedUntil === null));
	const begun = asked.map((row) => ({ ...row, id: services.newId() }));
	const rest = due.filter((row) => !asked.includes(row));
	const inVain = rest.flatMap((row) => (isEarly(row) || !row.checkId ? [] : [row.checkId]));
	const claims = [
		...begun.map((row) => beginCheck(db.orm, row, row.id, now)),
		...inVain.map((id) => endCheck(db.orm, id, "NO_ANSWER")),
		...rest.map((row) => putOffBalance(db.orm, row, now)),
	];
	// Another sweep asks, or somebody has just checked one of them.
	if (!(await unlessStale(() => services.commit(claims)))) return false;
	await portion([...again, ...begun], (row) => attempt(services, checks, row));
	return due.length === MOST_CONNECTIONS;
}
