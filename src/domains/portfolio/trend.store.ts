// Finds the running totals of an organization's closed days, of all its loan products together.

import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import type { CalendarDate } from "../../shared/time";
import { portfolioDays, portfolios } from "./model/table";

const portfolio = alias(portfolios, "portfolio");
const eachPortfolio = alias(portfolios, "each_portfolio");
const eachDay = alias(portfolioDays, "day");

/** Disbursed and collected from the beginning to the end of the day, and what was overdue then. */
export type TotalsRow = {
	readonly currency: string;
	readonly day: CalendarDate;
	/** The last closed day of every portfolio. */
	readonly last: CalendarDate;
	readonly disbursed: number;
	readonly collected: number;
	readonly overdue: number;
};

/** Each currency's days up to the last closed day of every portfolio: so many, and the day before them. */
export const findTotals = (orm: Orm, organizationId: string, days: number) =>
	orm.all<TotalsRow>(sql`
		select ${portfolio.currency} as "currency", ${eachDay.day} as "day", closed.last as "last",
			sum(${eachDay.drawn}) as "disbursed",
			sum(${eachDay.paidPrincipal} + ${eachDay.paidInterest} + ${eachDay.paidPenalty} + ${eachDay.paidRefundUncovered}
				+ ${eachDay.recovered} + ${eachDay.overpaymentReceived} - ${eachDay.overpaymentUsed}) as "collected",
			sum(${eachDay.principalOver0}) as "overdue"
		from (select min(${eachPortfolio.closedThrough}) as last from ${portfolios} ${eachPortfolio}
				where ${eachPortfolio.organizationId} = ${organizationId}) closed
			cross join ${portfolios} ${portfolio} on ${portfolio.organizationId} = ${organizationId}
			cross join ${portfolioDays} ${eachDay} on ${eachDay.organizationId} = ${portfolio.organizationId}
				and ${eachDay.loanProductId} = ${portfolio.loanProductId}
				and ${eachDay.day} between date(closed.last, ${`-${days} day`}) and closed.last
		group by ${portfolio.currency}, ${eachDay.day} order by ${portfolio.currency}, ${eachDay.day}`);
