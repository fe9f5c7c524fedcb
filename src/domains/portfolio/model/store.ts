// Puts accounts into their portfolio: with every posting, so that none is forgotten, and without a write where they are in it.

import { sql } from "drizzle-orm";
import { bare } from "../../../db/columns";
import type { Statement } from "../../../db/database";
import { prebuilt } from "../../../db/prebuilt";
import type { Services } from "../../../runtime/services";
import { addDays, localDate } from "../../../shared/time";
import { closableFrom } from "./days.policy";
import { loanPositions, NO_ORGANIZATION, portfolios } from "./table";

const { placeholder } = sql;

const insertPortfolio = prebuilt((orm) =>
	orm
		.insert(portfolios)
		.values({
			organizationId: placeholder("organizationId"),
			loanProductId: placeholder("loanProductId"),
			id: placeholder("id"),
			currency: placeholder("currency"),
			timeZone: placeholder("timeZone"),
			closedThrough: placeholder("yesterday"),
			nextCloseAt: placeholder("nextCloseAt"),
		} as never)
		.onConflictDoNothing(),
);

const openPosition = prebuilt((orm) =>
	orm
		.insert(loanPositions)
		.values({
			organizationId: placeholder("organizationId"),
			accountId: placeholder("accountId"),
			loanProductId: placeholder("loanProductId"),
			since: placeholder("today"),
			asOf: placeholder("yesterday"),
		} as never)
		.onConflictDoUpdate({
			target: [loanPositions.organizationId, loanPositions.accountId],
			set: { isOpen: true, closedOn: null },
			setWhere: sql`not ${bare(loanPositions.isOpen)}`,
		}),
);

/** Of a credit account, what says in which portfolio it is. */
type Counted = {
	readonly id: string;
	readonly organizationId: string | null;
	readonly loanProductId: string;
	readonly currency: string;
	readonly terms: { readonly timeZone: string };
};

/** What every posting to the account commits: the account is in its portfolio, and is closed with it every day from today on. */
export function enterPortfolio(services: Pick<Services, "now" | "newId">, account: Counted): Statement[] {
	const { now } = services;
	const { id: accountId, loanProductId, currency, terms } = account;
	const { timeZone } = terms;
	const organizationId = account.organizationId ?? NO_ORGANIZATION;
	const today = localDate(now, timeZone);
	const yesterday = addDays(today, -1);
	return [
		insertPortfolio({
			...{ organizationId, loanProductId, currency, timeZone, yesterday },
			id: services.newId(),
			nextCloseAt: closableFrom(today, timeZone),
		}),
		openPosition({ organizationId, accountId, loanProductId, today, yesterday }),
	];
}
