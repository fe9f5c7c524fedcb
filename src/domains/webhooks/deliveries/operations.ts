// The delivery log and manual retries.

import { and, eq, inArray, sql } from "drizzle-orm";
import * as z from "zod";
import { guarded } from "../../../db/guards";
import { byCreation } from "../../../db/keyset";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import { member } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { openPage, paging } from "../../../http/paging";
import { ApiError, tooManyRequests } from "../../../shared/errors";
import { Instant } from "../../../shared/timestamp";
import { DELIVERY_STATES } from "../../../shared/webhook-states";
import { retry } from "../attempts/policy";
import { DELIVERY_TRANSITIONS } from "../endpoints/lifecycle";
import { checkFilter } from "../event-type.policy";
import { DeliveryRecord, DeliverySummary, toDeliveryRecord, toDeliverySummary } from "../wire";
import { attemptOf, deliveryOf, findReceipt, receiptsIn, restored } from "./receipts.store";
import { attemptsOf, endpointOf, findDelivery, logBy, ofAnEndpoint, summaryColumns } from "./store";

const { RETRY } = DELIVERY_TRANSITIONS;

export const listDeliveries = operation({
	id: "listDeliveries",
	method: "GET",
	path: "/v1/webhooks/deliveries",
	summary: "Deliveries, newest first",
	access: member("org:webhooks:read"),
	request: {
		query: z.object({
			...paging,
			webhook_id: z.uuid().toLowerCase().optional(),
			event_id: z.uuid().toLowerCase().optional(),
			event_type: z.string().optional(),
			status: z.enum(DELIVERY_STATES).optional(),
			created_from: Instant.optional().meta({ description: "Inclusive" }),
			created_until: Instant.optional().meta({ description: "Exclusive" }),
		}),
	},
	response: z.object({ data: z.array(DeliverySummary), next: z.string().nullable(), prev: z.string().nullable() }),
	reads: "primary",
	async handle({ query, caller: { organizationId } }, services) {
		const { webhook_id, event_id, event_type, status, created_from, created_until } = query;
		checkFilter(await services.eventTypes(), "query.event_type", event_type);
		const range = { from: created_from, until: created_until };
		const { statement, merge, window, page } = await openPage(services, query, {
			list: "webhook-deliveries",
			owner: organizationId,
			filters: { webhook_id, event_id, event_type, status, created_from, created_until },
			select: (orm) => orm.select(summaryColumns).from(logBy({ status, event_id, event_type })).$dynamic(),
			key: byCreation(webhookDeliveries),
			where: and(
				eq(webhookDeliveries.organizationId, organizationId),
				webhook_id === undefined ? undefined : eq(webhookDeliveries.webhookId, webhook_id),
				event_id === undefined ? undefined : eq(webhookDeliveries.eventId, event_id),
				event_type === undefined ? undefined : eq(webhookDeliveries.eventType, event_type),
				status === "PENDING" ? ofAnEndpoint : undefined,
			),
			range,
		});
		const shows = { webhookId: webhook_id, eventId: event_id, eventType: event_type };
		const [found, receipts] =
			status === undefined || status === "DELIVERED"
				? await services.db.read(statement, receiptsIn(services.db.orm, organizationId, shows, window, range))
				: [(await services.db.read(statement))[0], []];
		const { rows, next, prev } = await page(merge([found, receipts.map(deliveryOf)]));
		return { data: rows.map(toDeliverySummary), next, prev };
	},
});

export const getDelivery = operation({
	id: "getDelivery",
	method: "GET",
	path: "/v1/webhooks/deliveries/{id}",
	summary: "A delivery with all its attempts",
	access: member("org:webhooks:read"),
	request: { path: z.object({ id: z.uuid().toLowerCase() }) },
	response: DeliveryRecord,
	reads: "primary",
	errors: ["NOT_FOUND"],
	async handle({ path, caller: { organizationId } }, { db }) {
		const [[row], attempts, [receipt]] = await db.read(
			findDelivery(db.orm, organizationId, path.id),
			attemptsOf(db.orm, path.id),
			findReceipt(db.orm, organizationId, path.id),
		);
		if (row) return toDeliveryRecord(row, attempts);
		if (receipt) return toDeliveryRecord({ ...deliveryOf(receipt), body: receipt.body }, [attemptOf(receipt)]);
		throw new ApiError("NOT_FOUND");
	},
});

export const retryDelivery = operation({
	id: "retryDelivery",
	method: "POST",
	path: "/v1/webhooks/deliveries/{delivery_id}/retry",
	summary: "Resend a finished delivery",
	description: "Sends the recorded bytes again under the same delivery id, in up to six attempts. Allowed once a minute for each delivery.",
	access: member("org:webhooks:write"),
	request: { path: z.object({ delivery_id: z.uuid().toLowerCase() }) },
	response: DeliveryRecord,
	errors: ["NOT_FOUND", "DELIVERY_IN_PROGRESS", "WEBHOOK_SUSPENDED"],
	async handle({ path, caller: { organizationId } }, services) {
		const { db, now } = services;
		const look = async () => {
			const [[row], [endpoint], attempts, [receipt]] = await db.read(
				findDelivery(db.orm, organizationId, path.delivery_id),
				endpointOf(db.orm, organizationId, path.delivery_id),
				attemptsOf(db.orm, path.delivery_id),
				findReceipt(db.orm, organizationId, path.delivery_id),
			);
			const delivery = row ?? (receipt && { ...deliveryOf(receipt), body: receipt.body });
			if (!delivery || !endpoint) throw new ApiError("NOT_FOUND");
			const { status, lastManualRetryAt } = delivery;
			const decision = retry({ status, endpointStatus: endpoint.status, lastManualRetryAt }, now);
			if (decision.accepted) return { delivery, endpoint, attempts: row || !receipt ? attempts : [attemptOf(receipt)], isShort: !row };
			throw decision.reason === "TOO_SOON" ? tooManyRequests(decision.retryAfterSeconds) : new ApiError(decision.reason);
		};
		const { delivery, endpoint, attempts, isShort } = await look();
		const guard = services.env.DELIVERY_RETRIES.getByName(delivery.id);
		const permit = await guard.take(now);
		if (!permit.taken) {
			// Another call has the permit. If its retry is already stored, DELIVERY_IN_PROGRESS is the more helpful error.
			await look();
			throw tooManyRequests(permit.waitMs / 1000);
		}
		const changed = {
			status: RETRY.to,
			round: delivery.round + 1,
			roundAttempts: 0,
			roundInterrupted: 0,
			nextAttemptAt: now,
			lastManualRetryAt: now,
			deliveredAt: null,
			failedAt: null,
		};
		try {
			return await services.commit(
				[
					...(isShort ? restored(db.orm, organizationId, delivery.id) : []),
					guarded(
						db.orm
							.update(webhookDeliveries)
							.set(changed)
							.where(
								and(
									eq(webhookDeliveries.id, delivery.id),
									inArray(webhookDeliveries.status, RETRY.from),
									eq(webhookDeliveries.round, delivery.round),
									sql`exists (
										select 1 from ${webhookEndpoints}
										where ${webhookEndpoints.id} = ${delivery.webhookId} and ${webhookEndpoints.status} = 'ACTIVE')`,
								),
							),
						() =>
							services.afterwards(() => services.queue.poke([{ webhookId: delivery.webhookId, lane: endpoint.slow ? "SLOW" : "QUICK" }])),
					),
				],
				toDeliveryRecord({ ...delivery, ...changed, endpointStatus: "ACTIVE" }, attempts),
			);
		} catch (error) {
			await guard.giveBack();
			throw error;
		}
	},
});
