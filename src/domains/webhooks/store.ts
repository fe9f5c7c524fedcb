// What several parts of the domain read: an endpoint of an organization, the body of a delivery, and its attempts.

import { and, type Column, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../../events/table";
import { PAYLOAD_VERSION } from "../../shared/event-type";
import { webhookAttempts } from "./table";
import type { AttemptRow } from "./wire";

const event = alias(webhookEvents, "event");

export const findEndpoint = (orm: Orm, organizationId: string, webhookId: string) =>
	orm
		.select()
		.from(webhookEndpoints)
		.where(and(eq(webhookEndpoints.id, webhookId), eq(webhookEndpoints.organizationId, organizationId)));

/** RFC 3339 with milliseconds, computed with integers because floating point could change the milliseconds. */
const timestampSql = (ms: SQL) => sql`strftime('%Y-%m-%dT%H:%M:%S', ${ms} / 1000, 'unixepoch') || printf('.%03dZ', ${ms} % 1000)`;

/** The columns of the delivery, of the table or of an alias, or what stands for them. */
type Delivery = Readonly<Record<"id" | "eventType" | "organizationId" | "testData" | "eventId" | "createdAt", Column | SQL>>;

/**
 * The bytes that every attempt of the delivery sends. They are not stored but put together from the delivery and its event, of which
 * neither changes; a test has its payload itself. Frozen for payload version 1: another form of the envelope needs another version next to
 * this one.
 */
export const bodyOf = (delivery: Delivery): SQL => sql`(
	select '{"delivery_id":"' || ${delivery.id} || '","event_type":"' || ${delivery.eventType}
		|| '","payload_version":' || coalesce(${event.payloadVersion}, ${sql.raw(String(PAYLOAD_VERSION))})
		|| ',"sent_at":"' || ${timestampSql(sql`${delivery.createdAt}`)} || '","organization_id":"' || ${delivery.organizationId}
		|| '","data":' || coalesce(${delivery.testData}, ${event.data}) || '}'
	from (select 1) left join ${webhookEvents} ${event} on ${event.id} = ${delivery.eventId})`;

/** All attempts in order: those before the last, and the last, which is in the delivery's row. */
export const attemptsOf = (orm: Orm, deliveryId: string) => attemptsWhere(orm, sql`= ${deliveryId}`);

/** All attempts of some deliveries, those of each in order. */
export const attemptsIn = (orm: Orm, deliveryIds: SQL) => attemptsWhere(orm, sql`in ${deliveryIds}`);

const attemptsWhere = (orm: Orm, isMeant: SQL) =>
	orm.all<AttemptRow>(sql`
		select ${webhookAttempts.deliveryId} as "deliveryId", ${webhookAttempts.position} as "position", ${webhookAttempts.number} as "number", ${webhookAttempts.trigger} as "trigger", ${webhookAttempts.startedAt} as "startedAt",
			${webhookAttempts.durationMs} as "durationMs", ${webhookAttempts.outcome} as "outcome", ${webhookAttempts.errorClass} as "errorClass", ${webhookAttempts.responseStatus} as "responseStatus", ${webhookAttempts.responseBody} as "responseBody"
		from ${webhookAttempts} where ${webhookAttempts.deliveryId} ${isMeant}
		union all
		select ${webhookDeliveries.id}, ${webhookDeliveries.attemptPosition}, ${webhookDeliveries.attemptNumber}, ${webhookDeliveries.attemptTrigger}, ${webhookDeliveries.attemptStartedAt}, ${webhookDeliveries.attemptDurationMs}, ${webhookDeliveries.attemptOutcome},
			${webhookDeliveries.attemptErrorClass}, ${webhookDeliveries.responseStatus}, ${webhookDeliveries.responseBody}
		from ${webhookDeliveries} where ${webhookDeliveries.id} ${isMeant} and ${webhookDeliveries.attemptPosition} > 0
		order by "position"`);
