// Finds versions of the rules of stages, and stores a new one.

import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm, Write } from "../../../db/database";
import type { CalendarDate } from "../../../shared/time";
import { type ProvisioningRulesRow, provisioningRules } from "./table";

const earlier = alias(provisioningRules, "earlier");

type Of = { readonly organizationId: string; readonly loanProductId: string };

/** The versions that count for the product on one of the days. */
export const findRules = (orm: Orm, { organizationId, loanProductId }: Of, first: CalendarDate, last: CalendarDate) =>
	orm
		.select()
		.from(provisioningRules)
		.where(
			and(
				eq(provisioningRules.organizationId, organizationId),
				inArray(provisioningRules.loanProductId, ["", loanProductId]),
				sql`${provisioningRules.effectiveFrom} between coalesce((select max(${earlier.effectiveFrom}) from ${provisioningRules} ${earlier}
					where ${earlier.organizationId} = ${organizationId} and ${earlier.loanProductId} = ${provisioningRules.loanProductId}
						and ${earlier.effectiveFrom} <= ${first}), ${first}) and ${last}`,
			),
		);

/** The newest version of the product's own rules, or of those of all products. */
export const findNewestRules = (orm: Orm, { organizationId, loanProductId }: Of) =>
	orm
		.select()
		.from(provisioningRules)
		.where(and(eq(provisioningRules.organizationId, organizationId), eq(provisioningRules.loanProductId, loanProductId)))
		.orderBy(desc(provisioningRules.effectiveFrom))
		.limit(1);

export const insertRules = (orm: Orm, row: ProvisioningRulesRow): Write => orm.insert(provisioningRules).values(row);
