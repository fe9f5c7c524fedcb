// How many deliveries an organization holds, against its quota. The code that makes deliveries and the code that removes them count them in
// the same commit, so that nothing is ever counted row by row; the sweep checks the count once a day.

import { type Column, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bare, bareList, excluded } from "../db/columns";
import { ALWAYS } from "../db/prebuilt";
import { deliveryHoldings, storageLevels } from "./table";

const full = alias(deliveryHoldings, "full_holding");

const closed = (condition = ALWAYS) =>
	sql`select 1 from ${storageLevels} where ${storageLevels.id} = 1 and ${storageLevels.level} = 'CLOSED' and ${condition}`;

/**
 * Whether the organization gets deliveries: not beyond its quota, nor in a database that is nearly full. The feed stays complete, and
 * `recover` makes them later. In terms of a row `of` that has an organization, so that SQLite looks only where there is one.
 *
 * @param most the quota of organizations without one of their own
 */
export const deliveriesAreMadeFor = (of: { organizationId: Column | SQL }, most: number | Placeholder): SQL => sql`(
	not exists (${closed(sql`${of.organizationId} is not null`)})
	and not exists (select 1 from ${deliveryHoldings} ${full} where ${full.organizationId} = ${of.organizationId} and ${full.held} >= coalesce(${full.quota}, ${most})))`;

const add = sql`on conflict (${bare(deliveryHoldings.organizationId)}) do update set ${assign(deliveryHoldings, {
	held: sql`max(0, ${deliveryHoldings.held} + ${excluded(deliveryHoldings.held)})`,
})}`;

const columns = bareList(deliveryHoldings.organizationId, deliveryHoldings.held);

/** Counts the deliveries that the statement before has made. */
export const countMade = (organizationId: string | Placeholder): SQL => sql`
	insert into ${deliveryHoldings} (${columns}) select ${organizationId}, changes() where changes() > 0 ${add}`;

/**
 * Counts deliveries off that the next statement removes: rows of `portion`, each with its organization as `made_for`.
 *
 * @param early that they leave before their time, and the instant before which they were made
 */
export const countRemoved = (portion: SQL, early: number | null = null): SQL => sql`
	insert into ${deliveryHoldings} (${columns}, ${bare(deliveryHoldings.completeFrom)}) select made_for, -count(*), ${early} from ${portion} where true group by 1
	${add}, ${assign(deliveryHoldings, {
		completeFrom: sql`max(coalesce(${deliveryHoldings.completeFrom}, ${excluded(deliveryHoldings.completeFrom)}), coalesce(${excluded(deliveryHoldings.completeFrom)}, ${deliveryHoldings.completeFrom}))`,
	})}`;
