// Reads and writes endpoints. A commit that suspends an endpoint also holds its pending deliveries
// (`next_attempt_at` null). One that resumes it releases a single delivery as a probe; the rest follow when its first attempt has ended.

import { and, count, desc, eq, type SQL, sql } from "drizzle-orm";
import { type Effect, effect, type Orm, type Statement } from "../../../db/database";
import { distinct } from "../../../db/distinct";
import { orStaleUnless } from "../../../db/guards";
import { ALWAYS } from "../../../db/prebuilt";
import { RELEASED_PER_SECOND } from "../../../events/queue";
import { laneSql } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import type { Poked } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import type { EndpointState } from "../../../shared/webhook-states";
import { type Forsaken, lastError } from "../deliveries/policy";
import { maskedValue, type StaticHeaders } from "./headers.policy";
import { DELIVERY_TRANSITIONS } from "./lifecycle";

export const MAX_ENDPOINTS = 100;

/** Deliveries of an endpoint that one commit holds, releases or fails. */
const PORTION = 500;

const headersContext = ({ organizationId, webhookId }: { organizationId: string; webhookId: string }) => `${organizationId}:${webhookId}`;

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

export const findEndpoint = (orm: Orm, organizationId: string, webhookId: string) =>
	orm
		.select()
		.from(webhookEndpoints)
		.where(and(eq(webhookEndpoints.id, webhookId), eq(webhookEndpoints.organizationId, organizationId)));

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
	orStaleUnless(sql`(select count(*) from ${webhookEndpoints} where organization_id = ${organizationId}) <= ${MAX_ENDPOINTS}`);

/** Holds the newest pending deliveries, one portion; the sweep holds the rest when they are due. One in flight is held when its attempt ends. */
export const holdPending = (orm: Orm, organizationId: string, webhookId: string, condition = ALWAYS): Statement =>
	orm.run(sql`
		update ${webhookDeliveries} set next_attempt_at = null
		where id in (
			select d.id from ${newestPending(organizationId, webhookId)} d
			where d.next_attempt_at is not null and d.claimed_until is null and ${condition})`);

/** Fails the newest pending deliveries of an endpoint that is deleted, one portion; the sweep fails the rest. */
export const failPending = (orm: Orm, organizationId: string, webhookId: string, now: number): Statement =>
	failDeliveries(orm, sql`(select d.id from ${newestPending(organizationId, webhookId)} d)`, "WEBHOOK_DELETED", now);

const newestPending = (organizationId: string, webhookId: string): SQL => sql`(
	select id, next_attempt_at, claimed_until from ${webhookDeliveries}
	where organization_id = ${organizationId} and webhook_id = ${webhookId} and status = 'PENDING'
	order by created_at desc, id desc limit ${PORTION})`;

/** Fails held deliveries of an endpoint, the oldest first. */
export const failHeld = (orm: Orm, webhookId: string, reason: Forsaken, now: number, limit: number): Statement =>
	failDeliveries(orm, sql`(${oldestHeld(webhookId, limit)})`, reason, now);

/** An attempt in flight may still arrive, but its outcome is no longer recorded. */
export const failDeliveries = (orm: Orm, ids: SQL, reason: Forsaken, now: number): Statement =>
	orm.run(sql`
		update ${webhookDeliveries} set
			status = ${DELIVERY_TRANSITIONS.FAIL.to}, failed_at = ${now}, last_error = ${lastError(reason)}, next_attempt_at = null,
			attempt_outcome = case when claimed_until is null then attempt_outcome else 'INTERRUPTED' end,
			attempt_error_class = case when claimed_until is null then attempt_error_class else 'INTERRUPTED' end, claim = null, claimed_until = null
		where id in ${ids} and status = 'PENDING'`);

const oldestHeld = (webhookId: string, limit: number): SQL => sql`
	select id from ${webhookDeliveries}
	where webhook_id = ${webhookId} and status = 'PENDING' and next_attempt_at is null
	order by created_at limit ${limit}`;

/** Releases the oldest held delivery. */
export const releaseProbe = (orm: Orm, webhookId: string, now: number) =>
	orm.all<Poked>(sql`
		update ${webhookDeliveries} set next_attempt_at = ${now}
		where id = (${oldestHeld(webhookId, 1)})
		returning id, ${laneSql}`);

/**
 * Releases deliveries held for an active endpoint, the oldest first, ten a second. One portion, and none before the last one has
 * had its turns: a later attempt or the sweep releases the next.
 */
export function releaseHeld({ db: { orm }, now, queue, afterwards }: Services, webhookId: string, condition = ALWAYS): Effect {
	return effect(
		[
			orm.all<Poked & { dueAt: number }>(sql`
				update ${webhookDeliveries} set next_attempt_at = ${now} + 1000 * cast(d.place / ${RELEASED_PER_SECOND} as integer)
				from (
					select id as held_id, row_number() over (order by created_at) - 1 as place from ${webhookDeliveries}
					where webhook_id = ${webhookId} and status = 'PENDING' and next_attempt_at is null and ${condition}
						and exists (select 1 from ${webhookEndpoints} where id = ${webhookId} and status = 'ACTIVE' and coalesce(released_until, 0) <= ${now})
					order by created_at limit ${PORTION}
				) d
				where webhook_deliveries.id = d.held_id
				returning id, ${laneSql}, next_attempt_at as "dueAt"`),
			orm.run(sql`
				update ${webhookEndpoints} set released_until = ${now} + cast(1000 * changes() / ${RELEASED_PER_SECOND} as integer)
				where id = ${webhookId} and changes() > 0`),
		],
		([rows]) => {
			const released = rows.map(({ id, lane, dueAt }) => ({ id, lane, delaySeconds: (dueAt - now) / 1000 }));
			if (released.length > 0) afterwards(() => queue.poke(released));
		},
	);
}

/** The endpoints for which deliveries are held; without a status those that were deleted. */
export const endpointsWithHeld = (orm: Orm, limit: number) =>
	orm.all<{ webhookId: string; status: EndpointState | null; suspendedAt: number | null; releasedUntil: number | null }>(sql`
		with ${distinct("held", webhookDeliveries, "webhook_id", sql`t.status = 'PENDING' and t.next_attempt_at is null`)}
		select held.webhook_id as "webhookId", w.status as "status", w.suspended_at as "suspendedAt", w.released_until as "releasedUntil"
		from held left join ${webhookEndpoints} w on w.id = held.webhook_id
		where held.webhook_id is not null limit ${limit}`);
