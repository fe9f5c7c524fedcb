// Finds the stages of portfolios on closed days.

import { and, eq, sql } from "drizzle-orm";
import type { Orm } from "../../db/database";
import type { CalendarDate } from "../../shared/time";
import { portfolioDays, portfolios } from "../portfolio/model/table";

type Of = { readonly organizationId: string; readonly loanProductId: string | undefined };

/** Each portfolio's stages at the end of `on`, by default of its last closed day, and at the end of the month before. */
export const findStages = (orm: Orm, { organizationId, loanProductId }: Of, on: CalendarDate | undefined) => {
	const day = on === undefined ? sql`${portfolios.closedThrough}` : sql`${on}`;
	return orm
		.select({
			loanProductId: portfolios.loanProductId,
			currency: portfolios.currency,
			closedThrough: portfolios.closedThrough,
			day: portfolioDays.day,
			stages: portfolioDays.stages,
		})
		.from(portfolios)
		.leftJoin(
			portfolioDays,
			and(
				eq(portfolioDays.organizationId, portfolios.organizationId),
				eq(portfolioDays.loanProductId, portfolios.loanProductId),
				sql`${portfolioDays.day} in (${day}, date(${day}, 'start of month', '-1 day'))`,
			),
		)
		.where(
			and(
				eq(portfolios.organizationId, organizationId),
				loanProductId === undefined ? undefined : eq(portfolios.loanProductId, loanProductId),
			),
		)
		.orderBy(portfolios.loanProductId, portfolioDays.day);
};
