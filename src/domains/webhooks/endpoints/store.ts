// Reads and writes endpoints. A commit that suspends an endpoint also holds its pending deliveries (`next_attempt_at` null). A commit that
// resumes it releases a single delivery as a probe; the rest follow when its first attempt has ended.

import { type Column, count, desc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bare, bareList } from "../../../db/columns";
import { type Effect, effect, type Orm, type Statement } from "../../../db/database";
import { distinct } from "../../../db/distinct";
import { orStaleUnless } from "../../../db/guards";
import { ALWAYS } from "../../../db/prebuilt";
import { isBehind } from "../../../events/ordering";
import { releasedPerSecond } from "../../../events/queue";
import { endpointAndLane } from "../../../events/raise";
import { deletedEndpoints, webhookDeliveries, webhookEndpoints } from "../../../events/table";
import type { Poked } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import type { EndpointState } from "../../../shared/webhook-states";
import { type Forsaken, lastError } from "../attempts/policy";
import { maskedValue, type StaticHeaders } from "./headers.policy";
import { DELIVERY_TRANSITIONS } from "./lifecycle";

const delivery = alias(webhookDeliveries, "delivery");
const endpoint = alias(webhookEndpoints, "endpoint");
const deleted = alias(deletedEndpoints, "deleted");

export const MAX_ENDPOINTS = 100;

/** Deliveries of an endpoint that one commit holds, releases or fails. */
export const PORTION = 500;
/** What a resume holds at once, so that what a suspension has not come to yet is released at its pace too. */
const HELD_BY_RESUME = 10_000;

/** Binds the encrypted headers to their endpoint. */
export const headersContext = ({ organizationId, webhookId }: { organizationId: string; webhookId: string }) =>
	`${organizationId}:${webhookId}`;

/** The columns of an endpoint's static headers: what reads show of them, and what deliveries carry. */
export async function sealHeaders({ config }: Services, of: { organizationId: string; webhookId: string }, headers: StaticHeaders) {
	const masked = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskedValue(value)]));
	const none = Object.keys(headers).length === 0;
	const sealed = none ? null : await config.keyring.seal("webhook-headers", headersContext(of), JSON.stringify(headers));
	return { maskedHeaders: masked, sealedHeaders: sealed };
}

/** Throws when they cannot be decrypted: without them the receiver might refuse what is ours to send. */
export async function openHeaders(
	{ config }: Services,
	of: { organizationId: string; webhookId: string; sealedHeaders: string | null },
): Promise<StaticHeaders> {
	if (of.sealedHeaders === null) return {};
	const opened = await config.keyring.open("webhook-headers", headersContext(of), of.sealedHeaders);
	if (opened === undefined) throw new Error("the headers of an endpoint cannot be decrypted");
	return JSON.parse(opened);
}

export const endpointsOf = (orm: Orm, organizationId: string) =>
	orm
		.select()
		.from(webhookEndpoints)
		.where(eq(webhookEndpoints.organizationId, organizationId))
		.orderBy(desc(webhookEndpoints.createdAt), desc(webhookEndpoints.id));

export const countEndpoints = (orm: Orm, organizationId: string) =>
	orm.select({ count: count() }).from(webhookEndpoints).where(eq(webhookEndpoints.organizationId, organizationId));

/** Aborts the commit as stale when a concurrent request has reached the limit. */
export const orTooManyEndpoints = (organizationId: string): SQL =>
	orStaleUnless(
		sql`(select count(*) from ${webhookEndpoints} where ${webhookEndpoints.organizationId} = ${organizationId}) <= ${MAX_ENDPOINTS}`,
	);

/** Holds pending deliveries, one portion. One in flight is held when its attempt ends. */
export const holdPending = (orm: Orm, webhookId: string, condition = ALWAYS): Statement =>
	orm.run(sql`
		update ${webhookDeliveries} set ${bare(webhookDeliveries.nextAttemptAt)} = null
		where ${webhookDeliveries.id} in (
			select ${delivery.id} from ${webhookDeliveries} ${delivery}
			where ${delivery.webhookId} = ${webhookId} and ${delivery.nextAttemptAt} is not null and ${delivery.claimedUntil} is null and ${condition} limit ${PORTION})`);

/** Holds what is still due at an endpoint that is resumed: deliveries that its suspension has not come to. */
export const holdLeft = (orm: Orm, webhookId: string, now: number): Statement =>
	orm.run(sql`
		update ${webhookDeliveries} set ${bare(webhookDeliveries.nextAttemptAt)} = null
		where ${webhookDeliveries.id} in (
			select ${delivery.id} from ${webhookDeliveries} ${delivery}
			where ${delivery.webhookId} = ${webhookId} and ${delivery.nextAttemptAt} <= ${now} and ${delivery.claimedUntil} is null
			order by ${delivery.nextAttemptAt} limit ${HELD_BY_RESUME})`);

/** When the endpoint was deleted, as a subquery; null when it was not, or no delivery of it was left. */
export const deletedAtOf = (webhookId: Column): SQL =>
	sql`(select ${deleted.deletedAt} from ${deletedEndpoints} ${deleted} where ${deleted.id} = ${webhookId})`;

/** Remembers when the endpoint was deleted, where deliveries are still pending in their rows. */
export const rememberDeletion = (orm: Orm, organizationId: string, webhookId: string, now: number): Statement =>
	orm.run(sql`
		insert into ${deletedEndpoints} (${bareList(deletedEndpoints.id, deletedEndpoints.organizationId, deletedEndpoints.deletedAt)})
		select ${webhookId}, ${organizationId}, ${now} where exists (
			select 1 from ${webhookDeliveries} ${delivery} where ${delivery.organizationId} = ${organizationId} and ${delivery.webhookId} = ${webhookId} and ${delivery.status} = 'PENDING')`);

/** Forgets deletions whose deliveries have all FAILED in their rows. */
export const settledDeletions = (orm: Orm): { readonly any: SQL; readonly forget: Statement } => {
	const settled = sql`from ${deletedEndpoints} where not exists (
			select 1 from ${webhookDeliveries} ${delivery}
			where ${delivery.organizationId} = ${deletedEndpoints.organizationId} and ${delivery.webhookId} = ${deletedEndpoints.id} and ${delivery.status} = 'PENDING')`;
	return { any: sql`exists (select 1 ${settled})`, forget: orm.run(sql`delete ${settled}`) };
};

/** Fails the newest pending deliveries of an endpoint that is deleted, one portion. */
export const failPending = (orm: Orm, organizationId: string, webhookId: string, now: number): Statement =>
	failDeliveries(orm, sql`(select d.id from ${newestPending(organizationId, webhookId)} d)`, "WEBHOOK_DELETED", now);

const newestPending = (organizationId: string, webhookId: string): SQL => sql`(
	select ${webhookDeliveries.id} from ${webhookDeliveries}
	where ${webhookDeliveries.organizationId} = ${organizationId} and ${webhookDeliveries.webhookId} = ${webhookId} and ${webhookDeliveries.status} = 'PENDING'
	order by ${webhookDeliveries.createdAt} desc, ${webhookDeliveries.id} desc limit ${PORTION})`;

/** Fails held deliveries of an endpoint, the oldest first. */
export const failHeld = (orm: Orm, webhookId: string, reason: Forsaken, now: number, limit: number): Statement =>
	failDeliveries(orm, sql`(${oldestHeld(webhookId, limit)})`, reason, now);

/** An attempt in flight may still arrive, but its outcome is no longer recorded. */
export const failDeliveries = (orm: Orm, ids: SQL, reason: Forsaken, now: number): Statement =>
	orm.run(sql`
		update ${webhookDeliveries} set
			${assign(webhookDeliveries, {
				status: DELIVERY_TRANSITIONS.FAIL.to,
				failedAt: reason === "WEBHOOK_DELETED" ? sql`coalesce(${deletedAtOf(webhookDeliveries.webhookId)}, ${now})` : now,
				lastError: lastError(reason),
				nextAttemptAt: null,
				attemptOutcome: sql`case when ${webhookDeliveries.claimedUntil} is null then ${webhookDeliveries.attemptOutcome} else 'INTERRUPTED' end`,
				attemptErrorClass: sql`case when ${webhookDeliveries.claimedUntil} is null then ${webhookDeliveries.attemptErrorClass} else 'INTERRUPTED' end`,
				claim: null,
				claimedUntil: null,
			})}
			where ${webhookDeliveries.id} in ${ids} and ${webhookDeliveries.status} = 'PENDING'`);

const oldestHeld = (webhookId: string, limit: number, condition = ALWAYS): SQL => sql`
	select ${webhookDeliveries.id} from ${webhookDeliveries}
	where ${webhookDeliveries.webhookId} = ${webhookId} and ${webhookDeliveries.status} = 'PENDING' and ${webhookDeliveries.nextAttemptAt} is null
		and ${condition}
	order by ${webhookDeliveries.createdAt} limit ${limit}`;

/** Releases the oldest held delivery that waits for no other. */
export const releaseProbe = (orm: Orm, webhookId: string, now: number) =>
	orm.all<Poked>(sql`
		update ${webhookDeliveries} set ${bare(webhookDeliveries.nextAttemptAt)} = ${now}
		where ${webhookDeliveries.id} = (${oldestHeld(webhookId, 1, sql`not ${isBehind(webhookDeliveries)}`)})
		returning ${endpointAndLane}`);

/**
 * Releases deliveries held for an active endpoint, the oldest first, as many as ten requests a second carry. One portion, and none before the last one has
 * had its turns: a later attempt or the sweep releases the next. Wakes the consumer up for the first; `wakeLater` in the same commit does
 * for the others.
 */
export function releaseHeld(services: Services, webhookId: string, condition = ALWAYS): Effect {
	const { db, now, queue } = services;
	const { orm } = db;
	const pace = sql`(select ${releasedPerSecond(endpoint)} from ${webhookEndpoints} ${endpoint} where ${endpoint.id} = ${webhookId})`;
	return effect(
		[
			orm.all<Poked>(sql`
				update ${webhookDeliveries} set ${bare(webhookDeliveries.nextAttemptAt)} = ${now} + 1000 * cast(d.place / ${pace} as integer)
				from (
					select ${webhookDeliveries.id} as held_id, row_number() over (order by ${webhookDeliveries.createdAt}) - 1 as place from ${webhookDeliveries}
					where ${webhookDeliveries.webhookId} = ${webhookId} and ${webhookDeliveries.status} = 'PENDING' and ${webhookDeliveries.nextAttemptAt} is null and ${condition}
						and exists (select 1 from ${webhookEndpoints} where ${webhookEndpoints.id} = ${webhookId} and ${webhookEndpoints.status} = 'ACTIVE' and coalesce(${webhookEndpoints.releasedUntil}, 0) <= ${now})
					order by ${webhookDeliveries.createdAt} limit ${PORTION}
				) d
				where ${webhookDeliveries.id} = d.held_id
				returning ${endpointAndLane}`),
			orm.run(sql`
				update ${webhookEndpoints} set ${bare(webhookEndpoints.releasedUntil)} = ${now} + cast(1000 * changes() / ${releasedPerSecond(webhookEndpoints)} as integer)
				where ${webhookEndpoints.id} = ${webhookId} and changes() > 0`),
		],
		([[released]]) => {
			if (released) services.afterwards(() => queue.poke([released]));
		},
	);
}

const isHeld = sql`${webhookDeliveries.status} = 'PENDING' and ${webhookDeliveries.nextAttemptAt} is null`;

/** The endpoints for which deliveries are held; without a status those that were deleted. */
export const endpointsWithHeld = (orm: Orm, limit: number) =>
	orm.all<{ webhookId: string; status: EndpointState | null; suspendedAt: number | null; releasedUntil: number | null }>(sql`
		with ${distinct("held", webhookDeliveries.webhookId, isHeld)}
		select held.webhook_id as "webhookId", ${endpoint.status} as "status", ${endpoint.suspendedAt} as "suspendedAt", ${endpoint.releasedUntil} as "releasedUntil"
		from held left join ${webhookEndpoints} ${endpoint} on ${endpoint.id} = held.webhook_id
		where held.webhook_id is not null limit ${limit}`);
