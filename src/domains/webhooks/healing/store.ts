// Probes of suspended endpoints in D1. A probe is an attempt of a delivery that waits, and does not count as one of its six.

import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bareList } from "../../../db/columns";
import type { Write } from "../../../db/database";
import { countMade } from "../../../events/holdings";
import { entityIn, isBehind } from "../../../events/ordering";
import { ifOrdered, newDelivery, raise } from "../../../events/raise";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../../../events/table";
import type { Services } from "../../../runtime/services";
import { toTimestamp } from "../../../shared/time";
import { type Ended, endOf } from "../attempts/end.policy";
import { errorClassOf, isGone } from "../attempts/policy";
import { nextProbe, OUTAGE_BEGINS_MS } from "../attempts/probes.policy";
import { endAttempts } from "../deliveries/attempt.store";
import { begins, type Claimed, claimedNow, keepLastAttempts } from "../deliveries/claim.store";
import { webhookProbeFailed, webhookRecovered, webhookSuspended } from "../events";
import { isMissed, lookedAt } from "../recovery/store";
import { webhookRecoveries, webhookSigningKeys } from "../table";
import { wakeLater } from "../wake.store";

const delivery = alias(webhookDeliveries, "delivery");
const event = alias(webhookEvents, "event");
const held = alias(webhookDeliveries, "held");
const signingKey = alias(webhookSigningKeys, "signing_key");
const endpoint = alias(webhookEndpoints, "endpoint");

/** An endpoint whose probe is due, with the delivery that it is probed with; null when none is left. */
export type Ailing = {
	organizationId: string;
	webhookId: string;
	webhookName: string;
	url: string;
	suspendedAt: number;
	deliveryId: string | null;
};

/** Whether the endpoint is still suspended by failures, with this URL. A resume clears the reason. */
export const isAiling = ({ webhookId, url }: Pick<Ailing, "webhookId" | "url">): SQL => sql`exists (
	select 1 from ${webhookEndpoints} ${endpoint} where ${endpoint.id} = ${webhookId} and ${endpoint.url} = ${url}
		and ${endpoint.suspensionReason} = 'TEN_FAILED_DELIVERIES')`;

/**
 * The oldest delivery that is held and waits for no other; where none is held, the oldest of the outage that FAILED, or the newest of all that
 * FAILED: what suspended it may have been made long before, and sent again.
 */
export const dueProbes = ({ db: { orm }, now }: Services, limit: number) =>
	orm.all<Ailing>(sql`
		select ${endpoint.organizationId} as "organizationId", ${endpoint.id} as "webhookId", ${endpoint.name} as "webhookName", ${endpoint.url} as "url", ${endpoint.suspendedAt} as "suspendedAt", coalesce(
			(select ${delivery.id} from ${webhookDeliveries} ${delivery} where ${delivery.webhookId} = ${endpoint.id} and ${delivery.status} = 'PENDING' and ${delivery.nextAttemptAt} is null
				and not ${isBehind(delivery)} order by ${delivery.createdAt} limit 1),
			(select ${delivery.id} from ${webhookDeliveries} ${delivery} where ${delivery.organizationId} = ${endpoint.organizationId} and ${delivery.webhookId} = ${endpoint.id}
				and ${delivery.status} = 'FAILED' and ${delivery.createdAt} >= ${endpoint.suspendedAt} - ${OUTAGE_BEGINS_MS} order by ${delivery.createdAt} limit 1),
			(select ${delivery.id} from ${webhookDeliveries} ${delivery} where ${delivery.organizationId} = ${endpoint.organizationId} and ${delivery.webhookId} = ${endpoint.id}
				and ${delivery.status} = 'FAILED' order by ${delivery.createdAt} desc limit 1)) as "deliveryId"
		from ${webhookEndpoints} ${endpoint} where ${endpoint.probeAt} <= ${now} limit ${limit}`);

/** Events among which a probe's is looked for: an event that passes the endpoint's filter may be far. */
const MOST_EVENTS = 2_000;

/**
 * Makes a delivery of the first event that the endpoint missed, to probe it with: those of the outage may have left early, because of a
 * quota. It is one, so it is made under every quota. The first statement returns it.
 */
export const makeProbe = ({ db: { orm }, now, newId }: Services, { organizationId, webhookId, suspendedAt }: Ailing) =>
	[
		orm.all<{ id: string }>(sql`
			insert into ${webhookDeliveries} (${newDelivery})
			select ${newId()}, ${endpoint.organizationId}, ${endpoint.id}, looked.id, looked.event_type, 'PENDING', 0, 1, 0, null, ${now},
				${ifOrdered(endpoint, entityIn(sql`looked.data`))}, ${ifOrdered(endpoint, sql`looked.sequence`)}
			from ${webhookEndpoints} ${endpoint} cross join (
					select ${lookedAt} from ${webhookEvents} ${event}
					where ${event.organizationId} = ${organizationId} and ${event.createdAt} >= ${suspendedAt - OUTAGE_BEGINS_MS}
					order by ${event.createdAt}, ${event.sequence} limit ${MOST_EVENTS}) looked
				left join ${webhookDeliveries} ${delivery} on ${delivery.eventId} = looked.id and ${delivery.webhookId} = ${endpoint.id}
			where ${endpoint.id} = ${webhookId} and ${endpoint.status} = 'SUSPENDED' and ${isMissed} and ${delivery.id} is null
				and not exists (select 1 from ${webhookDeliveries} ${held} where ${held.webhookId} = ${endpoint.id} and ${held.status} = 'PENDING' and ${held.nextAttemptAt} is null)
			limit 1 returning ${webhookDeliveries.id}`),
		countMade(organizationId),
	] as const;

/** Schedules the next probe, and claims the delivery for this one. The last statement returns what was claimed. */
export function beginProbe({ db: { orm }, now, realNow }: Services, { webhookId, suspendedAt, deliveryId }: Ailing, token: string) {
	const values = { ids: JSON.stringify([deliveryId]), token, now, realNow };
	const isDue = sql`${webhookDeliveries.id} = ${deliveryId} and ${webhookDeliveries.claimedUntil} is null and ${webhookDeliveries.status} in ('PENDING', 'FAILED')
		and exists (select 1 from ${webhookEndpoints} ${endpoint} where ${endpoint.id} = ${webhookId} and ${endpoint.probeAt} <= ${now} and ${endpoint.status} = 'SUSPENDED')`;
	const ifFailed = (then: SQL, otherwise: SQL) => sql`case ${webhookDeliveries.status} when 'FAILED' then ${then} else ${otherwise} end`;
	return [
		orm.run(keepLastAttempts(isDue)),
		orm.run(sql`
			update ${webhookDeliveries} set ${begins({ token: sql`${token}`, now: sql`${now}`, realNow: sql`${realNow}`, trigger: sql`'PROBE'` })},
				${assign(webhookDeliveries, {
					status: "PENDING",
					nextAttemptAt: now,
					failedAt: null,
					round: ifFailed(sql`${webhookDeliveries.round} + 1`, sql`${webhookDeliveries.round}`),
					roundAttempts: ifFailed(sql`0`, sql`${webhookDeliveries.roundAttempts}`),
					roundInterrupted: ifFailed(sql`0`, sql`${webhookDeliveries.roundInterrupted}`),
				})}
			where ${isDue}`),
		orm
			.update(webhookEndpoints)
			.set({ probeAt: nextProbe(suspendedAt, now) })
			.where(and(eq(webhookEndpoints.id, webhookId), lte(webhookEndpoints.probeAt, now))),
		claimedNow(values),
	] as const;
}

/** What the end of a probe leads to: the endpoint is resumed, or stays suspended. */
export function endProbe(services: Services, { suspendedAt }: Ailing, attempt: Claimed, ended: Ended): Write[] {
	const { organizationId, webhookId, webhookName: name } = attempt;
	const { now } = services;
	const suspended = { webhook_id: webhookId, name, suspended_at: toTimestamp(suspendedAt) };
	const isOpen = sql`exists (
		select 1 from ${webhookDeliveries} ${delivery} where ${delivery.id} = ${attempt.id} and ${delivery.claim} = ${attempt.claim})`;
	const isSuspended = sql`${isOpen} and ${isAiling(attempt)}`;
	const about = { organizationId, except: webhookId };
	const ends = endAttempts(services, [[attempt, ended]]);
	if (isGone(attempt.isTest, ended)) return [...forsake(services, attempt, { reason: "GONE", when: isSuspended }), ...ends];
	if (endOf(attempt, ended, now, 0).after.status !== "DELIVERED") {
		const next = nextProbe(suspendedAt, now);
		const data = {
			...suspended,
			probed_at: toTimestamp(now),
			error_class: errorClassOf(ended) ?? "INTERRUPTED",
			next_probe_at: next === null ? null : toTimestamp(next),
		};
		return [raise(services, webhookProbeFailed, { ...about, data, when: isSuspended }), ...ends];
	}
	const hasLastingKey = sql`exists (select 1 from ${webhookSigningKeys} ${signingKey} where ${signingKey.webhookId} = ${webhookId} and ${signingKey.revokedAt} is null and ${signingKey.expiresAt} is null)`;
	const heals = sql`${isSuspended} and ${hasLastingKey}`;
	return [
		raise(services, webhookRecovered, { ...about, data: { ...suspended, recovered_at: toTimestamp(now) }, when: heals }),
		...recoverMissed(services, attempt, suspendedAt, heals),
		sql`
			update ${webhookEndpoints} set ${assign(webhookEndpoints, {
				...{ status: "ACTIVE", suspendedAt: null, suspensionReason: null, failuresInRow: 0 },
				...{ troubledSince: null, probeAt: null, releasedUntil: null, updatedAt: now },
			})} where ${webhookEndpoints.id} = ${webhookId} and ${heals}`,
		...ends,
		// Also where nothing else was held, so that no end of an attempt releases it.
		wakeLater(services, [webhookId]),
	];
}

/** The endpoint stays suspended, for a reason that does not heal. */
export function forsake(
	services: Services,
	{ organizationId, webhookId, webhookName: name }: Pick<Claimed, "organizationId" | "webhookId" | "webhookName">,
	{ reason, when }: { reason: "GONE" | "PRIVATE_ADDRESS"; when: SQL },
): Write[] {
	const { now } = services;
	const data = { webhook_id: webhookId, name, reason, suspended_at: toTimestamp(now) };
	return [
		raise(services, webhookSuspended, { organizationId, data, except: webhookId, when }),
		sql`
			update ${webhookEndpoints} set ${assign(webhookEndpoints, { suspensionReason: reason, suspendedAt: now, probeAt: null, updatedAt: now })}
			where ${webhookEndpoints.id} = ${webhookId} and ${when}`,
	];
}

const r = webhookRecoveries;

/** Opens the recovery of what the endpoint missed, from the first delivery of the outage on, which may be the probe. The sweep carries it on. */
function recoverMissed({ newId, now }: Services, { id, organizationId, webhookId }: Claimed, suspendedAt: number, when: SQL): SQL[] {
	const outageBegins = suspendedAt - OUTAGE_BEGINS_MS;
	const firstFailed = sql`(
		select ${delivery.createdAt} from ${webhookDeliveries} ${delivery} where ${delivery.organizationId} = ${organizationId} and ${delivery.webhookId} = ${webhookId} and ${delivery.status} = 'FAILED'
			and ${delivery.createdAt} >= ${outageBegins} order by ${delivery.createdAt} limit 1)`;
	const probedWith = sql`(
		select ${event.createdAt} from ${webhookDeliveries} ${delivery} join ${webhookEvents} ${event} on ${event.id} = ${delivery.eventId} where ${delivery.id} = ${id} and ${event.createdAt} >= ${outageBegins})`;
	return [
		// A delivery that its suspension has ended, and the sweep has not come to yet.
		sql`delete from ${r} where ${r.webhookId} = ${webhookId} and ${when}`,
		sql`
			insert into ${r} (${bareList(r.id, r.organizationId, r.webhookId, r.since, r.until, r.position, r.dueUntil)})
			select ${newId()}, ${organizationId}, ${webhookId}, min(${suspendedAt}, coalesce(${firstFailed}, ${suspendedAt}), coalesce(${probedWith}, ${suspendedAt})), ${now + 1}, 0, ${now} where ${when}`,
	];
}
