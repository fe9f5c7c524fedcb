// The event feed: all events of the organization, oldest first, whether or not an endpoint subscribes to them. Every page has a `next`,
// even the last one, so that a reader can keep polling. A reader who looks back reads it newest first, until a page is empty.

import { and, desc, eq, getTableColumns } from "drizzle-orm";
import * as z from "zod";
import { indexedBy } from "../../../db/indexed-by";
import { first } from "../../../db/reads";
import { webhookEvents } from "../../../events/table";
import { apiKey, member, oneOf } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { cursorAt, openPage, type Paging, paging } from "../../../http/paging";
import type { Services } from "../../../runtime/services";
import { ApiError, badInput } from "../../../shared/errors";
import { Instant } from "../../../shared/timestamp";
import { checkFilter } from "../event-type.policy";
import { EventTypeEntry, toEventTypeEntry, toWebhookEvent, WebhookEvent } from "../wire";

const eventReader = oneOf(member("org:webhooks:read"), apiKey("events:read"));

export const listEventTypes = operation({
	id: "listEventTypes",
	method: "GET",
	path: "/v1/webhooks/events/types",
	summary: "Event types that an endpoint can subscribe to",
	access: eventReader,
	request: {},
	response: z.array(EventTypeEntry),
	reads: "unconstrained",
	async handle(_, { eventTypes }) {
		return [...(await eventTypes()).values()].filter(({ subscribable }) => subscribable).map(toEventTypeEntry);
	},
});

export const listEvents = operation({
	id: "listEvents",
	method: "GET",
	path: "/v1/webhooks/events",
	summary: "Events of the organization, oldest first",
	access: eventReader,
	request: {
		query: z.object({
			...paging,
			type: z.string().optional(),
			created_from: Instant.optional().meta({ description: "Inclusive" }),
			created_until: Instant.optional().meta({ description: "Exclusive" }),
			from: z
				.enum(["latest"])
				.optional()
				.meta({ description: "No events, and as `next` the present end of the feed. Not together with `after`" }),
			order: z.enum(["asc", "desc"]).optional().meta({ description: "desc: the latest events, newest first" }),
		}),
	},
	response: z.object({ data: z.array(WebhookEvent), next: z.string(), prev: z.string().nullable() }),
	reads: "primary",
	async handle({ query, caller: { organizationId } }, services) {
		const { db } = services;
		const { type, created_from, created_until } = query;
		checkFilter(await services.eventTypes(), "query.type", type);
		const newestFirst = query.order === "desc";
		const filters = { type, created_from, created_until, ...(newestFirst && { order: "desc" }) };
		const list = { list: "webhook-events", owner: organizationId, filters };
		if (query.from !== undefined) return endOf(services, list, organizationId, query);
		const { statement, window, page } = await openPage(services, query, {
			...list,
			// With a type SQLite would still go by the primary key, and read past the events of all other types.
			select: (orm) =>
				orm
					.select(getTableColumns(webhookEvents))
					.from(type === undefined ? webhookEvents : indexedBy(webhookEvents, "webhook_events_by_type"))
					.$dynamic(),
			key: {
				at: webhookEvents.createdAt,
				id: webhookEvents.sequence,
				order: newestFirst ? "newest" : "oldest",
				of: (row) => [row.createdAt, row.sequence],
			},
			where: and(eq(webhookEvents.organizationId, organizationId), type === undefined ? undefined : eq(webhookEvents.eventType, type)),
			range: { from: created_from, until: created_until },
		});
		const found = await db.read(statement);
		const { rows, prev } = await page(found);
		const last = rows.at(-1);
		// The reader's position; without a cursor, a position before all events.
		const [at, sequence] = window.after ?? window.before ?? [0, 0];
		const onward = newestFirst ? -1 : 1;
		const before = window.before ? Number(sequence) - onward : Number(sequence);
		// A reader who started on an empty feed is still on the first page.
		const first = window.after !== undefined && window.after[0] === 0;
		const end = last ? ([last.createdAt, last.sequence] as const) : ([at, before] as const);
		return {
			data: rows.map(toWebhookEvent),
			next: await cursorAt(services, list, end),
			prev: first ? null : rows.length === 0 && window.after ? await cursorAt(services, list, [at, Number(sequence) + onward]) : prev,
		};
	},
});

/** The feed's end, from which a reader follows what happens from now on. */
async function endOf(
	services: Services,
	list: Parameters<typeof cursorAt>[1],
	organizationId: string,
	{ after, before, order }: Paging & { order?: string | undefined },
) {
	if (after !== undefined || before !== undefined) {
		throw badInput("query.from", "cannot be sent together with a cursor", "MUTUALLY_EXCLUSIVE");
	}
	if (order === "desc") throw badInput("query.from", "cannot be sent together with order=desc", "MUTUALLY_EXCLUSIVE");
	const { db } = services;
	const { createdAt, sequence } = webhookEvents;
	const last = await db.read(
		first(
			db.orm
				.select({ createdAt, sequence })
				.from(webhookEvents)
				.where(eq(webhookEvents.organizationId, organizationId))
				.orderBy(desc(createdAt), desc(sequence))
				.limit(1),
		),
	);
	return { data: [], next: await cursorAt(services, list, last ? [last.createdAt, last.sequence] : [0, 0]), prev: null };
}

export const getEvent = operation({
	id: "getEvent",
	method: "GET",
	path: "/v1/webhooks/events/{event_id}",
	summary: "An event",
	access: eventReader,
	request: { path: z.object({ event_id: z.uuid().toLowerCase() }) },
	response: WebhookEvent,
	reads: "primary",
	errors: ["NOT_FOUND"],
	async handle({ path, caller: { organizationId } }, { db }) {
		const row = await db.read(
			first(
				db.orm
					.select()
					.from(webhookEvents)
					.where(and(eq(webhookEvents.id, path.event_id), eq(webhookEvents.organizationId, organizationId))),
			),
		);
		if (!row) throw new ApiError("NOT_FOUND");
		return toWebhookEvent(row);
	},
});
