// The delivery log.

import { and, eq, gte, lt } from "drizzle-orm";
import * as z from "zod";
import { member } from "../../http/access";
import { ApiError } from "../../http/errors";
import { operation } from "../../http/operation";
import { paging, readPage } from "../../http/paging";
import { attemptsOf, findDelivery, summaryColumns } from "./delivery.store";
import { DELIVERY_STATES } from "./lifecycle";
import { webhookDeliveries } from "./table";
import { DeliveryRecord, DeliverySummary, eventType, instant, toDeliveryRecord, toDeliverySummary } from "./wire";

export const listDeliveries = operation({
	id: "listDeliveries",
	method: "GET",
	path: "/v1/webhooks/deliveries",
	summary: "The delivery log, newest first",
	access: member("org:webhooks:read"),
	request: {
		query: z.object({
			...paging,
			webhook_id: z.uuid().optional(),
			event_type: eventType.optional(),
			status: z.enum(DELIVERY_STATES).optional(),
			created_from: instant.optional().meta({ description: "Inclusive" }),
			created_until: instant.optional().meta({ description: "Exclusive" }),
		}),
	},
	response: z.object({ data: z.array(DeliverySummary), next: z.string().nullable(), prev: z.string().nullable() }),
	reads: "primary",
	async handle({ query, caller: { organizationId } }, services) {
		const { webhook_id, event_type, status, created_from, created_until } = query;
		const { rows, next, prev } = await readPage(services, query, {
			list: "webhook-deliveries",
			owner: organizationId,
			filters: { webhook_id, event_type, status, created_from, created_until },
			select: services.db.orm.select(summaryColumns).from(webhookDeliveries).$dynamic(),
			key: { at: webhookDeliveries.createdAt, id: webhookDeliveries.id, order: "newest", of: (row) => [row.createdAt, row.id] },
			where: and(
				eq(webhookDeliveries.organizationId, organizationId),
				webhook_id === undefined ? undefined : eq(webhookDeliveries.webhookId, webhook_id),
				event_type && eq(webhookDeliveries.eventType, event_type),
				status && eq(webhookDeliveries.status, status),
				created_from === undefined ? undefined : gte(webhookDeliveries.createdAt, created_from),
				created_until === undefined ? undefined : lt(webhookDeliveries.createdAt, created_until),
			),
		});
		return { data: rows.map(toDeliverySummary), next, prev };
	},
});

export const getDelivery = operation({
	id: "getDelivery",
	method: "GET",
	path: "/v1/webhooks/deliveries/{id}",
	summary: "One delivery with every attempt",
	access: member("org:webhooks:read"),
	request: { path: z.object({ id: z.uuid() }) },
	response: DeliveryRecord,
	reads: "primary",
	errors: ["NOT_FOUND"],
	async handle({ path, caller: { organizationId } }, { db }) {
		const [[row], attempts] = await db.read(findDelivery(db.orm, organizationId, path.id), attemptsOf(db.orm, path.id));
		if (!row) throw new ApiError("NOT_FOUND");
		return toDeliveryRecord(row, attempts);
	},
});
