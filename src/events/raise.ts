// The transactional outbox: the commit that raises an event also inserts the event and a pending delivery for each
// subscribed endpoint. SQL selects the endpoints within the commit, so that concurrent registrations and suspensions are taken into account.

import { type Column, is, type Placeholder, SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type * as z from "zod";
import { bareList } from "../db/columns";
import type { Effect } from "../db/database";
import { ALWAYS, hole, prebuilt } from "../db/prebuilt";
import type { Poked } from "../runtime/ports";
import type { Services } from "../runtime/services";
import { type EventType, PAYLOAD_VERSION } from "../shared/event-type";
import { homeDigits } from "../shared/ids";
import { dueInBatch } from "./batches";
import { isWanted } from "./filter";
import { countMade, deliveriesAreMadeFor } from "./holdings";
import { BEHIND, entityOf, hasOpen } from "./ordering";
import { eventPurges, webhookDeliveries, webhookEndpoints, webhookEvents } from "./table";

const event = alias(webhookEvents, "event");
const earlier = alias(webhookDeliveries, "earlier");
const endpoint = alias(webhookEndpoints, "endpoint");

/** The lane of the deliveries of an endpoint. */
export const laneOf = ({ slow }: { slow: Column }): SQL => sql`case when ${slow} then 'SLOW' else 'QUICK' end`;

/** For the RETURNING clause of a statement that makes deliveries due. */
export const endpointAndLane = sql`
	${webhookDeliveries.webhookId} as "webhookId",
	(select ${laneOf(endpoint)} from ${webhookEndpoints} ${endpoint} where ${endpoint.id} = ${webhookDeliveries.webhookId}) as "lane"`;

/**
 * When the delivery is due, and whether something else is due at its endpoint before that and is not in flight: then a message is
 * outstanding, or a run draws it. One behind another of its entity is drawn when that has ended.
 */
export const dueAndAwaited = sql`
	${webhookDeliveries.nextAttemptAt} as "dueAt",
	exists (
		select 1 from ${webhookDeliveries} ${earlier}
		where ${earlier.webhookId} = ${webhookDeliveries.webhookId} and ${earlier.nextAttemptAt} < ${webhookDeliveries.nextAttemptAt} and ${earlier.claimedUntil} is null)
	or ${webhookDeliveries.nextAttemptAt} = ${BEHIND} as "isAwaited"`;

export type Made = Poked & { dueAt: number; isAwaited: number };

/** Wakes the consumer up for the endpoints at which nothing was due before, once for each. */
export function wake(services: Services, made: readonly Made[]): void {
	const idle = new Map<string, Poked>();
	for (const { webhookId, lane, dueAt, isAwaited } of made) {
		const delaySeconds = Math.max(0, dueAt - services.now) / 1000;
		if (!isAwaited && delaySeconds <= (idle.get(webhookId)?.delaySeconds ?? Number.POSITIVE_INFINITY))
			idle.set(webhookId, { webhookId, lane, ...(delaySeconds > 0 && { delaySeconds }) });
	}
	if (idle.size > 0) services.afterwards(() => services.queue.poke([...idle.values()]));
}

export type RaisedEvent<Data extends z.ZodObject> = {
	/** The event's id; needed only when the caller must know it beforehand. */
	id?: string;
	/** null: no event is raised. */
	organizationId: string | null;
	/**
	 * The id of what the event happened to, or of the occurrence (such as the cycle or the delivery) if the same can happen to it
	 * again; by default the event's own id. It makes the `event_key`, which no other event of the organization may have.
	 */
	entityId?: string;
	/** A number may be SQL, which the commit computes at the place where the event is raised. */
	data: { [M in keyof z.input<Data>]: z.input<Data>[M] | (number extends z.input<Data>[M] ? SQL<number> : never) };
	/** Skips this endpoint. */
	except?: string;
	/** Raises the event only if this condition holds within the commit; otherwise writes nothing. */
	when?: SQL;
};

const { placeholder } = sql;

/** The sequence and instant of the organization's last event, or of the last that was purged; 0 before the first. */
const lastOf = (organizationId: string | Placeholder): SQL => sql`(
	select coalesce(max(number), 0) as sequence, coalesce(max(instant), 0) as created_at from (
		select * from (
			select ${webhookEvents.sequence} as number, ${webhookEvents.createdAt} as instant from ${webhookEvents}
			where ${webhookEvents.organizationId} = ${organizationId}
			order by ${webhookEvents.createdAt} desc, ${webhookEvents.sequence} desc limit 1)
		union all select ${eventPurges.sequence}, ${eventPurges.createdAt} from ${eventPurges} where ${eventPurges.organizationId} = ${organizationId}))`;

/** Whether the endpoint gets events of the type. Its types are one JSON text, because `json_each` would read a row for each. */
export const subscribesTo = ({ events }: { events: Column }, type: string | Placeholder | SQL): SQL =>
	sql`instr(${events}, '"' || ${type} || '"') > 0`;

/** The columns of an event when it is raised, and of a delivery when it is made; the others have their defaults. */
const newEvent = bareList(
	webhookEvents.id,
	webhookEvents.organizationId,
	webhookEvents.sequence,
	webhookEvents.eventType,
	webhookEvents.category,
	webhookEvents.eventKey,
	webhookEvents.payloadVersion,
	webhookEvents.data,
	webhookEvents.createdAt,
	webhookEvents.cause,
);
export const newDelivery = bareList(
	webhookDeliveries.id,
	webhookDeliveries.organizationId,
	webhookDeliveries.webhookId,
	webhookDeliveries.eventId,
	webhookDeliveries.eventType,
	webhookDeliveries.status,
	webhookDeliveries.attempts,
	webhookDeliveries.round,
	webhookDeliveries.roundAttempts,
	webhookDeliveries.nextAttemptAt,
	webhookDeliveries.createdAt,
	webhookDeliveries.entityId,
	webhookDeliveries.eventSequence,
);

/** A value of a new delivery for the endpoint, where that asks for order. */
export const ifOrdered = ({ ordering }: { ordering: Column }, value: SQL): SQL => sql`case when ${ordering} = 'ENTITY' then ${value} end`;

/**
 * When a new delivery of an entity is due: after the one of the entity that is open, else with its batch.
 *
 * @param before how many the same statement makes before it
 */
const dueWithOthers = (entityId: SQL, now: number | Placeholder, before?: SQL): SQL =>
	sql`case when ${endpoint.ordering} = 'ENTITY' and ${hasOpen({ webhookId: endpoint.id, entityId })} then ${BEHIND} else ${dueInBatch(endpoint, now, before)} end`;

export const countMadeDeliveries = prebuilt((orm) => orm.run(countMade(placeholder("organizationId"))));

const insertEvent = prebuilt((orm) =>
	orm.run(sql`
		insert into ${webhookEvents} (${newEvent})
		select ${placeholder("eventId")}, ${placeholder("organizationId")}, last.sequence + 1, ${placeholder("type")}, ${placeholder("category")},
			${placeholder("key")}, ${PAYLOAD_VERSION}, ${hole("data")}, max(last.created_at, ${placeholder("now")}), ${placeholder("cause")}
		from ${lastOf(placeholder("organizationId"))} last where ${hole("when")}`),
);
const value = (name: string): SQL => sql`(e.value ->> ${sql.raw(`'${name}'`)})`;
const raisedAs = (column: Column): SQL => sql`(select ${column} from ${webhookEvents} ${event} where ${event.id} = ${value("id")})`;

/** Of `rows`, each an event that the commit was to raise: the deliveries of those that it has raised. */
const insertDeliveries = prebuilt((orm) =>
	orm.all<Made>(sql`
		insert into ${webhookDeliveries} (${newDelivery})
		select ${uuidOf(placeholder("uuidPrefix"), placeholder("uuidHome"))}, ${endpoint.organizationId}, ${endpoint.id}, ${value("id")}, ${value("type")}, 'PENDING', 0, 1, 0,
			${dueWithOthers(value("about"), placeholder("now"), sql`e.key`)}, ${placeholder("now")},
			${ifOrdered(endpoint, value("about"))}, ${ifOrdered(endpoint, raisedAs(event.sequence))}
		from ${webhookEndpoints} ${endpoint} cross join json_each(${placeholder("rows")}) e
		where ${endpoint.organizationId} = ${placeholder("organizationId")} and ${endpoint.status} = 'ACTIVE' and ${deliveriesAreMadeFor(endpoint, placeholder("quota"))}
			and ${subscribesTo(endpoint, value("type"))} and ${endpoint.id} is not ${value("except")} and ${raisedAs(event.id)} is not null and ${hole("when")}
			and ${isWanted(endpoint, { type: value("type"), entityId: value("about"), data: raisedAs(event.data) })}
		returning ${endpointAndLane}, ${dueAndAwaited}`),
);

/** Events of one organization that a commit raises. `about`: the entity. */
type Raised = {
	readonly services: Services;
	readonly organizationId: string;
	readonly rows: readonly { readonly id: string; readonly type: string; readonly about: string | null; readonly except: string | null }[];
};

/**
 * The deliveries of what a commit raises, with one statement for all events of an organization. After the commit a message for each endpoint
 * that had none outstanding goes to the queue; if it is lost, that costs a minute, not a delivery.
 */
const deliver = (raised: readonly Raised[]): Effect => deliverIf(raised, ALWAYS);

function deliverIf(raised: readonly Raised[], when: SQL): Effect {
	const [{ services } = {}] = raised;
	if (!services) return { statements: [] };
	const byOrganization = [...Map.groupBy(raised, ({ organizationId }) => organizationId)];
	return {
		statements: byOrganization.flatMap(([organizationId, some]) => {
			const { now, config } = services;
			const rows = JSON.stringify(some.flatMap(({ rows }) => rows));
			const { home } = services.at(organizationId);
			return [
				insertDeliveries({ organizationId, rows, now, when, quota: config.WEBHOOK_QUOTA, ...uuidParts(now, home) }),
				countMadeDeliveries({ organizationId }),
			];
		}),
		committed(results) {
			wake(services, results.filter((_, index) => index % 2 === 0).flat() as Made[]);
		},
	};
}

/** The writes that raise an event. */
export function raise<Data extends z.ZodObject>(
	services: Services,
	{ type, category }: EventType<Data>,
	{ id, organizationId, entityId, data, except, when: condition }: RaisedEvent<Data>,
): Effect {
	if (organizationId === null) return { statements: [] };
	const there = services.at(organizationId);
	if (there.db !== services.db) throw new Error(`${type} is raised in another database than its organization's`);
	const eventId = id ?? there.newId();
	const { now } = services;
	const when = condition ?? ALWAYS;
	const raised: Raised = { services, organizationId, rows: [{ id: eventId, type, about: entityOf(data), except: except ?? null }] };
	const statement = insertEvent({
		...{ eventId, organizationId, type, category, now, when, cause: services.requestId },
		key: `${type}:${entityId ?? eventId}`,
		data: payloadOf(data),
	});
	const mark = condition === undefined && id === undefined ? { table: webhookEvents, id: eventId } : undefined;
	// A commit that skips an endpoint may end it after this, and others of the organization. An event of this id that was raised before has had
	// its deliveries, which may have ended.
	const isAlone = except !== undefined || (id !== undefined && condition !== undefined);
	if (!isAlone) return { statements: [statement], together: { by: deliver, part: raised }, mark };
	const { statements, committed } = deliverIf([raised], sql`changes() > 0`);
	return { statements: [statement, ...statements], committed: (results) => committed?.(results.slice(1)), mark };
}

/** The payload as JSON text. A value that SQL computes stands as null until then. */
function payloadOf(data: { readonly [member: string]: unknown }): SQL {
	const computed = Object.entries(data).flatMap(([name, value]) => (is(value, SQL) ? [sql`, ${`$.${name}`}, ${value}`] : []));
	const text = JSON.stringify(data, (_, value) => (is(value, SQL) ? null : value));
	return computed.length === 0 ? sql`${text}` : sql`json_set(${text}${sql.join(computed)})`;
}

export type RaisedEvents<Data extends z.ZodObject> = {
	organizationId: string;
	/** In the order of the feed. `entityId` as for a single event. */
	events: readonly { entityId: string; data: z.input<Data> }[];
};

const insertEvents = prebuilt((orm) =>
	orm.run(sql`
		insert into ${webhookEvents} (${newEvent})
		select e.value ->> 'id', ${placeholder("organizationId")}, last.sequence + e.key + 1, ${placeholder("type")}, ${placeholder("category")}, e.value ->> 'key',
			${PAYLOAD_VERSION}, e.value ->> 'data', max(last.created_at, ${placeholder("now")}), ${placeholder("cause")}
		from ${lastOf(placeholder("organizationId"))} last cross join json_each(${placeholder("rows")}) e`),
);

/** The writes that raise many events of one type, in as many statements as one event takes. */
export function raiseAll<Data extends z.ZodObject>(
	services: Services,
	{ type, category }: EventType<Data>,
	{ organizationId, events }: RaisedEvents<Data>,
): Effect {
	if (events.length === 0) return { statements: [] };
	const there = services.at(organizationId);
	if (there.db !== services.db) throw new Error(`${type} is raised in another database than its organization's`);
	const { now } = services;
	const rows = events.map(({ entityId, data }) => ({
		...{ id: there.newId(), key: `${type}:${entityId}`, data: JSON.stringify(data) },
		about: entityOf(data),
	}));
	const raised: Raised = { services, organizationId, rows: rows.map(({ id, about }) => ({ id, type, about, except: null })) };
	return {
		statements: [insertEvents({ organizationId, type, category, now, cause: services.requestId, rows: JSON.stringify(rows) })],
		together: { by: deliver, part: raised },
	};
}

/** A version 7 UUID of a home computed by SQLite, a new one for each row of an INSERT … SELECT. */
export const uuidv7Sql = (nowMs: number, home: number): SQL => {
	const { uuidPrefix, uuidHome } = uuidParts(nowMs, home);
	return uuidOf(uuidPrefix, uuidHome);
};

function uuidParts(nowMs: number, home: number) {
	const time = nowMs.toString(16).padStart(12, "0");
	return { uuidPrefix: `${time.slice(0, 8)}-${time.slice(8)}-7`, uuidHome: homeDigits(home) };
}

const uuidOf = (prefix: string | Placeholder, homePart: string | Placeholder): SQL =>
	sql`${prefix} || substr(lower(hex(randomblob(2))), 2) || '-' || substr('89ab', 1 + (abs(random()) % 4), 1) || ${homePart} || '-' || lower(hex(randomblob(6)))`;
