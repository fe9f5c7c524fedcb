// Reads what the journals of closed days are made of.

import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../db/columns";
import type { Orm } from "../../db/database";
import type { Window } from "../../db/keyset";
import { first as firstOf } from "../../db/reads";
import type { CalendarDate } from "../../shared/time";
import { loanProducts } from "../loan-products/model/table";
import { dayAt, MOST_DAYS, monthOfCursor } from "./journals.policy";
import { findFirstMade, findMappings } from "./model/mapping.store";
import { ledgerDays, ledgers } from "./model/table";

/** As the query names them; the last closed day is not known yet. */
type Asked = {
	readonly organizationId: string;
	readonly from: CalendarDate | undefined;
	readonly to: CalendarDate | undefined;
	readonly currency: string | undefined;
};

const day = alias(ledgerDays, "ledger_day");

/** The last closed day, and the first one. */
export const findClosedDays = (orm: Orm, organizationId: string) =>
	orm
		.select({ last: ledgers.closedThrough, first: qualified(firstClosed(organizationId)).as("first_closed") })
		.from(ledgers)
		.where(eq(ledgers.organizationId, organizationId));

const lastClosed = (organizationId: string) =>
	sql`(select ${ledgers.closedThrough} from ${ledgers} where ${ledgers.organizationId} = ${organizationId})`;
const firstClosed = (organizationId: string) =>
	sql<CalendarDate | null>`(select min(${day.day}) from ${ledgerDays} ${day} where ${day.organizationId} = ${organizationId})`;

/** The same days as `daysOf` has, once the closed days are known. */
function daysIn({ organizationId, from, to }: Asked, window: Window): { first: SQL; last: SQL } {
	const end = to === undefined ? lastClosed(organizationId) : sql`${to}`;
	const { after, before } = window;
	const start = sql`max(${from ?? monthOfCursor(window) ?? sql`date(${end}, 'start of month')`}, ${firstClosed(organizationId)})`;
	if (before) {
		const last = sql`min(${end}, ${dayAt(before)})`;
		return { first: sql`max(${start}, date(${last}, ${`-${MOST_DAYS - 1} days`}))`, last };
	}
	const first = after ? sql`max(${start}, ${dayAt(after)})` : start;
	return { first, last: sql`min(${end}, date(${first}, ${`+${MOST_DAYS - 1} days`}))` };
}

/** The balances of the days of a page and of the day before, with the mapping that counts on them. */
export function findJournals(orm: Orm, asked: Asked, window: Window) {
	const { organizationId, currency } = asked;
	const { first, last } = daysIn(asked, window);
	return {
		days: orm
			.select({ ...getTableColumns(ledgerDays), productName: loanProducts.name })
			.from(ledgerDays)
			.leftJoin(loanProducts, eq(loanProducts.id, ledgerDays.loanProductId))
			.where(
				and(
					eq(ledgerDays.organizationId, organizationId),
					sql`${ledgerDays.day} between date(${first}, '-1 day') and ${last}`,
					currency === undefined ? undefined : eq(ledgerDays.currency, currency),
				),
			),
		mappings: findMappings(orm, organizationId, first, last),
		firstMapping: firstOf(findFirstMade(orm, organizationId)),
	};
}
