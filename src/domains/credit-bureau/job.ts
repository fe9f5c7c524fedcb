// Makes the monthly files for a credit bureau, once each portfolio of the organization has closed the month: a portion of accounts at a
// time, each in one commit, so that a sweep that dies loses nothing and the next one goes on.

import { StaleWrite } from "../../db/database";
import { first } from "../../db/reads";
import { unlessStale } from "../../db/stale";
import type { JobServices } from "../../runtime/services";
import { addMonths, type CalendarDate, HOUR_MS, localDate, MINUTE_MS } from "../../shared/time";
import { LEDGER_TIME_ZONE } from "../ledger/days.policy";
import { lastDayOf, monthAfter, monthOf } from "../ledger/model/closing.policy";
import { notifyUser } from "../messages/notices.plan";
import { closableFrom } from "../portfolio/model/days.policy";
import { computePage } from "../portfolio/past.procedure";
import { scanOf } from "../portfolio/reads.store";
import { type Account, planPortion } from "./file.plan";
import { beginningOf, CORRECTED_MONTHS } from "./file.policy";
import { findAllRules, findDue, findPortion, insertFile, insertListings, insertRows, isInFile, moveListings, moveSettings } from "./store";
import type { ListingRow, SettingsRow } from "./table";

/** Accounts of one commit. */
const PORTION = 50;

/** After this time the job looks again whether the portfolios have closed the month. */
const WAIT_FOR_PORTFOLIOS_MS = MINUTE_MS;

/** Takes one portion of the file that is due for longest. Whether more may be due. */
export async function makeCreditBureauFiles(services: JobServices, size = PORTION): Promise<boolean> {
	const { db, now } = services;
	const due = await db.read(first(findDue(db.orm, now)));
	if (!due) return false;
	const { settings, closed } = due;
	try {
		await makePortion(services, settings, closed, size);
	} catch (error) {
		// Another sweep has made the portion.
		if (error instanceof StaleWrite) return true;
		const { organizationId, month } = settings;
		services.log.error("a file for the credit bureau could not be made", error, { organization_id: organizationId, month });
		// Later, so that it does not keep the others waiting.
		await unlessStale(() => services.commit([moveSettings(db.orm, settings, { nextWorkAt: now + HOUR_MS })]));
	}
	return true;
}

async function makePortion(services: JobServices, settings: SettingsRow, closed: CalendarDate | null, size: number): Promise<void> {
	const { db, now } = services;
	const { organizationId, month } = settings;
	const lastDay = lastDayOf(month);
	const over = closableFrom(lastDay, LEDGER_TIME_ZONE);
	if (now < over || (closed !== null && closed < lastDay)) {
		await services.commit([moveSettings(db.orm, settings, { nextWorkAt: Math.max(over, now + WAIT_FOR_PORTFOLIOS_MS) })]);
		return;
	}
	const walk = settings.walk ?? beginningOf(settings);
	const window = { size, after: walk.cursor === null ? undefined : ([0, walk.cursor] as const) };
	const scan = scanOf({ organizationId, loanProductId: undefined }, window, isInFile(`${month}-01`, lastDay));
	const page = await computePage(services, scan, window, (records, position): { row: Account; length: number } => ({
		row: { accountId: position.accountId, records, position },
		length: records.transactions.length + records.installments.length,
	}));
	const accounts = page.rows.map(({ row }) => row);
	const since = monthOf(addMonths(`${month}-01`, -CORRECTED_MONTHS));
	const found = await db.read({
		...findPortion(
			db.orm,
			accounts.map(({ accountId }) => accountId),
			accounts.map(({ records }) => records.account.userId),
			since,
		),
		rules: findAllRules(db.orm, organizationId),
	});
	const today = localDate(now, LEDGER_TIME_ZONE);
	const plan = planPortion({ settings, walk, today, now, newId: () => services.newId() }, accounts, found);
	const isLast = plan.isWhole && page.next === null;
	const { cursor: _, ...file } = plan.walk;
	// A page may have looked at accounts of which none is in the file.
	const reached = plan.isWhole && page.next ? { ...plan.walk, cursor: String(page.next[1]) } : plan.walk;
	const moved = isLast ? { month: monthAfter(month), walk: null } : { walk: reached };
	const told = await Promise.all(plan.notices.map((notice) => tell(services, notice)));
	await services.commit([
		moveSettings(db.orm, settings, { ...moved, nextWorkAt: now }),
		...insertRows(plan.rows),
		...moveListings(db.orm, plan.listed, month, "LISTED"),
		// Before another notice of the same account: one is open at most.
		...moveListings(db.orm, plan.ended, month, "ENDED"),
		...insertListings(db.orm, plan.notices),
		...told.flat(),
		...(isLast ? [insertFile(db.orm, { organizationId, month, lastDay, ...file, madeAt: now })] : []),
	]);
}

/** In the borrower's language: what they owe, and from which day on it may be reported. */
const tell = (services: JobServices, { userId, amount, currency, listableFrom }: ListingRow) =>
	notifyUser(services, userId, "ACCOUNT", { key: "CREDIT_BUREAU_NOTICE", values: { sum: { amount, currency }, day: listableFrom } });
