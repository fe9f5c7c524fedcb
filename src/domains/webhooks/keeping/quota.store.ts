// Reads, checks and changes how many deliveries organizations hold.

import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bare, bareList, excluded } from "../../../db/columns";
import type { Orm } from "../../../db/database";
import { distinct } from "../../../db/distinct";
import { guarded } from "../../../db/guards";
import { shortId } from "../../../db/short-ids";
import { crowdedOrganizations, deliveryHoldings, webhookDeliveries } from "../../../events/table";
import { webhookReceipts } from "../table";

const holding = alias(deliveryHoldings, "holding");

export type Holding = typeof deliveryHoldings.$inferSelect;

/** Those that hold the most first. There is a row for each organization. */
export const largestHoldings = (orm: Orm) => orm.select().from(deliveryHoldings).orderBy(desc(deliveryHoldings.held));

export const holdingOf = (orm: Orm, organizationId: string) =>
	orm.select().from(deliveryHoldings).where(eq(deliveryHoldings.organizationId, organizationId));

/** An organization whose count has not been checked since the instant, or that has none yet. */
export const uncheckedSince = (orm: Orm, since: number) =>
	orm.all<{ organizationId: string }>(sql`
		with ${distinct("there", webhookDeliveries.organizationId)}
		select * from (
			select there.organization_id as "organizationId" from there left join ${deliveryHoldings} ${holding} on ${holding.organizationId} = there.organization_id
			where there.organization_id is not null and ${holding.organizationId} is null
			union all select ${holding.organizationId} from ${deliveryHoldings} ${holding} where coalesce(${holding.checkedAt}, 0) <= ${since}) limit 1`);

/** Rows of each table that a check counts. To count all of a large organization would hold the database for seconds. */
const COUNTED = 20_000;

/**
 * Counts the organization's deliveries, row by row, up to `COUNTED` of each form. Where there are more, the count that each commit has kept
 * stays, unless it is less than what was found.
 */
export const checkHolding = (orm: Orm, organizationId: string, now: number) => {
	const deliveries = sql`(select 1 from ${webhookDeliveries} where ${webhookDeliveries.organizationId} = ${organizationId} limit ${COUNTED})`;
	const receipts = sql`(select 1 from ${webhookReceipts} where ${webhookReceipts.organizationId} = ${shortId(organizationId)} limit ${COUNTED})`;
	return orm.run(sql`
		insert into ${deliveryHoldings} (${bareList(deliveryHoldings.organizationId, deliveryHoldings.held, deliveryHoldings.checkedAt)})
		with counted as materialized (
			select (select count(*) from ${deliveries}) as deliveries, (select count(*) from ${receipts}) as receipts)
		select ${organizationId}, iif(${COUNTED} in (deliveries, receipts),
			max(deliveries + receipts, coalesce((select ${holding.held} from ${deliveryHoldings} ${holding} where ${holding.organizationId} = ${organizationId}), 0)),
			deliveries + receipts), ${now}
		from counted where true on conflict (${bare(deliveryHoldings.organizationId)}) do update set
			${assign(deliveryHoldings, { held: excluded(deliveryHoldings.held), checkedAt: excluded(deliveryHoldings.checkedAt) })}`);
};

export type Crowded = typeof crowdedOrganizations.$inferSelect;

export const allCrowded = (orm: Orm) => orm.select().from(crowdedOrganizations);

/** Writes down what has changed of which organizations need attention; those without a state do no longer. */
export function noteCrowded(changed: readonly { id: string; state: Crowded["state"] | null }[], now: number): SQL[] {
	const all = JSON.stringify(changed);
	const c = crowdedOrganizations;
	return [
		sql`delete from ${c} where ${c.id} in (select value ->> 'id' from json_each(${all}) where value ->> 'state' is null)`,
		sql`
			insert into ${c} (${bareList(c.id, c.state, c.since)}) select value ->> 'id', value ->> 'state', ${now} from json_each(${all})
			where value ->> 'state' is not null on conflict (${bare(c.id)}) do update set ${assign(c, { state: excluded(c.state) })}`,
	];
}

type Notified = Partial<Pick<Holding, "nearingToldAt" | "reachedToldAt">>;

/** Notes what the organization's members got a notice of. Stale when they have got it meanwhile. */
export const noteNotified = (orm: Orm, { organizationId, nearingToldAt, reachedToldAt }: Holding, told: Notified) =>
	guarded(
		orm
			.update(deliveryHoldings)
			.set(told)
			.where(
				and(
					eq(deliveryHoldings.organizationId, organizationId),
					sql`${deliveryHoldings.nearingToldAt} is ${nearingToldAt} and ${deliveryHoldings.reachedToldAt} is ${reachedToldAt}`,
				),
			),
	);
