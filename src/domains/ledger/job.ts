// Closes the days of ledgers, ten minutes after midnight in East Africa, once each portfolio of the organization has closed them.

import { StaleWrite } from "../../db/database";
import { first } from "../../db/reads";
import { unlessStale } from "../../db/stale";
import type { JobServices } from "../../runtime/services";
import { addDays, type CalendarDate, HOUR_MS, localDate, MINUTE_MS } from "../../shared/time";
import { closableFrom, daysBehind, daysToClose } from "../portfolio/model/days.policy";
import { planDays } from "./close.plan";
import { findClosing, findDueLedger, insertDays, insertEntries, moveLedger, stillClosedThrough } from "./close.store";
import { LEDGER_TIME_ZONE } from "./days.policy";
import type { LedgerRow } from "./model/table";

/** After this time the job looks again whether the portfolios have closed the day. */
const WAIT_FOR_PORTFOLIOS_MS = MINUTE_MS;

type Due = LedgerRow & { readonly portfoliosClosed: CalendarDate | null; readonly began: CalendarDate | null };

/** Closes days of the ledger that is due for longest. Returns whether more may be due. */
export async function closeLedgers(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const ledger = await db.read(first(findDueLedger(db.orm, now)));
	if (!ledger) return false;
	try {
		await closeDaysOf(services, ledger);
	} catch (error) {
		// Another sweep has closed them.
		if (error instanceof StaleWrite) return true;
		services.log.error("a ledger could not be closed", error, { organization_id: ledger.organizationId });
		await unlessStale(() => services.commit([moveLedger(db.orm, ledger, { nextCloseAt: now + HOUR_MS })]));
	}
	return true;
}

async function closeDaysOf(services: JobServices, ledger: Due): Promise<void> {
	const { db, now } = services;
	const { organizationId, portfoliosClosed, began } = ledger;
	const closedThrough = ledger.closedThrough ?? addDays(began ?? localDate(now, LEDGER_TIME_ZONE), -1);
	const over = daysToClose(closedThrough, LEDGER_TIME_ZONE, now);
	const days = over.filter((day) => portfoliosClosed === null || day <= portfoliosClosed);
	const last = days.at(-1);
	if (last === undefined) {
		const [next = closedThrough] = daysBehind(closedThrough, "9999");
		const nextCloseAt = over.length === 0 ? closableFrom(next, LEDGER_TIME_ZONE) : now + WAIT_FOR_PORTFOLIOS_MS;
		await services.commit([moveLedger(db.orm, ledger, { nextCloseAt })]);
		return;
	}
	const { entries, days: rows } = planDays(
		organizationId,
		days,
		await db.read(findClosing(db.orm, organizationId, closedThrough, last)),
		now,
	);
	const [next = last] = daysBehind(last, "9999");
	const moved = { closedThrough: last, nextCloseAt: closableFrom(next, LEDGER_TIME_ZONE) };
	// First, because an entry of a day that another sweep has closed meanwhile is refused for another reason than a lost race.
	await services.commit([stillClosedThrough(ledger), ...insertEntries(entries), ...insertDays(rows), moveLedger(db.orm, ledger, moved)]);
}
