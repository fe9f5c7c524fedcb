// Which product a borrower is offered, said in SQL so that a request reads it together with everything else.

import { eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../../db/database";
import { users } from "../../users/table";
import { loanProducts } from "../table";

const newest = (organization: SQL) => sql`(
	select p.id from ${loanProducts} p where p.organization_id ${organization} and p.retired_at is null
	order by p.created_at desc, p.id desc limit 1)`;

const homeOf = (userId: string) => sql`(select u.home_organization_id from ${users} u where u.id = ${userId})`;

/**
 * A scalar: the id of the product that a user means by naming one or none. A product of another organization than his home is
 * none; without a name it is the newest of his home organization, else the newest that serves all.
 */
export const productFor = (userId: string, named: string | undefined): SQL =>
	named === undefined
		? sql`coalesce(${newest(sql`= ${homeOf(userId)}`)}, ${newest(sql`is null`)})`
		: sql`(select p.id from ${loanProducts} p where p.id = ${named} and (p.organization_id is null or p.organization_id = ${homeOf(userId)}))`;

export const findProduct = (orm: Orm, id: SQL | string) => orm.select().from(loanProducts).where(eq(loanProducts.id, id));

/** Products that serve an organization: its own and those for all. */
export const servesOrganization = (organizationId: string | SQL) =>
	or(isNull(loanProducts.organizationId), eq(loanProducts.organizationId, organizationId));

export const servesUser = (userId: string) => servesOrganization(homeOf(userId));
