// Closes the days of portfolios, ten minutes after their local midnight: a portion of accounts at a time, each in one commit, so that a
// sweep that dies loses nothing and the next one goes on.

import { StaleWrite } from "../../db/database";
import { first } from "../../db/reads";
import type { JobServices } from "../../runtime/services";
import { HOUR_MS } from "../../shared/time";
import { planPortion } from "./close.plan";
import { findDuePortfolio, findPortion, movePortfolio, PORTION } from "./close.store";
import { closableFrom, daysBehind, daysToClose } from "./model/days.policy";
import type { PortfolioRow } from "./model/table";

/** Takes one portion of the portfolio that is due for longest. Whether more may be due. */
export async function closePortfolios(services: JobServices, size = PORTION): Promise<boolean> {
	const { db, now } = services;
	const portfolio = await db.read(first(findDuePortfolio(db.orm, now)));
	if (!portfolio) return false;
	try {
		await closePortion(services, portfolio, size);
	} catch (error) {
		// Another sweep has closed the portion.
		if (error instanceof StaleWrite) return true;
		services.log.error("a portfolio could not be closed", error, aboutOf(portfolio));
		// Later, so that it does not keep the others waiting.
		await services.commit([movePortfolio(db.orm, portfolio, { nextCloseAt: now + HOUR_MS })]);
	}
	return true;
}

const aboutOf = ({ organizationId, loanProductId, closedThrough }: PortfolioRow) => ({
	organization_id: organizationId,
	loan_product_id: loanProductId,
	closed_through: closedThrough,
});

async function closePortion(services: JobServices, portfolio: PortfolioRow, size: number): Promise<void> {
	const { db, now } = services;
	const { closedThrough, closing, timeZone } = portfolio;
	// Those with which the walk began, at any later time.
	const days = closing === null ? daysToClose(closedThrough, timeZone, now) : daysBehind(closedThrough, closing);
	const last = days.at(-1);
	if (last === undefined) {
		const [next] = daysBehind(closedThrough, "9999");
		await services.commit([movePortfolio(db.orm, portfolio, { nextCloseAt: closableFrom(next ?? closedThrough, timeZone) })]);
		return;
	}
	const portion = await db.read(findPortion(db.orm, portfolio, days, size));
	const { writes, fault } = planPortion(services, portfolio, { days, size }, portion);
	await services.commit(writes);
	if (fault) services.log.error("the figures of a portfolio do not agree", undefined, { ...aboutOf(portfolio), fault });
}
